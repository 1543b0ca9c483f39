// Laws of the matrices at the start: what the constraints allow, symmetry, ranks, and one answer in all coordinates.
#include "invar/task/check/matrices.h"

#include <gtest/gtest.h>

#include "invar/read/read_problem.h"
#include "invar/read/test_models.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

// The crane in its own coordinates or in those of a [reduce]d system.
std::string matrix_crane(const std::string& extra, const std::string& start) {
  return test::overhead_crane() + extra + "[initial]\n" + start;
}
const std::string matrix_redundant = matrix_crane("", "s = 0.3\nl = 5.0\nx = 3.3\nz = -4.0\n");
const std::string matrix_minimal = matrix_crane(
    "[reduce]\ncoordinates = [\"s\", \"l\", \"phi\"]\nmap = { x = \"s + l*sin(phi)\", z = \"-l*cos(phi)\" }\n",
    "s = 0.3\nl = 5.0\nphi = \"asin(0.6)\"\n");

std::string matrix_bodies(const std::string& formulation) {
  return test::two_links +
         "[[actuator]]\nname = \"M1\"\non = \"alpha\"\n[[actuator]]\nname = \"M2\"\non = \"beta\"\n"
         "[simulate]\nformulation = \"" +
         formulation + "\"\n";
}

struct FoundMatrices {
  Problem problem;
  Verdict verdict;
  std::vector<NamedMatrix> list;

  explicit FoundMatrices(const std::string& text)
      : problem(read_problem_text(text, "model.toml")), verdict(check(problem)), list(matrices(problem, verdict)) {}
  const NamedMatrix& operator[](const std::string& file) const {
    for (const NamedMatrix& m : list)
      if (m.file == file) return m;
    throw std::out_of_range(file);
  }
};

constexpr double matrix_round_off = 1e-12;

TEST(Matrices, ObeyTheirLaws) {
  for (const std::string& text :
       {matrix_redundant, matrix_minimal, matrix_bodies("director"), matrix_bodies("minimal"), matrix_bodies("lie")}) {
    const FoundMatrices found(text);
    const Matrix &M = found["M"].values, &G = found["G"].values, &P = found["P"].values;
    const auto n = static_cast<int>(found.problem.system.coordinates.size());
    EXPECT_EQ(M, M.transpose());
    if (G.rows() > 0) {
      EXPECT_LT((G * P).cwiseAbs().maxCoeff(), matrix_round_off * G.cwiseAbs().maxCoeff());
    }
    EXPECT_EQ(found["M"].rank, found.verdict.start.mass_rank);
    EXPECT_EQ(n - found["G"].rank, found.verdict.start.degrees_of_freedom);
    EXPECT_EQ(found["P"].rank, found.verdict.start.degrees_of_freedom);
    EXPECT_EQ(P.cols(), found.verdict.start.degrees_of_freedom);
    for (const NamedMatrix& m : found.list) {
      EXPECT_EQ(m.values.rows(), static_cast<Eigen::Index>(m.rows.size())) << m.name;
      EXPECT_EQ(m.values.cols(), static_cast<Eigen::Index>(m.columns.size())) << m.name;
      for (Eigen::Index k = 1; k < m.singular_values.size(); ++k)
        EXPECT_GE(m.singular_values(k - 1), m.singular_values(k)) << m.name;
    }
  }
}

// Each column of P moves its own independent coordinate, and no other of them.
TEST(Matrices, ColumnsOfPAreVelocitiesOfIndependentCoordinates) {
  const FoundMatrices found(matrix_bodies("director"));
  const NamedMatrix& P = found["P"];
  for (std::size_t k = 0; k < P.columns.size(); ++k)
    for (std::size_t i = 0; i < P.columns.size(); ++i) {
      const auto row = std::find(P.rows.begin(), P.rows.end(), P.columns[i]) - P.rows.begin();
      EXPECT_EQ(P.values(row, static_cast<Eigen::Index>(k)), i == k ? 1.0 : 0.0);
    }
}

