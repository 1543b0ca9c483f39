// Laws of the task: balances close, equivalent problems give the same motion, failure and interruption are told.
#include "invar/task/simulate/simulate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "invar/base/error.h"
#include "invar/base/private_files.h"
#include "invar/scheme/choose.h"
#include "invar/scheme/test_systems.h"
#include "invar/task/check/verdict.h"
#include "invar/task/simulate/simulation_summary.h"

namespace invar {
namespace {

Problem problem(const test::TestSystem& t, const std::string& method = "auto") {
  Problem p;
  p.name = t.name;
  p.system = t.system;
  p.q0 = t.q0;
  p.v0 = t.v0;
  p.settings.of<SimulateSettings>().until = t.duration;
  p.settings.of<SimulateSettings>().step = t.step;
  p.settings.of<SimulateSettings>().method = method;
  return p;
}

InputSignal formula(const std::string& input, const Expr& f) { return {input, f, {}, {}}; }

// A pendulum on a cart that is pulled by a force F.
Problem pulled_cart() {
  System s;
  for (const char* name : {"s", "x", "y"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  s.kinetic = 0.5 * (3.0 * test::squared(v[0]) + test::squared(v[1]) + test::squared(v[2]));
  s.potential = 9.81 * q[2];
  s.add_constraint("rod", 0.5 * (test::squared(q[1] - q[0]) + test::squared(q[2]) - 1.0));
  s.add_input("F", {1.0, 0.0, 0.0});
  s.outputs = {{"load", q[1]}};
  return problem({"cart", s, {0.0, 0.6, -0.8}, {0.0, 0.0, 0.0}, 2.0, 0.02});
}

TEST(Simulate, EnergyChangesByTheWorkOfTheInput) {
  // Energy-momentum scheme, constant force: E - E0 = F (s - s0) at every node, for any step.
  Problem p = pulled_cart();
  p.settings.of<SimulateSettings>().inputs = {formula("F", 5.0)};
  const Simulation run = simulate(p);
  ASSERT_EQ(run.summary.status, RunStatus::done);
  for (std::size_t k = 0; k < run.trajectory.rows(); ++k) {
    const double gained = run.trajectory.value(k, "energy.total") - run.trajectory.value(0, "energy.total");
    EXPECT_NEAR(gained, 5.0 * run.trajectory.value(k, "s"), 1e-11);
  }
}

// Rows are computed many at a time: a run that ends at a row without a number is still the one that was to end there.
TEST(Simulate, ARunEndsWhereAFormulaLosesItsValue) {
  for (const double adaptive : {0.0, 1e-6}) {
    Problem p = pulled_cart();
    SimulateSettings& settings = p.settings.of<SimulateSettings>();
    settings.inputs = {formula("F", 5.0)};
    settings.adaptive = adaptive;
    settings.until = 1.0;
    RunOptions options;
    options.clean_after = 7;  // steps are made once more from places behind the start
    const Simulation whole = simulate(p, options);
    ASSERT_EQ(whole.summary.status, RunStatus::done);
    constexpr std::size_t last = 29;
    p.system.outputs.push_back({"root", sqrt(0.59 - p.system.graph.time())});
    const Simulation cut = simulate(p, options);
    EXPECT_EQ(cut.summary.status, RunStatus::failed);
    EXPECT_NE(cut.summary.message.find("root is not finite at t = 0.6"), std::string::npos) << cut.summary.message;
    ASSERT_EQ(cut.trajectory.rows(), last + 1);
    for (const char* column : {"t", "s", "x", "y'", "lambda.rod", "energy.total"})
      EXPECT_EQ(cut.trajectory.value(last, column), whole.trajectory.value(last, column)) << column;
    settings.until = 0.6;
    p.system.outputs.pop_back();
    const Simulation shorter = simulate(p, options);
    if (adaptive == 0.0) {  // otherwise steps depend on where the run is to end
      EXPECT_EQ(cut.summary.newton_iterations.total, shorter.summary.newton_iterations.total);
      EXPECT_EQ(cut.summary.steps, shorter.summary.steps);
    }
    EXPECT_EQ(cut.summary.rows, last + 1);
  }
}

TEST(Simulate, AFunctionOfAProgramIsTheFormulaThatItComputes) {
  Problem by_formula = pulled_cart(), by_function = pulled_cart();
  by_formula.settings.of<SimulateSettings>().inputs = {formula("F", 5.0 * sin(by_formula.system.graph.time()))};
  by_function.settings.of<SimulateSettings>().inputs = {
      {.input = "F", .formula = {}, .time = {}, .value = {}, .function = [](double t) { return 5.0 * std::sin(t); }}};
  const Simulation a = simulate(by_formula), b = simulate(by_function);
  ASSERT_EQ(a.trajectory.columns, b.trajectory.columns);
  EXPECT_EQ(a.trajectory.values, b.trajectory.values);
}

TEST(Simulate, AFunctionOfAProgramMustGiveNumbers) {
  Problem p = pulled_cart();
  p.settings.of<SimulateSettings>().inputs = {
      {.input = "F", .formula = {}, .time = {}, .value = {}, .function = [](double t) { return 1.0 / (t - t); }}};
  try {
    simulate(p);
    FAIL() << "must be refused";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("input \"F\": its function gives"), std::string::npos) << e.what();
  }
}

TEST(Simulate, SamplesAndFormulaOfTheSameSignalAgree) {
  Problem with_formula = pulled_cart();
  with_formula.settings.of<SimulateSettings>().inputs = {formula("F", 2.0 * with_formula.system.graph.time() - 1.0)};
  Problem with_samples = pulled_cart();
  with_samples.settings.of<SimulateSettings>().inputs = {{"F", std::nullopt, {0.0, 0.7, 3.0}, {-1.0, 0.4, 5.0}}};
  const Simulation a = simulate(with_formula), b = simulate(with_samples);
  const std::size_t last = a.trajectory.rows() - 1;
  for (const char* column : {"s", "x", "s'", "lambda.rod", "F", "load"})
    EXPECT_NEAR(a.trajectory.value(last, column), b.trajectory.value(last, column), 1e-10) << column;
}

TEST(Simulate, ARedundantConstraintChangesNothingButAWarning) {
  Problem plain = pulled_cart(), redundant = pulled_cart();
  const Exprs q = positions(redundant.system);
  redundant.system.add_constraint("again", test::squared(q[1] - q[0]) + test::squared(q[2]) - 1.0);
  const Simulation a = simulate(plain), b = simulate(redundant);
  ASSERT_EQ(b.summary.status, RunStatus::done);
  ASSERT_EQ(b.summary.warnings.size(), 1U);
  EXPECT_NE(b.summary.warnings[0].find("\"again\" follows from \"rod\""), std::string::npos) << b.summary.warnings[0];
  const std::size_t last = a.trajectory.rows() - 1;
  for (const char* column : {"s", "x", "y'", "lambda.rod"})
    EXPECT_EQ(a.trajectory.value(last, column), b.trajectory.value(last, column)) << column;
  EXPECT_EQ(b.trajectory.value(last, "lambda.again"), 0.0);
  EXPECT_LT(b.summary.accuracy.drift_position, 1e-13) << "the constraint that was left out holds all the same";
}

TEST(Simulate, EndsExactlyAtTheEnd) {
  Problem p = problem(test::pendulum());
  p.settings.of<SimulateSettings>().until = 0.105;
  p.settings.of<SimulateSettings>().step = 0.02;
  const Simulation run = simulate(p);
  EXPECT_EQ(run.trajectory.rows(), 7U);
  EXPECT_EQ(run.trajectory.value(3, "t"), 0.06);
  EXPECT_EQ(run.trajectory.value(6, "t"), 0.105);
}

TEST(Simulate, RecordsEverySoManySteps) {
  Problem p = problem(test::pendulum());
  p.settings.of<SimulateSettings>().until = 0.2;
  p.settings.of<SimulateSettings>().every = 4;
  const Simulation all = simulate(problem(test::pendulum())), some = simulate(p);
  EXPECT_EQ(some.trajectory.rows(), 4U) << "start, steps 4 and 8, the end";
  EXPECT_EQ(some.trajectory.value(1, "x"), all.trajectory.value(4, "x"));
}

TEST(Simulate, TellsWhereItFailed) {
  // The particle falls onto a wall that the potential cannot pass: √x has no value beyond.
  System s;
  s.add_coordinate("x");
  s.kinetic = 0.5 * pow(velocities(s)[0], 2.0);
  s.potential = 4.0 * pow(positions(s)[0], 1.5);
  Problem p = problem({"wall", s, {1.0}, {-1.0}, 5.0, 0.01});
  const Simulation run = simulate(p);
  EXPECT_EQ(run.summary.status, RunStatus::failed);
  EXPECT_NE(run.summary.message.find("dynamics of \"x\""), std::string::npos) << run.summary.message;
  EXPECT_NE(run.summary.message.find("step from t = 0."), std::string::npos) << run.summary.message;
  EXPECT_NE(run.summary.message.find("0.01, 0.005"), std::string::npos) << run.summary.message;
  EXPECT_GT(run.trajectory.rows(), 10U) << "what was computed is kept";
}

TEST(Simulate, CanBeInterrupted) {
  RunOptions options;
  options.keep_going = [](double t) { return t < 0.1; };
  const Simulation run = simulate(problem(test::pendulum()), options);
  EXPECT_EQ(run.summary.status, RunStatus::interrupted);
  EXPECT_NEAR(run.trajectory.value(run.trajectory.rows() - 1, "t"), 0.1, 1e-12);
}

TEST(Simulate, CompiledTapesGiveTheSameMotion) {
  Problem p = problem(test::double_pendulum(), "radau5");
  p.settings.of<SimulateSettings>().step = 1e-4;
  p.settings.of<SimulateSettings>().until = 600.0;  // long enough that calling a compiler pays
  p.settings.of<SimulateSettings>().every = 1000;
  const TemporaryFolder folder("/tmp");
  const auto built = [cache = folder.path() + "/cache"] {
    if (!std::filesystem::exists(cache)) return false;
    const auto files = std::filesystem::directory_iterator(cache);
    return std::any_of(begin(files), end(files), [](const auto& file) { return file.path().extension() == ".sum"; });
  };
  RunOptions options;
  options.compiler = Compiler{.command = "cc", .cache = folder.path() + "/cache"};
  int waits = 6000;  // of ten milliseconds: for a compiler on a machine with much to do
  options.keep_going = [&](double t) {
    while (t > 1.0 && !built() && waits-- > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return t < 1.5;
  };
  const Simulation compiled = simulate(p, options);
  options.compiler.reset();
  waits = 0;
  const Simulation interpreted = simulate(p, options);
  EXPECT_TRUE(compiled.summary.machine_code.used()) << "needs a C compiler, as the build itself does";
  EXPECT_FALSE(interpreted.summary.machine_code.used());
  EXPECT_EQ(compiled.trajectory.values, interpreted.trajectory.values);
}

TEST(Simulate, MethodsAreNamed) {
  EXPECT_EQ(choose_scheme(test::pendulum().system, "auto").info.name, "energy-momentum");
  System moving = test::pendulum().system;
  moving.kinetic += at(moving.coordinates[0], 1);  // linear in the velocity
  EXPECT_EQ(choose_scheme(moving, "auto").info.name, "midpoint");
  EXPECT_THROW(choose_scheme(moving, "radau"), InputError);
}

// A constraint is extended at the levels above its own.
TEST(Simulate, TellsWhatMinimalExtensionKeeps) {
  Problem p = pulled_cart();
  p.system.add_constraint("slow", velocities(p.system)[0], Level::velocity);
  SimulateSettings& settings = p.settings.of<SimulateSettings>();
  settings.method = "radau5";
  settings.until = 0.1;
  const auto told = [&] {
    const Simulation run = simulate(p);
    EXPECT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    std::string words = to_json(run.summary);
    std::erase_if(words, [](char c) { return c == ' ' || c == '\n'; });
    for (const std::string& sentence : run.summary.part<SimulationSummary>()->sentences(run.summary))
      words += sentence + "\n";
    return words;
  };
  EXPECT_EQ(told().find("extension"), std::string::npos);
  settings.minimal_extension = true;
  const std::string words = told();
  EXPECT_NE(words.find(R"("minimal_extension":{"velocity_level":["rod"],"acceleration_level":["rod","slow"]})"),
            std::string::npos)
      << words;
  EXPECT_NE(words.find("minimal extension: index 1, 1 constraint at velocity level too, 2 at acceleration level\n"),
            std::string::npos)
      << words;
}

TEST(Check, SaysWhatTheProblemIs) {
  const Problem p = pulled_cart();
  const Verdict v = check(p);
  EXPECT_EQ(v.summary.counts.degrees_of_freedom, 2U);
  const std::string words = in_words(p, v);
  EXPECT_NE(words.find("2 degrees of freedom; mass matrix constant"), std::string::npos) << words;
  EXPECT_NE(words.find("input \"F\" can do work"), std::string::npos) << words;
}

}  // namespace
}  // namespace invar
