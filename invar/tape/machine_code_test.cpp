// Laws of generated C and machine code: clean C99, the same bits as the interpreter, and a cache that cannot mislead.
#include "invar/tape/machine_code.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>

#include "invar/base/error.h"
#include "invar/base/private_files.h"
#include "invar/expr/lists.h"
#include "invar/expr/random_expr.h"
#include "invar/tape/function.h"

namespace invar {
namespace {

namespace fs = std::filesystem;
using test::Domain;

bool same_bits(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

bool has_compiler() { return run_program({"cc", "--version"}); }

std::vector<double> values_of(const Function& f, std::span<const double> in) {
  Scratch scratch;
  std::vector<double> out(f.output_count());
  f(in, out, scratch);
  return out;
}

Function random_function(std::uint64_t seed, int outputs, int operations, Domain domain) {
  std::mt19937_64 random(seed);
  const Graph g;
  const Exprs x = {g.parameter("x"), g.parameter("y"), g.parameter("z")};
  Exprs f;
  for (int i = 0; i < outputs; ++i) f.push_back(test::random_expr(random, x, operations, domain));
  return Function(x, f);
}

Function multiple(double factor) {
  const Graph g;
  const Expr x = g.parameter("x");
  return Function(Exprs{x}, Exprs{factor * sin(x)});
}

void expect_multiple(const Function& f, double factor) {
  const double x = 0.7;
  EXPECT_EQ(values_of(f, std::vector{x})[0], factor * std::sin(x));
}

class MachineCode : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_compiler()) GTEST_SKIP() << "no C compiler here";
  }

  fs::path cached(const char* extension) const {
    for (const auto& file : fs::directory_iterator(cache()))
      if (file.path().extension() == extension) return file.path();
    return {};
  }
  std::string cache() const { return folder_.path() + "/cache"; }
  Compiler compiler() const { return {.command = "cc", .cache = cache()}; }

  TemporaryFolder folder_{"/tmp"};
};

TEST_F(MachineCode, GivesTheSameBitsAsTheInterpreter) {
  for (const Domain domain : {Domain::smooth, Domain::any}) {
    const Function f = random_function(21, 100, 20, domain);
    const Function compiled = f.compiled(compiler());
    ASSERT_TRUE(compiled.is_compiled());
    std::mt19937_64 random(8);
    std::uniform_real_distribution<double> uniform(-2, 2);
    for (int repeat = 0; repeat < 50; ++repeat) {
      const std::vector<double> x = {uniform(random), uniform(random), uniform(random)};
      const std::vector<double> expected = values_of(f, x), actual = values_of(compiled, x);
      for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(same_bits(actual[i], expected[i])) << i;
    }
  }
}

TEST_F(MachineCode, HasTheSameSpecialFunctions) {
  const Graph g;
  const Expr x = g.parameter("x");
  Exprs f = {sign(x), abs(x)};
  for (int k = 0; k <= 8; ++k) f.push_back(stumpff(k, x));
  for (int k = 1; k <= 8; ++k) f.push_back(lerch(k, x));
  const Function function(Exprs{x}, f), compiled = function.compiled(compiler());
  ASSERT_TRUE(compiled.is_compiled());
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> points = {0.0, -0.0, 1.0, 1e-300, -1e5, 1e5, -1e9, infinity, -infinity, std::nan("")};
  for (double s = -200; s < 120; s += 0.37) points.push_back(s);
  for (double s = -1.2; s < 1.2; s += 0.013) points.push_back(s);
  for (const double s : points) {
    const std::vector<double> expected = values_of(function, std::vector{s}),
                              actual = values_of(compiled, std::vector{s});
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(same_bits(actual[i], expected[i])) << i << " at " << s;
  }
}

// n points, quantity by quantity.
std::vector<double> in_lanes(const Function& f, std::size_t n, const std::vector<double>& in) {
  Scratch scratch;
  std::vector<double> out(n * f.output_count());
  f.lanes(n, in, out, scratch);
  return out;
}

// So many that code is in several parts, with inputs, numbers and values of other parts among them.
Exprs many_outputs(const Expr& x, const Expr& y) {
  Exprs outputs;
  Expr z = x;
  for (int k = 0; k < 1200; ++k) {
    z = 0.5 * z + abs(y) * (0.001 * k) - x;
    append(outputs, {z, k % 3 == 0 ? outputs.size() > 100 ? outputs[outputs.size() - 100] : x : Expr(k)});
  }
  return outputs;
}

