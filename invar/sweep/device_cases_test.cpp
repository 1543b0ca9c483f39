// Laws of cases on a device: what they give is what the processor gives, to round-off; what fails there fails with the
// same words; a sweep that was stopped goes on to the same results. The device of these tests is the processor
// (test_host_device.h).
#include "invar/sweep/device_cases.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "invar/base/error.h"
#include "invar/base/private_files.h"
#include "invar/device/test_host_device.h"
#include "invar/record/file.h"
#include "invar/record/sweep/read_sweep_table.h"
#include "invar/sweep/sweep.h"
#include "invar/sweep/sweep_summary.h"

namespace invar {
namespace {

namespace fs = std::filesystem;

// Relative to the largest number of a case. Without velocities on the constraints the last bits of positions, divided
// by the square of the step, are in the multipliers of the one as of the other (digits_test.cpp).
constexpr double same = 1e-12, same_multipliers = 1e-10;

// Some of its cases leave the formula's reach, and one cannot even begin.
const std::string roped = R"toml(
name = "swinging"
[parameters]
m = 1.0
L = 1.0
ceiling = 1.0
half = "L/2"
[system]
coordinates = ["x", "y"]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*9.81*y - 1e-3*m*sqrt(ceiling - x)"
[[system.constraint]]
name = "bar"
expr = "(x^2 + y^2 - 4*half^2)/2"
[[system.input]]
name = "F"
force = { y = "1" }
[initial]
x = "-0.6*L"
y = "-0.8*L"
[simulate]
until = 1.0
step = 0.01
every = 3
inputs = { F = "sin(t)" }
)toml";

class Host : public test::HostDevice {
 public:
  std::size_t points() const override { return 8; }  // at a time
};

class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!run_program({"cc", "--version"})) GTEST_SKIP() << "no C compiler here";
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  SweepOrder order(const std::string& device, const std::vector<std::string>& record, bool stabilise = true) const {
    SweepOrder order;
    const std::string setting = stabilise ? "stabilise = true\n" : "";
    order.model = {model::parse_document(roped + setting, "model.toml"), {}, {}, {}};
    order.name = "swinging";
    order.settings.over = {{"L", "0.5:1.5:4"}, {"initial.x", "[-0.6, -0.3]"}, {"ceiling", "[1.0, 0.35, -1.0]"}};
    order.settings.record = record;
    order.settings.device = device;
    order.results = folder / ("on-" + device);
    order.threads = 2;
    order.open_device = [] { return std::make_unique<Host>(); };
    return order;
  }
  static SweepTable results(const SweepOrder& order) {
    SweepRun sweep(order);
    sweep.run({.stop = [] { return false; }});
    sweep.write();
    return read_sweep_table(order.results.string());
  }

  fs::path folder = fs::temp_directory_path() / ("invar_device_cases_" + std::to_string(::getpid()));
};

void expect_same_results(const SweepTable& found, const SweepTable& expected, double tolerance) {
  ASSERT_EQ(found.cases(), expected.cases());
  EXPECT_EQ(found.varied, expected.varied);
  EXPECT_EQ(found.figures, expected.figures);
  EXPECT_EQ(found.reasons, expected.reasons);
  for (std::size_t k = 0; k < expected.cases(); ++k) {
    EXPECT_EQ(found.status[k], expected.status[k]) << k;
    double size = 0.0;
    for (const double x : expected.figures_of(k))
      if (std::isfinite(x)) size = std::max(size, std::abs(x));
    for (std::size_t j = 0; j < expected.figures.size(); ++j) {
      const double a = found.figures_of(k)[j], b = expected.figures_of(k)[j];
      EXPECT_EQ(std::isnan(a), std::isnan(b));
      if (!std::isnan(b)) {
        EXPECT_NEAR(a, b, tolerance * size) << expected.figures[j] << " of case " << k;
      }
    }
  }
}