// What inputs do to outputs does not depend on coordinates.
TEST(Matrices, AccelerationsByInputsAreTheSameInAllCoordinates) {
  const Matrix cartesian = FoundMatrices(matrix_redundant)["SMB"].values,
               angle = FoundMatrices(matrix_minimal)["SMB"].values;
  EXPECT_LT((cartesian - angle).cwiseAbs().maxCoeff(), matrix_round_off);
  const Matrix directors = FoundMatrices(matrix_bodies("director"))["SMB"].values,
               joints = FoundMatrices(matrix_bodies("minimal"))["SMB"].values;
  EXPECT_LT((directors - joints).cwiseAbs().maxCoeff(), matrix_round_off * joints.cwiseAbs().maxCoeff());
}

// A cable in the direction n = (sin φ, -cos φ) from trolley to load, with the tension T:
//   load'' = -n T/m,   s'' = (F + T sin φ)/mt,   J/r² l'' = M/r + T,   l'' = n·(load'' - (s'', 0))
// gives T (1/m + sin² φ/mt + r²/J) = -sin φ F/mt - M r/J.
TEST(Matrices, AccelerationsByInputsOfACraneInClosedForm) {
  constexpr double mt = 10.0, m = 100.0, winch = 10.0, r = 0.1, sin = 0.6, cos = 0.8;
  const double ease = 1.0 / m + sin * sin / mt + 1.0 / winch;
  const double by_force = -(sin / mt) / ease, by_torque = -(1.0 / r / winch) / ease;
  const Matrix found = FoundMatrices(matrix_redundant)["SMB"].values;
  EXPECT_NEAR(found(0, 0), -by_force * sin / m, matrix_round_off);
  EXPECT_NEAR(found(1, 0), by_force * cos / m, matrix_round_off);
  EXPECT_NEAR(found(0, 1), -by_torque * sin / m, matrix_round_off);
  EXPECT_NEAR(found(1, 1), by_torque * cos / m, matrix_round_off);
}

// Only along the cable: rank one of two, as the verdict on the inverse problem says (index 5, not 3). A load without a
// cable, pushed in both directions, has full rank and index 3.
TEST(Matrices, RankTellsWhetherInputsReachTheOutputsDirectly) {
  const std::string path = "[[trajectory]]\noutputs = [\"load_x\", \"load_z\"]\nfrom = [3.3, -4]\nto = [3.3, -4]\n";
  const FoundMatrices indirect(matrix_crane(path, "s = 3.3\nl = 4.0\nx = 3.3\nz = -4.0\n"));
  EXPECT_EQ(indirect["SMB"].rank, 1);
  EXPECT_EQ(invert(indirect.problem).summary.part<InversionSummary>()->index, 5);
  std::string pushed = matrix_crane(path, "s = 3.3\nl = 4.0\nx = 3.3\nz = -4.0\n");
  pushed.replace(pushed.find("s = \"1\""), 7, "x = \"1\"");
  pushed.replace(pushed.find("l = \"1/r\""), 9, "z = \"1/r\"");
  const FoundMatrices direct(pushed);
  EXPECT_EQ(direct["SMB"].rank, 2);
  EXPECT_EQ(invert(direct.problem).summary.part<InversionSummary>()->index, 3);
}

TEST(Matrices, AreWrittenWithNames) {
  const FoundMatrices found(matrix_redundant);
  EXPECT_EQ(to_csv(found["B"]), "B,s,l,x,z\nF,1,0,0,0\nM,0,10,0,0\n");
  EXPECT_TRUE(to_csv(found["SMB"]).starts_with("S M⁻¹ Bᵀ,F,M\nload_x,"));
  const MatricesSummary summary(found.list);
  EXPECT_EQ(summary.figures().size(), 6u);
  EXPECT_TRUE(summary.sentences({}).back().starts_with("S M⁻¹ Bᵀ: 2 × 2, rank 1, singular values "));
}

// A coordinate without mass that nothing holds has no acceleration that inputs could give.
TEST(Matrices, WithoutMassThereIsNoInverse) {
  const std::string text = R"toml(name = "spring"
[system]
coordinates = ["x", "s"]
kinetic = "x'^2"
potential = "(x - s)^2 + s^2"
[[system.input]]
name = "F"
force = { s = "1" }
[initial]
x = 0
s = 0
)toml";
  const FoundMatrices found(text);
  EXPECT_EQ(found.list.size(), 5u);
}

}  // namespace
}  // namespace invar
