// A run that was interrupted and gone on with is the run that was not, to the last bit: with every scheme, in every
// formulation, wherever it was interrupted and however often.
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <random>
#include <set>

#include "invar/base/error.h"
#include "invar/base/state_bytes.h"
#include "invar/read/read_problem.h"
#include "invar/read/test_models.h"
#include "invar/scheme/scheme.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

class AllRows : public RowSink {
 public:
  void begin(const std::vector<std::string>& columns, std::size_t) override { width_ = columns.size(); }
  void append(std::span<const double> row) override { values.insert(values.end(), row.begin(), row.end()); }
  void finish() override {}
  std::size_t width() const { return width_; }

  std::vector<double> values;

 private:
  std::size_t width_ = 1;
};

struct Whole {
  std::vector<double> rows;
  Simulation run;
};

constexpr std::size_t few_numbers = 3000;  // numbers: less than there are, so that rows are chosen

Whole at_one_go(const Prepared& prepared, std::uint64_t clean_after) {
  AllRows rows;
  RunOptions options;
  options.rows = &rows;
  options.kept_numbers = few_numbers;
  options.clean_after = clean_after;
  Simulation run = simulate(prepared, {}, options);
  return {rows.values, std::move(run)};
}

// Interrupted after these steps, each time in another process as it were; or killed, some time after a state was kept.
Whole in_pieces(const Prepared& prepared, std::uint64_t clean_after, const std::vector<int>& stops,
                std::mt19937& random) {
  Whole whole;
  std::string state;
  for (std::size_t k = 0; k <= stops.size(); ++k) {
    AllRows rows;
    rows.values = whole.rows;
    RunOptions options;
    options.rows = &rows;
    options.kept_numbers = few_numbers;
    options.clean_after = clean_after;
    int steps = 0;
    if (k < stops.size()) options.keep_going = [&](double) { return ++steps < stops[k]; };
    const auto keep = [&](const std::string& now) {
      if (random() % 3 == 0) return;
      state = now;
      whole.rows = rows.values;
    };
    options.checkpoints = Checkpoints{.every = 0.0, .keep = keep, .from = state};
    whole.run = simulate(prepared, {}, options);
    if (whole.run.summary.status != RunStatus::interrupted) {
      whole.rows = rows.values;
      break;
    }
  }
  return whole;
}

std::string figures(Summary summary) {
  summary.wall_seconds = 0.0;
  return to_json(summary);
}

bool are_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(
      a, b, {}, [](double x) { return std::bit_cast<std::uint64_t>(x); },
      [](double x) { return std::bit_cast<std::uint64_t>(x); });
}

const std::string driven_crane = test::overhead_crane() + R"toml([initial]
s = 0.0
l = 4.0
x = 0.0
z = -4.0
"s'" = 0.5
[simulate]
until = 1.5
step = 0.01
inputs = { F = "100*sin(pi*t)", M = { times = [0, 0.31, 1], values = [98, 120, 98] } }
)toml";

const std::string swinging_links = test::two_links + "[simulate]\nuntil = 1.5\nstep = 0.01\n";

const std::string spinning_top = R"toml(name = "top"
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "top"
mass = 15.0
inertia = [0.234375, 0.46875, 0.234375]
position = [0, 1, 0]
angular_velocity = [0, 150, -4.61538]
velocity = [4.61538, 0, 0]
[[joint]]
name = "tip"
type = "spherical"
between = ["ground", "top"]
at = [0, 0, 0]
[simulate]
until = 0.15
step = 0.001
)toml";

struct Case {
  std::string name, settings;
};

