// Statements give the bits of the tape, whatever their order, and few of their values wait at a time.
#include "invar/tape/statements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "invar/base/private_files.h"
#include "invar/expr/random_expr.h"
#include "invar/tape/few_live.h"
#include "invar/tape/machine_code.h"
#include "invar/tape/straight_line.h"

namespace invar {
namespace {

constexpr std::size_t graphs = 200, inputs = 3, outputs = 4;

Function random_graph(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const Graph g;
  const Exprs x = {g.parameter("x"), g.parameter("y"), g.parameter("z")};
  Exprs f;
  const test::Domain domain = seed % 2 == 0 ? test::Domain::smooth : test::Domain::any;
  for (std::size_t i = 0; i < outputs; ++i) f.push_back(test::random_expr(random, x, 12, domain));
  return Function(x, f);
}

std::string at(const char* array, std::size_t k) { return std::string(array) + "[" + std::to_string(k) + "]"; }

TEST(Statements, GiveTheBitsOfTheTapeOnRandomGraphs) {
  if (!run_program({"cc", "--version"})) GTEST_SKIP() << "no C compiler here";
  std::vector<Function> functions;
  std::string source = "#include <math.h>\n" + statement_helpers(), calls;
  for (std::size_t k = 0; k < graphs; ++k) {
    functions.push_back(random_graph(k));
    const auto store = [](std::size_t i, std::span<const std::string> v) {
      std::string all;
      for (std::size_t m = 0; m < v.size(); ++m) all += at("out", i + m) + " = " + v[m] + ";\n";
      return all;
    };
    const StatementText text = {
        .input = [](std::size_t i) { return at("in", i); }, .output = store, .group = k % 3 == 0 ? outputs : 1};
    const std::string name = "graph" + std::to_string(k);
    source += "static void " + name + "(const double *in, double *out)\n{\n";
    const StatementParts parts = statements_in_parts(functions.back(), text, k % 2 == 0 ? 7 : 1000);
    source += "double w[" + std::to_string(parts.passed + 1) + "];\n";
    for (const std::string& part : parts.text) source += "{\n" + part + "}\n";
    source += "(void)w;\n}\n";
    calls += name + "(in, out + " + std::to_string(k * outputs) + ");\n";
  }
  source += "void invar_function(const double *in, double *out)\n{\n" + calls + "}\n";
  const invar::MachineCode code = build_machine_code(source, {});
  ASSERT_NE(code.entry, nullptr);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-2, 2);
  std::vector<double> in(inputs), all(graphs * outputs), expected(outputs);
  for (int repeat = 0; repeat < 20; ++repeat) {
    for (double& x : in) x = uniform(random);
    reinterpret_cast<void (*)(const double*, double*)>(code.entry)(in.data(), all.data());
    for (std::size_t k = 0; k < graphs; ++k) {
      Scratch scratch;
      functions[k](in, expected, scratch);
      for (std::size_t i = 0; i < outputs; ++i) {
        const double found = all[k * outputs + i];
        EXPECT_TRUE(found == expected[i] || (std::isnan(found) && std::isnan(expected[i]))) << "graph " << k;
      }
    }
  }
}

TEST(Statements, KnowWhichInputsAreUsed) {
  const Graph g;
  const Expr x = g.parameter("x"), y = g.parameter("y"), z = g.parameter("z"), w = g.parameter("w");
  EXPECT_EQ(used_inputs(Function(Exprs{x, y, z, w}, Exprs{sin(x) * 2.0, w})),
            (std::vector<bool>{true, false, false, true}));
}

// A sum of products of two long lists, written so that all products come first.
struct Wide {
  std::vector<TapeValue> values;
  std::vector<std::uint32_t> outputs;

  explicit Wide(std::uint32_t n) {
    for (std::uint32_t k = 0; k < 2 * n; ++k) values.push_back({.code = Code::symbol, .a = k});
    for (std::uint32_t k = 0; k < n; ++k) values.push_back({.code = Code::multiply, .a = k, .b = n + k});
    std::uint32_t sum = 2 * n;
    for (std::uint32_t k = 1; k < n; ++k) {
      values.push_back({.code = Code::add, .a = sum, .b = 2 * n + k});
      sum = static_cast<std::uint32_t>(values.size() - 1);
    }
    outputs = {sum};
  }
};

TEST(FewLive, NeedsTwoRegistersForASumOfProducts) {
  const Wide wide(200);
  std::vector<std::uint32_t> as_written(wide.values.size() - 400);
  std::iota(as_written.begin(), as_written.end(), 400u);
  EXPECT_EQ(cost_of_order(wide.values, as_written, 10).most_live, 200u);
  EXPECT_GT(cost_of_order(wide.values, as_written, 10).stores, 150u);
  const OrderCost cost = cost_of_order(wide.values, order_with_few_live(wide.values, wide.outputs, 10), 10);
  EXPECT_LE(cost.most_live, 2u);
  EXPECT_EQ(cost.stores + cost.loads, 0u);
}

TEST(FewLive, OrdersWhatIsNeededOperandsFirst) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const StraightLine line(random_graph(seed));
    std::vector<std::uint32_t> wanted;
    for (const StraightLine::Value v : line.outputs()) wanted.push_back(static_cast<std::uint32_t>(v));
    const std::vector<std::uint32_t> depth_first = depth_first_order(line.values(), wanted);
    const std::vector<std::uint32_t> order = order_with_few_live(line.values(), wanted, 4);
    ASSERT_EQ(order.size(), depth_first.size());
    std::vector<bool> done(line.values().size());
    for (const std::uint32_t v : order) {
      EXPECT_FALSE(done[v]);
      for (const std::uint32_t operand : operands(line.values()[v]))
        EXPECT_TRUE(is_leaf(line.values()[operand]) || done[operand]);
      done[v] = true;
    }
    const OrderCost before = cost_of_order(line.values(), depth_first, 4);
    const OrderCost after = cost_of_order(line.values(), order, 4);
    EXPECT_LE(after.stores + after.loads, before.stores + before.loads);
  }
}

}  // namespace
}  // namespace invar
