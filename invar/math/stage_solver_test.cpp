// Laws of coupled stages: exact where the stages are alike, and contracting where they are nearly so.
#include "invar/math/stage_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "invar/math/newton.h"

namespace invar {
namespace {

// Sums of a few dozen products, with condition numbers of some hundreds.
constexpr double stage_error = 1e-10;

// h y' by values at the three stages of Radau IIA [E. Hairer, G. Wanner, Solving ODEs II, sec. IV.5], rounded: what
// follows does not need more digits.
CoupledStages three_stages(std::size_t n) {
  CoupledStages stages;
  stages.weight.resize(3, 3);
  stages.weight << 3.224744871, 1.167840084, -0.253197264, -3.567840084, 0.775255129, 1.053197264, 5.531972647,
      -7.531972647, 5.0;
  for (std::size_t i = 0; i < 3; ++i) {
    stages.unknowns.emplace_back();
    stages.equations.emplace_back();
    for (std::size_t k = 0; k < n; ++k) {
      stages.unknowns.back().push_back(k * 3 + (i + 1) % 3);  // any order serves
      stages.equations.back().push_back(i * n + k);
    }
  }
  return stages;
}

struct StageMatrix {
  Pattern pattern;
  std::vector<double> values;
};

// δ_ij A + W_ij B with A and B full; those of stage i differ by a part `apart` of themselves.
StageMatrix stage_matrix(const CoupledStages& stages, std::size_t n, double apart) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> entry(-1, 1);
  const auto size = static_cast<Eigen::Index>(n);
  Matrix all = Matrix::Zero(3 * size, 3 * size), a = Matrix::NullaryExpr(size, size, [&] { return entry(random); }),
         b = Matrix::NullaryExpr(size, size, [&] { return entry(random); }) + 4.0 * Matrix::Identity(size, size);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < n; ++c) {
          const double differs = 1.0 + apart * (static_cast<double>(i) - 1.0);
          const auto row = static_cast<Eigen::Index>(stages.equations[i][r]),
                     col = static_cast<Eigen::Index>(stages.unknowns[j][c]);
          const auto x = static_cast<Eigen::Index>(r), y = static_cast<Eigen::Index>(c);
          all(row, col) =
              differs * ((i == j ? a(x, y) : 0.0) +
                         stages.weight(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * b(x, y));
        }
  StageMatrix result;
  result.pattern.rows = result.pattern.cols = static_cast<int>(3 * n);
  for (Eigen::Index j = 0; j < all.cols(); ++j) {
    for (Eigen::Index i = 0; i < all.rows(); ++i) {
      result.pattern.row.push_back(static_cast<int>(i));
      result.values.push_back(all(i, j));
    }
    result.pattern.start.push_back(static_cast<int>(result.pattern.row.size()));
  }
  return result;
}

TEST(StageSolver, IsExactWhereStagesAreAlike) {
  for (const std::size_t n : {1, 4, 25}) {
    const CoupledStages stages = three_stages(n);
    const StageMatrix j = stage_matrix(stages, n, 0.0);
    StageSolver by_stages = StageSolver(j.pattern, stages).another();
    LinearSolver whole(j.pattern);
    ASSERT_TRUE(by_stages.factor(j.values));
    ASSERT_TRUE(whole.factor(j.values));
    std::vector<double> x(3 * n), y;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + static_cast<double>(i));
    y = x;
    by_stages.solve(x);
    whole.solve(y);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], stage_error) << n;
  }
}

TEST(StageSolver, FindsTheSameSolutionsInNewtonsMethod) {
  constexpr std::size_t n = 9;
  const CoupledStages stages = three_stages(n);
  const StageMatrix j = stage_matrix(stages, n, 0.02);
  double load = 1.0;
  int jacobians = 0;
  const Newton::Residual residual = [&](std::span<const double> x, std::span<double> r) {
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = -load * static_cast<double>(1 + i % 4);
    for (int c = 0; c < j.pattern.cols; ++c)
      for (int e = j.pattern.start[c]; e < j.pattern.start[c + 1]; ++e)
        r[j.pattern.row[e]] += j.values[e] * (x[c] + 0.01 * x[c] * x[c]);
  };
  const Newton::Evaluate both = [&](std::span<const double> x, std::span<double> r, std::span<double> values) {
    ++jacobians;
    residual(x, r);
    for (int c = 0; c < j.pattern.cols; ++c)
      for (int e = j.pattern.start[c]; e < j.pattern.start[c + 1]; ++e) values[e] = j.values[e] * (1.0 + 0.02 * x[c]);
  };
  Newton plain(j.pattern), coupled(j.pattern, {.keep_factors = true});
  coupled.couple(stages);
  std::vector<double> x(3 * n, 0.0), y = x;
  for (int k = 0; k < 20; ++k, load += 0.01) {
    const NewtonResult found = coupled.solve(both, residual, x);
    ASSERT_EQ(found.status, NewtonStatus::converged);
    EXPECT_TRUE(found.contracted);
    ASSERT_EQ(plain.solve(both, y).status, NewtonStatus::converged);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], stage_error) << k;
  }
  const int before = jacobians;
  ASSERT_EQ(coupled.solve(both, residual, x).status, NewtonStatus::converged);
  EXPECT_EQ(jacobians, before) << "factors are kept";
}

}  // namespace
}  // namespace invar
