// The start of every bundled model in other units and in another order: the same freedom, and the same constraints that
// say nothing new.
#include <gtest/gtest.h>

#include <set>

#include "examples/compare.h"
#include "invar/system/start/start.h"
#include "invar/task/invert/test_rescaled.h"

namespace invar::examples {
namespace {

constexpr int start_scalings = 2;
constexpr double start_decades = 6.0;

struct Found {
  int freedom, mass_rank;
  std::size_t redundant, singular;
  bool operator==(const Found&) const = default;
};

void PrintTo(const Found& f, std::ostream* out) {
  *out << f.freedom << " degrees of freedom, mass rank " << f.mass_rank << ", " << f.redundant << " redundant, "
       << f.singular << " singular";
}

Found start_of(const Problem& p) {
  const std::vector<double> u(p.system.inputs.size(), 0.0);
  const Start s = consistent_start(p.system, {.t = 0.0, .q = p.q0, .v = p.v0, .a = {}, .lambda = {}}, u, p.signals);
  return {s.degrees_of_freedom, s.mass_rank, s.redundant.size(), s.singular.size()};
}

class StartInOtherUnits : public testing::TestWithParam<std::string> {};

TEST_P(StartInOtherUnits, HasTheSameFreedom) {
  for (const auto& entry : fs::directory_iterator(folder / GetParam())) {
    if (entry.path().extension() != ".toml" || entry.path().filename() == "expected.toml") continue;
    const Problem problem = read_problem(entry.path());
    if (problem.system.coordinates.size() > 60) continue;  // takes long and shows no more
    const Found here = start_of(problem);
    std::mt19937_64 random(7);
    for (int k = 0; k < start_scalings; ++k) {
      const test::Rescaling by = test::random_rescaling(problem, start_decades, random);
      EXPECT_EQ(start_of(test::reordered(test::rescaled(problem, by), random)), here) << entry.path();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, StartInOtherUnits, testing::ValuesIn(example_names()),
                         [](const auto& example) { return example.param; });

}  // namespace
}  // namespace invar::examples
