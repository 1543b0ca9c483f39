// The page of a sweep as a shell gets it: made with the results, made again, and with reports of single cases.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/shell_test_support.h"

namespace invar::app {
namespace {

class SweepReport : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    file("p.toml", R"toml(name = "weight"
[parameters]
m = 1.0
k = 5.0
[system]
coordinates = ["x"]
kinetic = "m/2*x'^2"
potential = "k/2*x^2"
[initial]
x = 1.0
[simulate]
until = 0.5
step = 0.01
[sweep]
over = { m = "uniform(1, 2)", "initial.x" = "uniform(0, 1)" }
samples = 8
sampling = "saltelli"
record = ["x.max", "x.series"]
)toml");
  }

  nlohmann::json data(const std::string& result) const { return nlohmann::json::parse(page(result)); }
};

TEST_F(SweepReport, ComesWithTheResults) {
  const Result run = shell("\"$INVAR\" sweep p.toml --set k=7 --step 0.005 --out a");
  ASSERT_EQ(run.status, 0) << run.err;
  const nlohmann::json report = data("a"), sweep = report["sweep"];
  EXPECT_EQ(report["verdict"], "32 runs of simulate: 32 done");
  EXPECT_EQ(sweep["command"], "invar simulate p.toml --set k=7 --step 0.005");
  EXPECT_EQ(sweep["folder"], "a");
  EXPECT_EQ(sweep["sensitivity"]["drawn"].dump(), R"(["m","initial.x"])");
  if (sweep.contains("bands")) {  // needs HDF5
    EXPECT_EQ(sweep["bands"][0]["name"], "x");
  }
  EXPECT_EQ(shell("\"$INVAR\" sweep p.toml --no-report --quiet --out b && test ! -e b/report.html").status, 0);
}

TEST_F(SweepReport, ACaseHasAReportOfItsOwn) {
  ASSERT_EQ(shell("\"$INVAR\" sweep p.toml --set k=7 --quiet --out a").status, 0);
  const Result again = shell("\"$INVAR\" report a --case 3 --case 30");
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_NE(again.out.find("case 30 in a/case-30"), std::string::npos) << again.out;
  const nlohmann::json sweep = data("a")["sweep"];
  EXPECT_EQ(sweep["reports"]["3"], "case-3/report.html");
  EXPECT_EQ(sweep["reports"]["30"], "case-30/report.html");
  // The largest of the table is the largest of the run by itself.
  EXPECT_EQ(shell("tail -n +2 a/case-30/result.csv | cut -d, -f2 | sort -g | tail -1 > alone;"
                  "grep ^30, a/table.csv | cut -d, -f5 > there; cmp alone there")
                .status,
            0);
  const Result replaced = shell("\"$INVAR\" sweep p.toml --set k=7 --quiet --out a");
  EXPECT_EQ(replaced.status, 0) << replaced.err;
  EXPECT_EQ(shell("test ! -e a/case-3").status, 0);
}

TEST_F(SweepReport, LinksTheWorstCasesAndTheFirstFailures) {
  const std::string over =
      " sweep p.toml --over m=1 --over initial.x=1,3,2,5,4 --over simulate.step=0.01,-1 --samples 1"
      " --sampling random";
  const Result run = shell("\"$INVAR\"" + over + " --reports 2 --record x.max --out a");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.err, "") << "failures stand in the table";
  const nlohmann::json reports = data("a")["sweep"]["reports"];
  // Cases 0, 2, 4 … have a step; of initial.x the largest are the fourth and the fifth. Without a step nothing is run.
  EXPECT_EQ(reports["6"], "case-6/report.html");
  EXPECT_EQ(reports["8"], "case-8/report.html");
  EXPECT_EQ(reports.size(), 2u) << reports;
  EXPECT_EQ(shell("test -s a/case-6/report.html -a -s a/case-8/report.html").status, 0);
  EXPECT_EQ(shell("\"$INVAR\"" + over + " --reports 0 --quiet --out b; ls b | grep case-").status, 1);
  EXPECT_EQ(shell("\"$INVAR\"" + over + " --no-report --quiet --out c; ls c | grep case-").status, 1);
}

TEST_F(SweepReport, RefusesInOneLine) {
  ASSERT_EQ(shell("\"$INVAR\" sweep p.toml --quiet --out a; \"$INVAR\" simulate p.toml --quiet --out b").status, 0);
  const auto refused = [&](const std::string& words) {
    const Result run = shell("\"$INVAR\" report " + words);
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1);
    return run.err;
  };
  EXPECT_EQ(refused("a --case 32"), "--case 32: a has the cases 0 to 31\n");
  EXPECT_EQ(refused("b --case 1"), "--case: b is no folder of a sweep\n");
  EXPECT_EQ(refused("a b"), "a: is a sweep, which cannot be compared\n");
}

}  // namespace
}  // namespace invar::app