TEST_F(MachineCode, OfLanesGivesTheSameBits) {
  const Graph g;
  const Expr x = g.parameter("x"), y = g.parameter("y");
  Exprs special = {sign(x), abs(y), pow(x, y), pow(abs(x), 0.3), atan2(x, 2.0), atan2(2.0, y), x, 3.0, tanh(x) / y};
  for (int k = 0; k <= 4; ++k) append(special, {stumpff(k, x), lerch(k + 1, y)});
  const std::vector<Function> functions = {
      random_function(21, 100, 20, Domain::smooth),  random_function(22, 100, 20, Domain::any),
      random_function(23, 1500, 20, Domain::smooth), Function(Exprs{x, y}, special),
      Function(Exprs{x, y}, Exprs{y, 2.0, x}),       Function(Exprs{x, y}, many_outputs(x, y))};
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (const Function& f : functions) {
    for (const std::size_t widest : {2, 4, 64}) {
      const Function compiled = f.compiled_lanes(compiler(), widest);
      ASSERT_TRUE(compiled.has_compiled_lanes());
      for (const std::size_t n : {1, 3, 7, 8, 64, 101, 128}) {
        std::vector<double> in(n * f.input_count());
        for (double& value : in) value = uniform(random);
        const std::vector<double> expected = in_lanes(f, n, in), actual = in_lanes(compiled, n, in);
        for (std::size_t i = 0; i < expected.size(); ++i)
          ASSERT_TRUE(same_bits(actual[i], expected[i])) << "output " << i / n << " of point " << i % n;
      }
    }
  }
}

TEST_F(MachineCode, SourceCompilesWithoutWarnings) {
  const Graph g;
  const Expr x = g.parameter("x"), unused = g.parameter("unused");
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Exprs> cases = {{},
                                    {1.0},
                                    {x},
                                    {-infinity, infinity, std::nan(""), 5e-324, -0.1, 1e300, 3.0},
                                    {x - 1e22, -x, x / -3.0, x + -0.5},
                                    {sign(x), stumpff(3, x), lerch(2, x), pow(x, x), atan2(x, 2.0), pow(x, 0.3)}};
  for (const Exprs& outputs : cases) {
    const std::string path = folder_.path() + "/source.c";
    ASSERT_TRUE(write_file(path, Function(Exprs{x, unused}, outputs).c_source("robot_arm")));
    EXPECT_TRUE(run_program({"cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wmissing-prototypes",
                             "-Werror", "-O2", "-c", path, "-o", path + ".o"}));
  }
}

TEST(CSource, TakesOnlyIdentifiersAsNames) {
  for (const char* name : {"", "2x", "a b", "a-b", "double", "f();", "ä"})
    EXPECT_THROW(multiple(2).c_source(name), InputError) << name;
  for (const char* name : {"f", "_f2", "Residual"})
    EXPECT_NE(multiple(2).c_source(name).find(std::string("void ") + name + "(const double"), std::string::npos);
}

TEST(CSource, HoldsNoNameOfTheModel) {
  const Graph g;
  const Expr x = g.parameter("secret*/system");
  EXPECT_EQ(Function(Exprs{x}, Exprs{sin(x)}).c_source("f").find("secret"), std::string::npos);
}

// Values pass between the parts of a long function.
TEST_F(MachineCode, TakesLongTapes) {
  std::mt19937_64 random(5);
  const Graph g;
  const Exprs x = {g.parameter("x"), g.parameter("y")};
  Exprs pool = x;
  while (pool.size() < 2500) {
    const Expr a = pool[test::pick(random, pool.size())], b = pool[pool.size() - 1 - test::pick(random, 2)];
    const double shift = 1e-3 * static_cast<double>(pool.size() % 7);
    pool.push_back(pool.size() % 3 == 0 ? 0.5 * (a - b) : 0.5 * (a + b * 0.9) + shift);
  }
  const Function f(x, std::span(pool).last(200));
  ASSERT_GT(f.instruction_count(), 3000);
  EXPECT_NE(f.c_source("f").find("f_part2"), std::string::npos);
  const Function compiled = f.compiled(compiler());
  ASSERT_TRUE(compiled.is_compiled());
  EXPECT_EQ(values_of(compiled, std::vector{0.3, 0.4}), values_of(f, std::vector{0.3, 0.4}));
}

