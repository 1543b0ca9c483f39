// Surfaces of bodies: STL, binary and text, and OBJ. The first byte of an input says which ending its file has.
#include <bit>
#include <stdexcept>

#include "fuzz/target.h"
#include "invar/base/error.h"
#include "invar/model/mechanism/mesh.h"

namespace invar::fuzz {

namespace {

std::string take(std::string_view input) {
  if (input.empty()) return "empty";
  static_assert(std::endian::native == std::endian::little);
  try {
    const Mesh mesh = read_mesh(as_file(input.substr(1), input.front() == 'o' ? ".obj" : ".stl"));
    for (const std::uint32_t vertex : mesh.triangles)
      if (vertex >= mesh.vertices.size() / 3) throw std::logic_error("a triangle without its vertex");
    return "mesh " + std::to_string(std::min<std::size_t>(mesh.triangles.size() / 3, 20));
  } catch (const InputError& e) {
    return kind_of(e.what());
  }
}

std::string binary_stl(std::uint32_t count) {
  std::string file(81, 's');
  file.append(reinterpret_cast<const char*>(&count), 4);
  for (std::uint32_t i = 0; i < count; ++i) {
    const float numbers[12] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, static_cast<float>(i)};
    file.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
    file.append(2, '\0');
  }
  return file;
}

std::vector<std::string> corpus() {
  return {binary_stl(1), binary_stl(3),
          "ssolid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
          "0\nendloop\nendfacet\nendsolid a\n",
          "o# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1 4//1\n",
          "ov 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nf 1/1/1 2/2/2 3/3/3\n"};
}

}  // namespace

const Target mesh = {"mesh",
                     take,
                     corpus,
                     {"solid ",
                      "facet normal ",
                      "outer loop\n",
                      "vertex ",
                      "endloop\n",
                      "endfacet\n",
                      "endsolid",
                      "v ",
                      "f ",
                      "vn ",
                      "vt ",
                      "1//1 ",
                      "-1 ",
                      "0 ",
                      "4294967295",
                      "1e39",
                      "nan ",
                      "inf ",
                      "\n",
                      " ",
                      "#",
                      "\\\n",
                      std::string_view("\0\0\0\0", 4),
                      "\xff\xff\xff\xff"}};

}  // namespace invar::fuzz
