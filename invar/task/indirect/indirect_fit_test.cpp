// Which problems the indirect method takes and which it refuses, with what to do instead.
#include <gtest/gtest.h>

#include "invar/base/error.h"
#include "invar/task/indirect/indirect.h"

namespace invar {
namespace {

Expr square(const Expr& x) { return x * x; }

System fitted_cart() {
  System s;
  for (const char* name : {"x", "phi"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = square(v[0]) + v[0] * v[1] * cos(q[1]) + square(v[1]);
  s.potential = -cos(q[1]);
  s.add_input("F", {1.0, 0.0});
  return s;
}

OptimizeSettings all_given(const System& s) {
  OptimizeSettings o;
  const Exprs q = positions(s), v = velocities(s);
  o.final = {{"x", q[0], 1.0, 1.0}, {"x'", v[0], 0.0, 0.0}, {"phi", q[1], 3.0, 3.0}, {"phi'", v[1], 0.0, 0.0}};
  return o;
}

// A problem that fits, with `change` made to it.
template <class Change>
std::string refusal(const Change& change) {
  System s = fitted_cart();
  OptimizeSettings o = all_given(s);
  change(s, o);
  try {
    check_fits_indirect(s, o);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(IndirectFit, ProblemsThatFitAreNotRefused) {
  EXPECT_EQ(refusal([](System&, OptimizeSettings&) {}), "");
  EXPECT_EQ(refusal([](System& s, OptimizeSettings&) {  // a force of time that a parameter switches off
              s.forces[0] = -s.add_parameter("k", 0.0) * s.graph.time();
            }),
            "");
  EXPECT_EQ(refusal([](System& s, OptimizeSettings&) { s.forces[1] = -velocities(s)[1]; }), "");
  EXPECT_EQ(refusal([](System& s, OptimizeSettings& o) { o.bounds = {{"F", inputs(s)[0], -1.0, 1.0}}; }), "");
  EXPECT_EQ(refusal([](System&, OptimizeSettings& o) {
              std::erase_if(o.final, [](const Limit& limit) { return limit.name.ends_with("'"); });
              o.rest = true;
            }),
            "");
}

TEST(IndirectFit, ProblemsOutsideOfTheMethodAreRefused) {
  const auto expect = [](const std::string& part, const auto& change) {
    const std::string message = refusal(change);
    EXPECT_NE(message.find(part), std::string::npos) << part << ": " << message;
    EXPECT_NE(message.find("use method = \"direct\""), std::string::npos) << message;
  };
  expect("formulation = \"minimal\" or [reduce]",
         [](System& s, OptimizeSettings&) { s.add_constraint("rail", positions(s)[0]); });
  expect("forces that depend on time", [](System& s, OptimizeSettings&) { s.forces[1] = -s.graph.time(); });
  expect("depend on time", [](System& s, OptimizeSettings&) { s.potential += s.graph.time() * positions(s)[0]; });
  expect("regular mass matrix, but \"load\"", [](System& s, OptimizeSettings& o) {
    s.add_coordinate("load");
    s.inputs[0].direction.push_back(0.0);
    s.potential += square(positions(s)[2]);
    o.final.push_back({"load", positions(s)[2], 0.0, 0.0});
  });
  expect("constant directions, but that of \"F\"",
         [](System& s, OptimizeSettings&) { s.inputs[0].direction[0] = cos(positions(s)[1]); });
  expect("schemes", [](System&, OptimizeSettings& o) { o.scheme = "variational"; });
  expect("use scheme = \"midpoint\"",  // a jump of the potential energy
         [](System& s, OptimizeSettings&) { s.potential += sign(positions(s)[0]); });
  expect("cost", [](System&, OptimizeSettings& o) { o.cost = Expr(1.0); });
  expect("cost", [](System& s, OptimizeSettings& o) { o.end_cost = positions(s)[0]; });
  expect("other than those of inputs, such as that on \"x\"",
         [](System& s, OptimizeSettings& o) { o.bounds = {{"x", positions(s)[0], -1.0, 1.0}}; });
  expect("horizon", [](System&, OptimizeSettings& o) { o.longest = 3.0; });
  expect("two intervals", [](System&, OptimizeSettings& o) { o.intervals = 1; });
  expect("there is none of \"x\"", [](System&, OptimizeSettings& o) { o.final.erase(o.final.begin()); });
  expect("there is none of \"phi'\"", [](System&, OptimizeSettings& o) { o.final.pop_back(); });
  expect("conditions on \"x\"", [](System&, OptimizeSettings& o) { o.final[0].lower -= 1.0; });
  expect("conditions on \"sum\"", [](System& s, OptimizeSettings& o) {
    o.final.push_back({"sum", positions(s)[0] + positions(s)[1], 0.0, 0.0});
  });
}

}  // namespace
}  // namespace invar