TEST_F(MachineCode, ComesFromTheCacheTheSecondTime) {
  expect_multiple(multiple(2).compiled(compiler()), 2);
  const auto written = fs::last_write_time(cached(".so"));
  struct stat before = {}, after = {};
  ASSERT_EQ(::stat(cached(".so").c_str(), &before), 0);
  const Function again = multiple(2).compiled(compiler());
  EXPECT_TRUE(again.is_compiled());
  expect_multiple(again, 2);
  ASSERT_EQ(::stat(cached(".so").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
  EXPECT_EQ(written, fs::last_write_time(cached(".so")));
  EXPECT_EQ(std::distance(fs::directory_iterator(cache()), {}), 3);  // source, library, digest; nothing left behind
}

TEST_F(MachineCode, SurvivesADamagedCache) {
  const Compiler here = compiler();
  const Function alive = multiple(2).compiled(here);  // loaded while its file is written over
  const fs::path library = cached(".so"), source = cached(".c"), sum = cached(".sum");
  const Compiler elsewhere = {.command = "cc", .cache = folder_.path() + "/elsewhere"};
  const Function other = multiple(3).compiled(elsewhere);
  fs::path other_library, other_sum;
  for (const auto& file : fs::directory_iterator(elsewhere.cache)) {
    if (file.path().extension() == ".so") other_library = file.path();
    if (file.path().extension() == ".sum") other_sum = file.path();
  }
  const std::vector<std::function<void()>> damages = {
      [&] { fs::copy_file(other_library, library, fs::copy_options::overwrite_existing); },
      [&] {
        fs::copy_file(other_library, library, fs::copy_options::overwrite_existing);
        fs::copy_file(other_sum, sum, fs::copy_options::overwrite_existing);
      },
      [&] { fs::resize_file(library, fs::file_size(library) / 2); },
      [&] { fs::resize_file(library, 0); },
      [&] { std::ofstream(source, std::ios::app) << "x"; },
      [&] { std::ofstream(sum) << "?"; },
      [&] { fs::remove(source); },
      [&] { fs::remove(library); },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    damages[i]();
    const Function f = multiple(2).compiled(here);
    EXPECT_TRUE(f.is_compiled()) << i;
    expect_multiple(f, 2);
    expect_multiple(alive, 2);
    expect_multiple(other, 3);
  }
}

TEST_F(MachineCode, NeedsNoCacheFolder) {
  const Function f = multiple(5).compiled({.command = "cc", .cache = ""});
  EXPECT_TRUE(f.is_compiled());
  expect_multiple(f, 5);
}

TEST_F(MachineCode, UsesNoFolderThatOthersCanWrite) {
  fs::create_directory(cache());
  fs::permissions(cache(), fs::perms::all);
  const Function f = multiple(2).compiled(compiler());
  EXPECT_FALSE(f.is_compiled());
  expect_multiple(f, 2);
  EXPECT_TRUE(fs::is_empty(cache()));
}

TEST_F(MachineCode, MakesAFolderThatIsPrivate) {
  const std::string deep = cache() + "/a/b";
  EXPECT_TRUE(multiple(2).compiled({.command = "cc", .cache = deep}).is_compiled());
  EXPECT_EQ(fs::status(deep).permissions(), fs::perms::owner_all);
}

TEST_F(MachineCode, CanBeBuiltByManyAtOnce) {
  std::array<bool, 4> right = {};
  {
    std::vector<std::jthread> threads;
    for (bool& ok : right)
      threads.emplace_back([&ok, this] {
        const Function f = multiple(7).compiled(compiler());
        ok = f.is_compiled() && values_of(f, std::vector{0.7})[0] == 7 * std::sin(0.7);
      });
  }
  for (const bool ok : right) EXPECT_TRUE(ok);
}

TEST(MachineCodeWithoutCompiler, LeavesTheFunctionInterpreted) {
  const TemporaryFolder folder("/tmp");
  for (const char* command : {"/nonexistent", "false", ""}) {
    const Function f = multiple(2).compiled({.command = command, .cache = folder.path() + "/cache"});
    EXPECT_FALSE(f.is_compiled());
    expect_multiple(f, 2);
  }
  const Function f = multiple(2).compiled({.command = "cc", .cache = "/dev/null/cache"});
  EXPECT_FALSE(f.is_compiled());
  expect_multiple(f, 2);
}

}  // namespace
}  // namespace invar