const std::vector<std::string> ends_and_extremes = {"end", "x.min", "x.max", "y'.peak", "F.max", "F.min", "t.peak"};

TEST_F(OnDevice, GiveTheResultsOfTheProcessorAndItsFailures) {
  for (const bool stabilise : {true, false}) {
    const SweepTable expected = results(order("cpu", ends_and_extremes, stabilise));
    const SweepTable found = results(order("cuda", ends_and_extremes, stabilise));
    EXPECT_GT(std::ranges::count(expected.status, CaseStatus::failed), 7);
    EXPECT_GT(std::ranges::count(expected.status, CaseStatus::done), 7);
    expect_same_results(found, expected, stabilise ? same : same_multipliers);
  }
}

// The file of an interrupted sweep has whole portions; what goes on gives the bits of a sweep that nobody stopped.
TEST_F(OnDevice, GoOnWhereTheyWereStopped) {
  const std::string whole = [&] {
    results(order("cuda", {}));
    return read_text(folder / "on-cuda" / "table.csv");
  }();
  fs::remove_all(folder / "on-cuda");
  int starts = 0;
  for (bool complete = false; !complete; ++starts) {
    ASSERT_LT(starts, 40);
    SweepRun sweep(order("cuda", {}));
    const std::uint64_t before = sweep.summary().part<SweepSummary>()->done;
    int delivered = 0;
    sweep.run({.stop = [&] { return delivered > 0; }, .show = [&](double) { ++delivered; }});
    if ((complete = sweep.is_complete())) sweep.write();
    EXPECT_GE(sweep.summary().part<SweepSummary>()->done, before);
  }
  EXPECT_GT(starts, 1);
  EXPECT_EQ(read_text(folder / "on-cuda" / "table.csv"), whole);
}

TEST_F(OnDevice, AreTheProcessorsWhereThatIsChosen) {
  SweepOrder choice = order("auto", {"x.end"});
  choice.open_device = []() -> std::unique_ptr<Device> { throw InputError("so few cases do not pay"); };
  const SweepTable found = results(choice);
  EXPECT_EQ(found.figures, std::vector<std::string>{"x.end"});
}

TEST_F(OnDevice, SayWhatTheyCannotDo) {
  const auto refusal = [&](const std::function<void(SweepOrder&)>& change) -> std::string {
    SweepOrder wanted = order("cuda", {"end"});
    change(wanted);
    try {
      SweepRun(wanted).run({.stop = [] { return false; }});
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const auto expect = [&](const char* part, const std::function<void(SweepOrder&)>& change) {
    const std::string words = refusal(change);
    EXPECT_TRUE(words.starts_with("--device cuda: ")) << words;
    EXPECT_NE(words.find(part), std::string::npos) << words;
    EXPECT_FALSE(fs::exists(folder / "on-cuda.unfinished"));
  };
  expect("leave out figures", [](SweepOrder& o) { o.settings.record = {"figures"}; });
  expect("cannot record \"energy.total.max\"", [](SweepOrder& o) { o.settings.record = {"energy.total.max"}; });
  expect("cannot record \"x.rms\"", [](SweepOrder& o) { o.settings.record = {"x.rms"}; });
  expect("cannot record \"min\"", [](SweepOrder& o) { o.settings.record = {"min"}; });
  expect("leave out --limit", [](SweepOrder& o) { o.settings.limit = 1.0; });
  expect("leave out --memory", [](SweepOrder& o) { o.settings.memory = 1e9; });
  expect("optimize is not for a GPU", [](SweepOrder& o) { o.settings.task = "optimize"; });
  expect("computed from what is varied", [](SweepOrder& o) { o.settings.over = {{"simulate.until", "[1, 2]"}}; });
  expect("no driver", [](SweepOrder& o) {
    o.open_device = []() -> std::unique_ptr<Device> { throw InputError("--device cuda: no driver"); };
  });
}

}  // namespace
}  // namespace invar
