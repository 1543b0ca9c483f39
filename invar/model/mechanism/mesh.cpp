// See mesh.h. A binary STL file has 80 bytes of anything, the number of triangles, and for each its normal and three
// corners as floats and two bytes of anything. The text form has words: "facet normal … outer loop vertex x y z …
// endloop endfacet".
#include "invar/model/mechanism/mesh.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "invar/base/error.h"
#include "invar/record/file.h"

namespace invar {

namespace {

constexpr std::size_t most_bytes = std::size_t{100} << 20;
constexpr std::size_t most_triangles = 100000;  // so that a report stays small enough to be sent

using Corner = std::array<float, 3>;

// Corners at the same place are one vertex: a surface then looks smooth, and takes a third of the room.
class Surface {
 public:
  explicit Surface(double scale) : scale_(scale) {}

  std::uint32_t vertex(const Corner& place) {
    for (const float x : place)
      if (!std::isfinite(x)) throw InputError("a vertex is not finite");
    const auto [found, is_new] = known_.try_emplace(place, static_cast<std::uint32_t>(known_.size()));
    if (is_new)
      for (const float x : place) mesh_.vertices.push_back(static_cast<float>(scale_ * static_cast<double>(x)));
    return found->second;
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (mesh_.triangles.size() >= 3 * most_triangles)
      throw InputError("more than 100000 triangles: simplify the mesh, it is only for pictures");
    mesh_.triangles.insert(mesh_.triangles.end(), {a, b, c});
  }
  Mesh take() {
    if (mesh_.triangles.empty()) throw InputError("there are no triangles in it");
    return std::move(mesh_);
  }

 private:
  double scale_;
  std::map<Corner, std::uint32_t> known_;
  Mesh mesh_;
};

constexpr std::size_t stl_head = 84, stl_facet = 50;

template <class T>
T number_at(std::string_view bytes, std::size_t place) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

bool is_binary_stl(std::string_view text) {
  return text.size() >= stl_head && text.size() == stl_head + stl_facet * number_at<std::uint32_t>(text, 80);
}

Mesh read_binary_stl(std::string_view bytes, double scale) {
  Surface surface(scale);
  for (std::size_t facet = stl_head; facet < bytes.size(); facet += stl_facet) {
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      Corner place{};
      for (std::size_t k = 0; k < 3; ++k) place[k] = number_at<float>(bytes, facet + 12 + 12 * c + 4 * k);
      corners[c] = surface.vertex(place);
    }
    surface.triangle(corners[0], corners[1], corners[2]);
  }
  return surface.take();
}

class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  std::optional<std::string_view> next() {
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t first = rest_.find_first_not_of(blank);
    if (first == std::string_view::npos) return std::nullopt;
    rest_.remove_prefix(first);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(blank));
    rest_.remove_prefix(word.size());
    return word;
  }
  float number() {
    const auto word = next();
    float value = 0.0f;
    if (!word || std::from_chars(word->data(), word->data() + word->size(), value).ptr != word->data() + word->size())
      throw InputError("a vertex needs three numbers");
    return value;
  }
  Corner corner() {
    Corner place{};
    for (float& x : place) x = number();
    return place;
  }

 private:
  std::string_view rest_;
};

Mesh read_text_stl(std::string_view text, double scale) {
  Surface surface(scale);
  std::vector<std::uint32_t> corners;
  Words words(text);
  while (const auto word = words.next()) {
    if (*word == "vertex") corners.push_back(surface.vertex(words.corner()));
    if (*word != "endfacet") continue;
    if (corners.size() != 3) throw InputError("a facet needs three vertices");
    surface.triangle(corners[0], corners[1], corners[2]);
    corners.clear();
  }
  return surface.take();
}

// The vertex that "7", "7/1", "7//3" or "-1" (the last one so far) stands for.
std::uint32_t obj_vertex(std::string_view word, const std::vector<std::uint32_t>& vertices) {
  word = word.substr(0, word.find('/'));
  long long index = 0;
  const bool whole =
      !word.empty() && std::from_chars(word.data(), word.data() + word.size(), index).ptr == word.data() + word.size();
  const auto count = static_cast<long long>(vertices.size());
  if (index < 0) index += count + 1;
  if (!whole || index < 1 || index > count) throw InputError("a face names a vertex that is not there");
  return vertices[static_cast<std::size_t>(index - 1)];
}

Mesh read_obj(std::string_view text, double scale) {
  Surface surface(scale);
  std::vector<std::uint32_t> vertices;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    Words words(line);
    const auto kind = words.next();
    if (kind == "v") vertices.push_back(surface.vertex(words.corner()));
    if (kind != "f") continue;
    std::vector<std::uint32_t> face;
    while (const auto word = words.next()) face.push_back(obj_vertex(*word, vertices));
    for (std::size_t k = 2; k < face.size(); ++k) surface.triangle(face[0], face[k - 1], face[k]);
  }
  return surface.take();
}

}  // namespace

Mesh read_mesh(const std::string& path, double scale) {
  const std::string text = read_text(path, most_bytes);
  const std::string extension = std::filesystem::path(path).extension().string();
  try {
    if (extension == ".obj" || extension == ".OBJ") return read_obj(text, scale);
    if (extension == ".stl" || extension == ".STL")
      return is_binary_stl(text) ? read_binary_stl(text, scale) : read_text_stl(text, scale);
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  throw InputError(path + ": a mesh is an .stl or .obj file");
}

}  // namespace invar
