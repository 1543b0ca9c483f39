// The same tetrahedron in every form of file, and files that are none.
#include "invar/model/mechanism/mesh.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/record/file.h"

namespace invar {
namespace {

using Corner = std::array<float, 3>;
constexpr std::array<Corner, 4> corners = {{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
constexpr std::array<std::array<int, 3>, 4> faces = {{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};

std::string binary_stl() {
  std::string bytes(80, 's');
  const auto put = [&](const auto& x) { bytes.append(reinterpret_cast<const char*>(&x), sizeof x); };
  put(std::uint32_t{4});
  for (const auto& face : faces) {
    put(Corner{});
    for (const int c : face) put(corners[static_cast<std::size_t>(c)]);
    put(std::uint16_t{0});
  }
  return bytes;
}

std::string text_stl() {
  std::string text = "solid tetrahedron\n";
  for (const auto& face : faces) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const int c : face) {
      text += "vertex";
      for (const float x : corners[static_cast<std::size_t>(c)]) text += " " + std::to_string(x);
      text += "\n";
    }
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid\n";
}

constexpr const char* obj = R"(# a tetrahedron
v 0 0 0
v 1 0 0
v 0 2 0
v 0 0 3
vn 0 0 1
f 1 3 2
f 1/1 2/1 4/1
f -3//1 -2//1 -1//1
f 3 1 4
)";

class MeshFile : public testing::Test {
 protected:
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("invar_mesh_" + std::to_string(getpid()));
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string file(const std::string& name, const std::string& text) {
    write_text(folder / name, text);
    return (folder / name).string();
  }
  std::string refusal(const std::string& name, const std::string& text) {
    try {
      read_mesh(file(name, text));
    } catch (const InputError& error) {
      return std::string(error.what()).substr((folder / name).string().size() + 2);
    }
    return "read";
  }
};

// Six times the volume within a closed surface, by the divergence theorem: known, and the sign tells which side is out.
double volume(const Mesh& mesh) {
  double sum = 0.0;
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
    const auto at = [&](std::size_t k, std::size_t c) -> double {
      return mesh.vertices[3 * mesh.triangles[i + k] + c];
    };
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t d = (c + 1) % 3, e = (c + 2) % 3;
      sum += at(0, c) * (at(1, d) * at(2, e) - at(1, e) * at(2, d));
    }
  }
  return sum;
}

TEST_F(MeshFile, EveryFormHoldsTheSameSolid) {
  for (const Mesh& mesh :
       {read_mesh(file("a.stl", binary_stl())), read_mesh(file("b.STL", text_stl())), read_mesh(file("c.obj", obj))}) {
    EXPECT_EQ(mesh.vertices.size(), 12u);  // corners that faces share are one
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_DOUBLE_EQ(volume(mesh), 6.0);
  }
  EXPECT_DOUBLE_EQ(volume(read_mesh(file("d.obj", obj), 0.5)), 6.0 / 8.0);
}

TEST_F(MeshFile, FacesWithMoreCornersAreCut) {
  const Mesh mesh = read_mesh(file("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"));
  EXPECT_EQ(mesh.triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
}

TEST_F(MeshFile, WhatIsNoMeshIsRefused) {
  EXPECT_EQ(refusal("a.obj", "v 0 0\n"), "a vertex needs three numbers");
  EXPECT_EQ(refusal("a.obj", "v 0 0 nan\nf 1 1 1\n"), "a vertex is not finite");
  EXPECT_EQ(refusal("a.obj", "v 0 0 0\nf 1 2 3\n"), "a face names a vertex that is not there");
  EXPECT_EQ(refusal("a.obj", "v 0 0 0\nf 1 0 1\n"), "a face names a vertex that is not there");
  EXPECT_EQ(refusal("a.obj", "v 0 0 0\nf 1 x 1\n"), "a face names a vertex that is not there");
  EXPECT_EQ(refusal("a.obj", ""), "there are no triangles in it");
  EXPECT_EQ(refusal("a.stl", "solid\nfacet\nvertex 0 0 0\nendfacet"), "a facet needs three vertices");
  EXPECT_EQ(refusal("a.stl", std::string(84, '\xff')), "there are no triangles in it");
  EXPECT_EQ(refusal("a.stl", binary_stl().substr(0, 200)), "there are no triangles in it");
  EXPECT_EQ(refusal("a.dae", ""), "a mesh is an .stl or .obj file");
  std::string many = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (int i = 0; i <= 100000; ++i) many += "f 1 2 3\n";
  EXPECT_EQ(refusal("a.obj", many), "more than 100000 triangles: simplify the mesh, it is only for pictures");
  EXPECT_THROW(read_mesh((folder / "missing.stl").string()), InputError);
}

TEST_F(MeshFile, AModelFindsItBesideItself) {
  file("hull.obj", obj);
  const std::string model = R"(
name = "ship"
[[body]]
name = "hull"
mass = 1.0
position = [0, 0, 0]
inertia = [1, 1, 1]
shape = { mesh = "hull.obj", scale = 0.001 }
[simulate]
until = 1
step = 0.1
)";
  const Problem problem = read_problem(file("ship.toml", model));
  ASSERT_TRUE(problem.mechanism->bodies[0].shape.mesh);
  EXPECT_FLOAT_EQ(problem.mechanism->bodies[0].shape.mesh->vertices[3], 0.001f);
  std::string wrong = model;
  wrong.replace(wrong.find("hull.obj"), 8, "hulk.obj");
  try {
    read_problem(file("ship.toml", wrong));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("ship.toml:8:"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("hulk.obj"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace invar
