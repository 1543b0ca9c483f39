// The surface of a body as triangles, for pictures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace invar {

struct Mesh {
  std::vector<float> vertices;           // x y z of each
  std::vector<std::uint32_t> triangles;  // three vertices each
};

// From an STL file, binary or text, or the v and f lines of an OBJ file; lengths times `scale`. An InputError says what
// is wrong.
Mesh read_mesh(const std::string& path, double scale = 1.0);

}  // namespace invar
