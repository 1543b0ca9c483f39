// Laws of compilation in the background: the same bits at any time, no waiting, nothing left behind, and a report that
// says what happened.
#include "invar/tape/compilation.h"

#include <gtest/gtest.h>
#include <signal.h>  // NOLINT: kill is not in <csignal>
#include <sys/stat.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <thread>

#include "invar/base/private_files.h"
#include "invar/expr/lists.h"
#include "invar/tape/code_cache.h"
#include "invar/tape/compile_cost.h"
#include "invar/tape/function.h"

namespace invar {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t different = 50;  // arguments
constexpr auto patience = 60s;         // for a compiler on a machine with much to do

// A long sum, so that a few calls are worth telling.
Function long_function(int terms, const char* name = "sum") {
  const Graph g;
  const Expr x = g.parameter("x"), y = g.parameter("y");
  Expr f = x;
  for (int k = 1; k <= terms; ++k) f = f * y + x / (1.0 + 0.01 * k);
  return Function(Exprs{x, y}, Exprs{f, f * x}, name);
}

class Evaluation {
 public:
  explicit Evaluation(Function f) : f_(std::move(f)) {}
  double operator()(double x) {
    const std::array in = {x, 0.5};
    std::array<double, 2> out;
    f_(in, out, scratch_);
    return out[0] + out[1];
  }
  std::vector<double> lanes(double x, std::size_t n) {
    std::vector<double> in(2 * n, 0.5), out(2 * n);
    for (std::size_t p = 0; p < n; ++p) in[p] = x + static_cast<double>(p);
    f_.lanes(n, in, out, scratch_);
    return out;
  }
  const Function& function() const { return f_; }

 private:
  Function f_;
  Scratch scratch_;
};

// Goes on until `done` or patience ends.
bool repeat_until(const std::function<bool()>& done, const std::function<void()>& work) {
  const auto end = Clock::now() + patience;
  while (!done() && Clock::now() < end) work();
  return done();
}

void write_program(const fs::path& program, const std::string& text) {
  ASSERT_TRUE(write_file(program.string(), text));
  fs::permissions(program, fs::perms::owner_all);
}

class Background : public ::testing::Test {
 protected:
  std::string cache() const { return folder_.path() + "/cache"; }
  // Whatever takes time is compiled.
  Compiler eager(const std::string& command = "cc") const { return {.command = command, .cache = cache(), .price = 0}; }
  std::string program(const std::string& name, const std::string& text) const {
    const std::string path = folder_.path() + "/" + name;
    write_program(path, "#!/bin/sh\n" + text + "\n");
    return path;
  }
  std::size_t files() const {
    return fs::exists(cache()) ? static_cast<std::size_t>(std::distance(fs::directory_iterator(cache()), {})) : 0;
  }

