// Laws of designs: every combination once, samples that do not depend on what else is listed, Saltelli's points differ
// where they shall, and any case is the same whoever asks for it.
#include "invar/sample/design.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "invar/base/error.h"

namespace invar {
namespace {

Factor factor(const std::string& name, const std::string& values) { return {{name}, {ValueSet::read(values)}}; }

std::vector<double> case_of(const Design& design, std::uint64_t number) {
  std::vector<double> values(design.names().size());
  design.set_case(number, values);
  return values;
}

TEST(Design, TakesEveryCombinationOnce) {
  const Factor table = {{"p", "q"}, {ValueSet::list({1.0, 2.0}), ValueSet::list({10.0, 20.0})}};
  const Design design({factor("a", "0:1:3"), table, factor("b", "[7, 8]")}, Sampling::random, 0, 1);
  EXPECT_EQ(design.size(), 12u);
  EXPECT_EQ(design.names(), (std::vector<std::string>{"a", "p", "q", "b"}));
  std::set<std::vector<double>> seen;
  for (std::uint64_t k = 0; k < design.size(); ++k) {
    const std::vector<double> values = case_of(design, k);
    EXPECT_EQ(values[2], 10.0 * values[1]) << "columns of a table stay together";
    seen.insert(values);
  }
  EXPECT_EQ(seen.size(), 12u);
  EXPECT_EQ(case_of(design, 1), (std::vector{0.0, 1.0, 10.0, 8.0})) << "the last one changes fastest";
  EXPECT_EQ(design.words(), "3 values of a × 2 values of p, q × 2 values of b: 12 cases");
}

TEST(Design, TakesTheSameSamplesAtEveryCombination) {
  for (const Sampling sampling : {Sampling::random, Sampling::latin, Sampling::sobol, Sampling::saltelli}) {
    const Design alone({factor("L", "normal(4, 0.1)"), factor("c", "uniform(0, 1)")}, sampling, 50, 9);
    const Design design({factor("L", "normal(4, 0.1)"), factor("m", "[1, 2, 3]"), factor("c", "uniform(0, 1)")},
                        sampling, 50, 9);
    ASSERT_EQ(design.size(), 3 * alone.size());
    for (std::uint64_t k = 0; k < design.size(); ++k) {
      const std::vector<double> with = case_of(design, k), without = case_of(alone, k % alone.size());
      EXPECT_EQ(with[0], without[0]);
      EXPECT_EQ(with[2], without[1]);
      EXPECT_EQ(with[1], 1.0 + static_cast<double>(k / alone.size()));
    }
  }
}

TEST(Design, DiffersBySeedAlone) {
  const auto values = [](Sampling sampling, std::uint64_t seed) {
    const Design design({factor("x", "uniform(0, 1)")}, sampling, 8, seed);
    std::vector<double> list;
    for (std::uint64_t k = 0; k < 8; ++k) list.push_back(case_of(design, k)[0]);
    return list;
  };
  for (const Sampling sampling : {Sampling::random, Sampling::latin, Sampling::sobol}) {
    EXPECT_EQ(values(sampling, 1), values(sampling, 1));
    EXPECT_NE(values(sampling, 1), values(sampling, 2));
  }
}

// A seed's numbers are part of every result that was written: they may not change, nor differ between machines. These
// were computed by a program in another language, from the definitions.
TEST(Design, GivesTheseBits) {
  const auto first_and_third = [](Sampling sampling) {
    const Factor x = factor("x", "uniform(0, 1)"), y = factor("y", "uniform(0, 1)"), z = factor("z", "uniform(0, 1)");
    const std::vector<double> values = case_of(Design({x, y, z}, sampling, 16, 1), 5);
    return std::vector{values[0], values[2]};
  };
  EXPECT_EQ(first_and_third(Sampling::random), (std::vector{0x1.2eabd748a41fep-2, 0x1.58a253fc9c243p-1}));
  EXPECT_EQ(first_and_third(Sampling::latin), (std::vector{0x1.2eabd748a41fep-6, 0x1.358a253fc9c24p-1}));
  EXPECT_EQ(first_and_third(Sampling::sobol), (std::vector{0x1.3b08ac3a80606p-2, 0x1.24b5ba45bb3c5p-1}));
}

TEST(Design, SaltellisPointsTakeOneCoordinateEachFromB) {
  const Design design({factor("x", "uniform(0, 1)"), factor("y", "uniform(0, 1)"), factor("z", "choice(1, 2, 3)")},
                      Sampling::saltelli, 16, 4);
  ASSERT_EQ(design.size(), 16u * 5u);
  for (std::uint64_t base = 0; base < 16; ++base) {
    const auto a = case_of(design, 5 * base), b = case_of(design, 5 * base + 1);
    EXPECT_NE(a, b);
    for (std::size_t i = 0; i < 3; ++i) {
      auto mixed = a;
      mixed[i] = b[i];
      EXPECT_EQ(case_of(design, 5 * base + 2 + i), mixed);
    }
  }
}

TEST(Design, RefusesMistakes) {
  const auto message = [](const std::function<void()>& attempt) -> std::string {
    try {
      attempt();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([] { Design({factor("x", "1"), factor("x", "2")}, Sampling::random, 0, 1); }),
            "\"x\" is varied twice");
  EXPECT_EQ(message([] { Design({factor("x", "uniform(0, 1)")}, Sampling::random, 0, 1); }),
            "x is drawn: say how many samples to take, as --samples 100");
  EXPECT_EQ(message([] { Design({factor("x", "1:2:5")}, Sampling::saltelli, 8, 1); }),
            "sampling saltelli needs quantities that are drawn, as uniform(0, 1) or choice(1, 2, 3)");
  EXPECT_EQ(message([] {
              Design({{{"x", "y"}, {ValueSet::list({1.0}), ValueSet::list({1.0, 2.0})}}}, Sampling::random, 0, 1);
            }),
            "x, y vary together, so each needs a list of the same length");
  EXPECT_EQ(message([] {
              std::vector<Factor> many;
              for (int k = 0; k < 81; ++k) many.push_back(factor("x" + std::to_string(k), "uniform(0, 1)"));
              Design(many, Sampling::saltelli, 8, 1);
            }),
            "sampling saltelli serves at most 80 drawn quantities, not 81; latin and random serve any");
  EXPECT_EQ(message([] {
              std::vector<Factor> many;
              for (int k = 0; k < 9; ++k) many.push_back(factor("x" + std::to_string(k), "0:1:1000"));
              Design(many, Sampling::random, 0, 1);
            }),
            "too many cases");
  EXPECT_EQ(message([] { sampling_named("latine"); }),
            "unknown sampling \"latine\"; did you mean \"latin\"?; there are random, latin, sobol, saltelli");
}

}  // namespace
}  // namespace invar
