// Parts of a correction find what one elimination finds, and the digits that it costs.
#include "invar/device/newton_parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "invar/math/newton_line.h"

namespace invar {
namespace {

constexpr double same_correction = 1e-12;  // of a matrix with a good diagonal: round-off

// Equations i with a Jacobian of random sparse numbers that depend on the unknowns.
struct RandomEquations {
  Function function;
  Pattern pattern;
};

RandomEquations random_equations(int n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const Graph graph;
  Exprs x, residual, jacobian;
  for (int i = 0; i < n; ++i) x.push_back(graph.parameter("x" + std::to_string(i)));
  Pattern pattern = {.rows = n, .cols = n, .start = {0}, .row = {}};
  std::vector<std::vector<double>> a(n, std::vector<double>(n, 0.0));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i == j || uniform(random) > 0.7) a[i][j] = i == j ? 4.0 + uniform(random) : uniform(random);
  for (int i = 0; i < n; ++i) {
    Expr sum = -1.0;
    for (int j = 0; j < n; ++j)
      if (a[i][j] != 0.0) sum = sum + a[i][j] * x[j] * (1.0 + 0.1 * x[j]);
    residual.push_back(sum);
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (a[i][j] == 0.0) continue;
      pattern.row.push_back(i);
      jacobian.push_back(a[i][j] * (1.0 + 0.2 * x[j]));
    }
    pattern.start.push_back(static_cast<int>(pattern.row.size()));
  }
  residual.insert(residual.end(), jacobian.begin(), jacobian.end());
  return {Function(x, residual, "random equations"), pattern};
}

TEST(NewtonParts, FindTheCorrectionAndItsLoss) {
  constexpr int n = 20;
  constexpr double most = 1e5;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const RandomEquations e = random_equations(n, seed);
    std::vector<double> in(n), expected(n + 1);
    for (int i = 0; i < n; ++i) in[i] = std::sin(i + static_cast<double>(seed));
    Scratch scratch;
    (*newton_correction(e.function, e.pattern, 0, in, most))(in, expected, scratch);
    for (const std::size_t count : {1, 2, 3, 7, 30}) {
      std::vector<double> arguments = in;
      arguments.resize(2 * n, std::nan(""));  // corrections that no earlier part has found
      std::vector<bool> found(n, false);
      double loss = 0.0;
      for (const NewtonPart& part : newton_parts(e.function, e.pattern, in, most, count)) {
        std::vector<double> out(part.unknowns.size() + 1);
        part.function(arguments, out, scratch);
        for (std::size_t k = 0; k < part.unknowns.size(); ++k) {
          arguments[n + part.unknowns[k]] = out[k];
          found[part.unknowns[k]] = true;
        }
        loss += out.back();
      }
      EXPECT_EQ(std::ranges::count(found, true), n);
      for (int i = 0; i < n; ++i) EXPECT_NEAR(arguments[n + i], expected[i], same_correction);
      EXPECT_NEAR(loss, expected[n], same_correction * expected[n]);
    }
  }
}

}  // namespace
}  // namespace invar