  TemporaryFolder folder_{"/tmp"};
};

TEST_F(Background, TakesOverInMidRunWithTheSameBits) {
  Evaluation compiled(long_function(2000)), interpreted(long_function(2000));
  std::vector<double> expected;  // before there is a compiler
  for (std::size_t k = 0; k < different; ++k) expected.push_back(interpreted(1e-3 * static_cast<double>(k)));
  const Compilation compilation(eager());
  std::size_t calls = 0, after = 0;
  ASSERT_TRUE(repeat_until([&] { return after > 100; },
                           [&] {
                             const std::size_t k = ++calls % different;
                             after += compiled.function().is_compiled() ? 1 : 0;
                             ASSERT_EQ(compiled(1e-3 * static_cast<double>(k)), expected[k]) << calls;
                           }))
      << "needs a C compiler, as the build itself does";
  EXPECT_GT(calls, 200U) << "nobody waited for the compiler";
  const CodeReport report = compilation.report();
  EXPECT_TRUE(report.used());
  ASSERT_FALSE(report.parts.empty());
  EXPECT_EQ(report.parts[0].name, "sum");
  EXPECT_EQ(report.parts[0].instructions, compiled.function().instruction_count());
  EXPECT_EQ(report.parts[0].points, 1U);
  EXPECT_FALSE(report.parts[0].cached);
  EXPECT_GT(report.parts[0].took, 0.0);
  EXPECT_GE(report.parts[0].from, report.parts[0].took);
}

TEST_F(Background, TakesLanesToo) {
  Evaluation compiled(long_function(2000)), interpreted(long_function(2000));
  const std::vector<double> many = interpreted.lanes(3.0, 64), odd = interpreted.lanes(3.0, 37);
  const Compilation compilation(eager());
  ASSERT_TRUE(repeat_until([&] { return compiled.function().has_compiled_lanes(); },
                           [&] { ASSERT_EQ(compiled.lanes(3.0, 64), many); }));
  EXPECT_EQ(compiled.lanes(3.0, 64), many);
  EXPECT_EQ(compiled.lanes(3.0, 37), odd);
  EXPECT_FALSE(compiled.function().is_compiled()) << "of single points there were none";
  ASSERT_EQ(compilation.report().parts.size(), 1U);
  EXPECT_GT(compilation.report().parts[0].points, 1U);
}

TEST_F(Background, FindsInTheCacheWhatWasBuiltBefore) {
  {
    Evaluation first(long_function(2000));
    const Compilation compilation(eager());
    ASSERT_TRUE(repeat_until([&] { return first.function().is_compiled(); }, [&] { first(0.3); }));
  }
  Compiler dear = eager();
  dear.price = 0.05;  // loading pays at once, building much later
  Evaluation second(long_function(2000));
  const Compilation compilation(dear);
  ASSERT_TRUE(repeat_until([&] { return second.function().is_compiled(); }, [&] { second(0.3); }));
  second(0.3);
  ASSERT_EQ(compilation.report().parts.size(), 1U);
  EXPECT_TRUE(compilation.report().parts[0].cached);
}

TEST_F(Background, WithoutACompilerNothingIsCompiled) {
  Evaluation f(long_function(2000));
  const Compilation none(std::nullopt);
  for (int k = 0; k < 3000; ++k) f(0.1);
  EXPECT_FALSE(f.function().is_compiled());
  EXPECT_FALSE(none.report().used());
  EXPECT_EQ(none.report().why_not, "no compiler was given");
}

TEST_F(Background, ShortRunsAskNobody) {
  const std::string asked = folder_.path() + "/asked";
  Compiler compiler = eager(program("cc", "touch " + asked + "; exec cc \"$@\""));
  compiler.price = 1.0;
  Evaluation f(long_function(2000));
  const Compilation compilation(compiler);
  for (int k = 0; k < 3000; ++k) f(0.1);  // 12 million instructions: some ten milliseconds
  EXPECT_FALSE(fs::exists(asked));
  EXPECT_TRUE(compilation.report().parts.empty());
  EXPECT_NE(compilation.report().why_not.find("too little"), std::string::npos) << compilation.report().why_not;
}

TEST_F(Background, ACompilerThatFailsOrIsAbsentIsAskedOnce) {
  const std::string asked = folder_.path() + "/asked";
  for (const std::string& command :
       {program("failing", "echo x >> " + asked + "; exit 1"), std::string("/nonexistent")}) {
    Evaluation f(long_function(2000)), g(long_function(1500)), expected(long_function(2000));
    const Compilation compilation(eager(command));
    const auto failed = [&] {
      const CodeReport report = compilation.report();
      return !report.parts.empty() && report.parts[0].why_not.find("could not be run") != std::string::npos;
    };
    EXPECT_TRUE(repeat_until(failed, [&] { f(0.1); }));
    for (int k = 0; k < 3000; ++k) g(0.1);
    EXPECT_EQ(f(0.2), expected(0.2));
    EXPECT_FALSE(f.function().is_compiled());
    EXPECT_FALSE(compilation.report().used());
    EXPECT_NE(compilation.report().why_not.find(command), std::string::npos) << compilation.report().why_not;
    EXPECT_EQ(compilation.report().parts.size(), 1U);
  }
  EXPECT_EQ(read_file(asked), "x\n");
  EXPECT_EQ(files(), 0U);
}

bool lives(const std::string& pid) { return ::kill(std::stoi(pid), 0) == 0; }

TEST_F(Background, ACompilerThatHangsIsKilledAtTheEnd) {
  const std::string pid = folder_.path() + "/pid";
  const std::string command =
      program("hanging", "echo $$ > " + pid + ".new; mv " + pid + ".new " + pid + "; sleep 1000");
  Evaluation f(long_function(2000)), expected(long_function(2000));
  Clock::time_point begin;
  {
    const Compilation compilation(eager(command));
    ASSERT_TRUE(repeat_until([&] { return fs::exists(pid); }, [&] { f(0.1); }));
    EXPECT_EQ(f(0.2), expected(0.2));
    EXPECT_TRUE(lives(*read_file(pid)));
    ASSERT_EQ(compilation.report().parts.size(), 1U);
    EXPECT_NE(compilation.report().parts[0].why_not.find("had not finished"), std::string::npos);
    begin = Clock::now();
  }
  EXPECT_LT(Clock::now() - begin, patience / 2);
  EXPECT_FALSE(lives(*read_file(pid)));
  EXPECT_EQ(files(), 0U) << "no temporary files";
  const Compilation compilation(eager());
  EXPECT_TRUE(repeat_until([&] { return f.function().is_compiled(); }, [&] { f(0.1); }))
      << "the next run may try again";
}

TEST_F(Background, ThreadsShareWhatOneOfThemBuilds) {
  const std::string built = folder_.path() + "/built";
  const Compiler compiler = eager(program("counting", "echo x >> " + built + "; exec cc \"$@\""));
  const Function shared = long_function(2000);
  const double expected = Evaluation(long_function(2000))(0.3);
  std::array<bool, 3> right = {};
  {
    std::vector<std::jthread> threads;
    for (bool& ok : right)
      threads.emplace_back([&] {
        Evaluation own(shared);
        const Compilation compilation(compiler);
        bool same = true;
        ok = repeat_until([&] { return shared.is_compiled(); }, [&] { same = same && own(0.3) == expected; });
        ok = ok && same && own(0.3) == expected && compilation.report().used();
      });
  }
  for (const bool ok : right) EXPECT_TRUE(ok);
  // One that ends first and takes its compiler with it leaves the work to another: then it is asked again.
  EXPECT_LE(read_file(built).value_or("").size(), std::string("x\nx\nx\n").size());
}

TEST_F(Background, WhatIsLeftOfALoopDecides) {
  const std::string asked = folder_.path() + "/asked";
  Compiler compiler = eager(program("cc", "touch " + asked + "; exit 1"));
  compiler.price = 1.0;
  for (const bool long_loop : {false, true}) {
    Evaluation f(long_function(2000));
    const Compilation compilation(compiler);
    LoopProgress progress;
    for (int k = 0; k < 2000; ++k) {
      f(0.1);
      progress.reached((long_loop ? 1e-6 : 1.0 / 2000) * k);
    }
    std::this_thread::sleep_for(long_loop ? 0ms : 50ms);
    const bool was_asked =
        repeat_until([&] { return !long_loop || fs::exists(asked); }, [] { std::this_thread::sleep_for(1ms); }) &&
        fs::exists(asked);
    EXPECT_EQ(was_asked, long_loop);
  }
}

TEST(CompileCost, GrowsWithTheLengthAndIsPaidByEvaluations) {
  const CompileCost small = cost_of_point(100, 10), large = cost_of_point(10000, 10), lanes = cost_of_lanes(100, 10);
  EXPECT_LT(small.build, large.build);
  EXPECT_LT(small.load, small.build);
  EXPECT_LT(lanes.gain, small.gain) << "lanes are quick when they are interpreted, too";
  EXPECT_FALSE(small.pays(small.build, 1e6));
  EXPECT_TRUE(small.pays(small.build, 1e9));
  EXPECT_TRUE(small.pays(0.0, 1.0));
}

void make_entry(const std::string& folder, const std::string& key, std::size_t size, std::chrono::hours age) {
  const CacheEntry entry(folder, key);
  for (const std::string& path : {entry.source, entry.library, entry.sum}) {
    ASSERT_TRUE(write_file(path, std::string(size, 'x')));
    fs::last_write_time(path, fs::file_time_type::clock::now() - age);
  }
}

TEST_F(Background, CacheKeepsWhatWasUsedLast) {
  ASSERT_TRUE(make_private_folder(cache()));
  make_entry(cache(), "oldest", 100, 5h);
  make_entry(cache(), "old but used", 100, 6h);
  make_entry(cache(), "middle", 100, 4h);
  make_entry(cache(), "new", 100, 1h);
  mark_used(CacheEntry(cache(), "old but used"));
  fs::create_directory(cache() + "/invar.killed");
  fs::create_directory(cache() + "/invar.atwork");
  fs::last_write_time(cache() + "/invar.killed", fs::file_time_type::clock::now() - 30h);
  make_room(cache(), 700, "new");
  const auto has = [&](const char* key) { return fs::exists(CacheEntry(cache(), key).library); };
  EXPECT_FALSE(has("oldest"));
  EXPECT_FALSE(has("middle"));
  EXPECT_TRUE(has("old but used"));
  EXPECT_TRUE(has("new"));
  EXPECT_FALSE(fs::exists(cache() + "/invar.killed"));
  EXPECT_TRUE(fs::exists(cache() + "/invar.atwork"));
  EXPECT_EQ(files(), 7U);
  make_room(cache(), 0, "new");
  EXPECT_TRUE(has("new")) << "what was just built stays, whatever the limit";
  EXPECT_EQ(files(), 4U);
}

TEST_F(Background, CacheStaysWithinItsLimit) {
  Compiler compiler = {.command = "cc", .cache = cache(), .cache_limit = 1};
  for (const int terms : {10, 20, 30}) EXPECT_TRUE(long_function(terms).compiled(compiler).is_compiled());
  EXPECT_EQ(files(), 3U) << "source, library and digest of the last one";
}

}  // namespace
}  // namespace invar
