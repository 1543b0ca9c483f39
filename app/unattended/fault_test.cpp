// Whatever fails while results are written: the program ends in order, its status tells, and what stands in the place
// is the whole old result or the whole new one.
#include <random>

#include "app/unattended/process_test_support.h"

namespace invar::app {
namespace {

class FaultTest : public Process {
 protected:
  void SetUp() override {
    Process::SetUp();
    file("model.toml",
         "name = \"spring\"\n[system]\ncoordinates = [\"x\"]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n"
         "[initial]\nx = 1\n[simulate]\nuntil = 1\nstep = 0.01\n");
    built =
        shell("cc -shared -fPIC -O1 -o faults.so '" INVAR_EXAMPLES_DIR "/../app/unattended/faults.c' -ldl").status == 0;
  }

  // The result of a run of this kind, with what fails on the way.
  Result run(const std::string& fault, const std::string& options) const {
    return shell("export LD_PRELOAD=$PWD/faults.so FAULT='" + fault + "' FAULT_COUNTS=$PWD/counts\n" +
                 "TMPDIR=$PWD/elsewhere \"$INVAR\" simulate model.toml --no-compile --out x " + options);
  }
  std::pair<long, long> counts(const std::string& options) const {
    EXPECT_EQ(run("count 0", options).status, 0);
    std::istringstream numbers(text("counts"));
    std::pair<long, long> found;
    numbers >> found.first >> found.second;
    return found;
  }
  // Everything in the folder, file by file.
  std::string result(const std::string& name) const { return text(name + "/result.csv"); }

  void prepare() const { shell("rm -rf x* elsewhere .x*; mkdir elsewhere; cp -r earlier x"); }

  bool built = false;
};

TEST_F(FaultTest, AtEveryCallThatStoresSomething) {
  if (!built) GTEST_SKIP() << "no C compiler here";
  for (const std::string format : {"csv", "hdf5"}) {
    const std::string options = "--format " + format;
    ASSERT_EQ(shell("rm -rf earlier; $INVAR simulate model.toml --until 0.5 --quiet --out earlier").status, 0);
    prepare();
    const long calls = counts(options).first;
    ASSERT_GT(calls, 15);
    for (const std::string kind : {"full", "broken"})
      for (long at = 1; at <= calls; ++at) {
        prepare();
        const std::string fault = kind + " " + std::to_string(at);
        const Result r = run(fault, options);
        EXPECT_TRUE(r.status == 0 || r.status == 3) << fault << " " << format << ": " << r.status << "\n" << r.err;
        EXPECT_TRUE(r.status == 0 || !r.err.empty()) << fault;
        // The whole old result, or a new one, in which only pictures may be missing.
        const std::string summary = text("x/summary.json");
        EXPECT_TRUE(summary.find("\"until\": 0.5") != summary.npos || summary.find("\"until\": 1") != summary.npos)
            << fault << "\n"
            << summary;
        EXPECT_FALSE(exists("x/INCOMPLETE")) << fault;
        if (summary.find("\"until\": 0.5") != summary.npos) {
          EXPECT_TRUE(result("x") == result("earlier")) << fault;
        } else if (format == "csv") {
          EXPECT_NE(result("x").find("\n1,0.5"), std::string::npos) << fault;
        }
        if (r.status == 3 && r.err.find("the results could not be written") != r.err.npos) {
          EXPECT_NE(r.err.find("what was kept of them is in "), r.err.npos) << fault << r.err;
        }
      }
  }
}

TEST_F(FaultTest, ShortAndInterruptedCallsAreGoneOnWith) {
  if (!built) GTEST_SKIP() << "no C compiler here";
  ASSERT_EQ(shell("$INVAR simulate model.toml --quiet --out earlier").status, 0);
  for (const std::string fault : {"short 0", "again 0"}) {
    shell("rm -rf x");
    const Result r = run(fault, "--quiet");
    EXPECT_EQ(r.status, 0) << fault << ": " << r.err;
    EXPECT_EQ(result("x"), result("earlier")) << fault;
    EXPECT_EQ(shell("test \"$(ls x)\" = \"$(ls earlier)\"").status, 0);
  }
}

TEST_F(FaultTest, AnAllocationThatFailsIsTold) {
  if (!built) GTEST_SKIP() << "no C compiler here";
  ASSERT_EQ(shell("$INVAR simulate model.toml --until 0.5 --quiet --out earlier").status, 0);
  prepare();
  const long allocations = counts("").second;
  ASSERT_GT(allocations, 100);
  std::mt19937_64 random(1);
  const char* more = std::getenv("INVAR_FAULTS");  // so many, for a thorough search
  for (int k = 0, faults = more ? std::atoi(more) : 60; k < faults; ++k) {
    prepare();
    const std::string fault = "memory " + std::to_string(1 + random() % static_cast<unsigned long>(allocations));
    const Result r = run(fault, "--quiet");
    EXPECT_TRUE(r.status == 0 || r.status == 3) << fault << ": " << r.status << "\n" << r.err;
    EXPECT_FALSE(exists("x/INCOMPLETE")) << fault;
    EXPECT_EQ(shell("ls -A | grep '^\\.x'").out, "") << fault;
  }
}

}  // namespace
}  // namespace invar::app