TEST(Resume, IsTheSameToTheLastBitWithEveryScheme) {
  const std::vector<Case> ways = {{"equal steps", ""},
                                  {"adaptive", "adaptive = 1e-7\n"},
                                  {"stabilised", "stabilise = true\n"},
                                  {"Baumgarte", "baumgarte = true\n"},
                                  {"adaptive, Baumgarte", "adaptive = 1e-7\nbaumgarte = true\n"},
                                  {"index 1", "minimal_extension = true\n"}};
  std::mt19937 random(1);
  const bool all = std::getenv("INVAR_ALL_WAYS") != nullptr;  // takes minutes; otherwise some of each
  std::size_t place = 0;
  int runs = 0;
  std::set<std::string> schemes_seen;
  const std::vector<std::pair<const std::string*, std::string>> models = {
      {&driven_crane, ""},        {&swinging_links, "director"}, {&swinging_links, "minimal"}, {&swinging_links, "lie"},
      {&spinning_top, "minimal"}, {&spinning_top, "lie"},        {&spinning_top, "director"}};
  for (const Scheme& scheme : schemes())
    for (const auto& [model, formulation] : models)
      for (const Case& way : ways) {
        if (place++ % 11 != 0 && !all) continue;
        const std::string settings = "method = \"" + std::string(scheme.info.name) + "\"\n" + way.settings;
        std::string text = *model;
        text.insert(text.find("step = 0.0"), settings);
        std::optional<Prepared> prepared;
        std::optional<Whole> whole;
        const std::uint64_t clean_after = std::array{1, 13, 64}[random() % 3];
        try {
          prepared.emplace(read_problem_text(text, "model.toml", {},
                                             formulation.empty() ? std::nullopt : std::optional(formulation)));
          whole = at_one_go(*prepared, clean_after);
        } catch (const InputError&) {
          continue;  // this scheme does not do that
        }
        const std::vector<int> stops = {1 + static_cast<int>(random() % 70), 1 + static_cast<int>(random() % 70)};
        const Whole pieces = in_pieces(*prepared, clean_after, stops, random);
        const std::string what = std::string(scheme.info.name) + ", " + formulation + ", " + way.name;
        EXPECT_TRUE(are_same_bits(pieces.rows, whole->rows)) << what;
        EXPECT_TRUE(are_same_bits(pieces.run.trajectory.values, whole->run.trajectory.values)) << what;
        EXPECT_EQ(figures(pieces.run.summary), figures(whole->run.summary)) << what;
        schemes_seen.insert(std::string(scheme.info.name));
        ++runs;
      }
  EXPECT_GE(runs, all ? 60 : 5);
  for (const Scheme& scheme : schemes())
    EXPECT_TRUE(!all || schemes_seen.contains(std::string(scheme.info.name))) << scheme.info.name;
}

// The state says what it is for.
TEST(Resume, OtherModelsSettingsAndStatesAreRefused) {
  const auto prepared = [](const std::string& text) { return Prepared(read_problem_text(text, "model.toml")); };
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  std::string state;
  RunOptions options;
  int steps = 0;
  options.keep_going = [&](double) { return ++steps < 20; };
  options.checkpoints = Checkpoints{.keep = [&](const std::string& now) { state = now; }};
  EXPECT_EQ(simulate(prepared(driven_crane), {}, options).summary.status, RunStatus::interrupted);
  ASSERT_FALSE(state.empty());
  const auto refusal = [&](const std::string& text, const std::string& from) -> std::string {
    RunOptions going_on;
    going_on.checkpoints = Checkpoints{.keep = [](const std::string&) {}, .from = from};
    try {
      return simulate(prepared(text), {}, going_on).summary.message;
    } catch (const InputError& e) {
      return e.what();
    }
  };
  EXPECT_EQ(refusal(driven_crane, state), "");
  const std::string changed =
      "--resume: the model, its data or its settings are not those of the run that was interrupted";
  EXPECT_EQ(refusal(with(driven_crane, "until = 1.5", "until = 2.5"), state), changed);
  EXPECT_EQ(refusal(with(driven_crane, "120, 98", "120, 99"), state), changed);
  EXPECT_EQ(refusal(with(driven_crane, "m = 100.0", "m = 101.0"), state), changed);
  EXPECT_EQ(refusal(with(driven_crane, "step = 0.01", "step = 0.01\nevery = 2"), state), changed);
  EXPECT_EQ(refusal(driven_crane, state.substr(0, state.size() - 3)), "the stored state is damaged");
  EXPECT_EQ(refusal(driven_crane, "nonsense"), "the stored state is damaged");
}

}  // namespace
}  // namespace invar
