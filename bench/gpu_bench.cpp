// Batches on a GPU, in double precision with convergence tests, against all cores of the same machine: steps of four
// systems, instants of a flat inverse problem. What is computed is compared with the processor, point by point.
// Without a GPU it says so. `gpu_bench --shim [WORDS]` runs the kernels on the processor, a few points of them.
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "bench/ratios.h"
#include "invar/device/cuda.h"
#include "invar/device/instant_batch.h"
#include "invar/device/step_batch.h"
#include "invar/device/step_places.h"
#include "invar/device/test_host_device.h"
#include "invar/read/read_problem.h"
#include "invar/scheme/steps/lane_steps.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/task/batch/batches.h"
#include "invar/task/inverse_structure/continuation.h"
#include "invar/task/inverse_structure/grouped_sweeps.h"
#include "invar/task/inverse_structure/inverse_structure.h"
#include "invar/task/run/inputs.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double peak = 132 * 64 * 1.98e9;  // double precision operations of an H200, without contraction, per second
constexpr std::size_t compared = 64;        // points, against the processor
constexpr int compared_steps = 100;

double seconds(const std::function<void()>& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::filesystem::path root() { return std::filesystem::path(__FILE__).parent_path().parent_path(); }

// Where models are: beside the source, or here.
std::string model(const std::string& name) {
  const std::filesystem::path there = root() / name;
  return std::filesystem::exists(there) ? there.string() : name;
}

struct Case {
  std::string name;
  std::string file;
  const char* formulation;
  const char* scheme;
  const char* own;  // parameter that differs from point to point; none: velocities do
  double finer;     // steps than those of the example, so that all stay within their motion
  int steps;
  double wanted;  // steps per second
};

struct Measured {
  double rate = 0.0, cores = 0.0, difference = 0.0, build = 0.0, iterations = 0.0;
  std::size_t instructions = 0, unknowns = 0, left = 0;
  Kernel::Size size;
};

StepProgram::Inputs inputs_of(const Problem& problem) {
  const auto values =
      std::make_shared<InputValues>(problem.system, problem.settings.of<SimulateSettings>().inputs, problem.signals);
  return [values](double t, std::span<double> u) { (*values)(t, u); };
}

// Work of one core, on all of them at once: how often it was done in a second.
double on_all_cores(const std::function<std::function<std::size_t()>()>& prepare) {
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::function<std::size_t()>> work;
  for (unsigned k = 0; k < cores; ++k) work.push_back(prepare());
  std::vector<std::size_t> done(cores);
  constexpr double long_enough = 1.0;
  const auto begin = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (unsigned k = 0; k < cores; ++k)
      threads.emplace_back([&, k] {
        while (std::chrono::duration<double>(Clock::now() - begin).count() < long_enough) done[k] += work[k]();
      });
  }
  const double took = std::chrono::duration<double>(Clock::now() - begin).count();
  std::size_t all = 0;
  for (const std::size_t d : done) all += d;
  return static_cast<double>(all) / took;
}

class StepCase {
 public:
  StepCase(const Case& c, std::size_t count)
      : case_(c),
        count_(count),
        problem_(c.formulation ? read_problem(model(c.file), {}, c.formulation) : read_problem(model(c.file))),
        start_(problem_),
        h_(c.finer * problem_.settings.of<SimulateSettings>().step),
        values_(parameter_values(system())),
        scheme_(*find_scheme(c.scheme)),
        stepper_(system(), scheme_, {.scheme = {}, .newton = {.keep_factors = true, .in_line_after = 200}},
                 problem_.signals) {
    for (std::size_t k = 0; k < system().parameters.size(); ++k)
      if (c.own && system().parameters[k].symbol.name() == c.own) own_ = k;
  }

  Measured measure(Device& device, double& build_seconds);
  void break_even(Device& device, double cores);

 private:
  const System& system() const { return start_.system(); }
  // Of point p: between 0.8 and 1.2.
  double factor(std::size_t p) const { return 0.8 + 0.4 * static_cast<double>(p * 2654435761u % 65536) / 65536.0; }
  std::vector<double> values_of(std::size_t p) const {
    std::vector<double> values = values_;
    if (own_) values[*own_] *= factor(p);
    return values;
  }
  State state_of(std::size_t p) const {
    State s = start_.point().state;
    if (!own_)
      for (double& v : s.v) v *= factor(p);
    return s;
  }
  std::vector<double> node_of(Stepper& stepper, std::size_t p) const {
    stepper.set_parameters(values_of(p));
    stepper.start(state_of(p), h_);
    Stepper::Memory memory;
    stepper.save(memory);
    return memory.node;
  }
  std::vector<double> times(int steps) const {
    std::vector<double> result;
    for (int k = 0; k <= steps; ++k) result.push_back(k * h_);
    return result;
  }
  StepProgram program(Measured& m);
  void start(StepBatch& batch, std::size_t count);
  double cores();
  double difference(Device& device);

  Case case_;
  std::size_t count_;
  Problem problem_;
  GivenStart start_;
  double h_;
  std::vector<double> values_;
  const Scheme& scheme_;
  Stepper stepper_;
  std::optional<std::size_t> own_;
};

StepProgram StepCase::program(Measured& m) {
  KernelParameters parameters = {values_, {}};
  if (own_) parameters.own = {*own_};
  if (scheme_.explicit_method) {
    m.instructions = stepper_.instruction_count();
    return explicit_program(system(), scheme_.explicit_method(), problem_.signals, parameters);
  }
  Stepper stepper = stepper_;
  stepper.start(start_.point().state, h_);
  m.unknowns = stepper.unknown_count();
  const std::optional<StepFormulas> formulas = stepper.formulas();
  const std::vector<std::vector<double>> places = step_places(stepper, *formulas, h_, inputs_of(problem_));
  m.instructions =
      newton_correction(formulas->residual, formulas->pattern, 0, places.front(), 2e4)->instruction_count();
  return *implicit_program(*formulas, 1e-12, places, parameters);
}

void StepCase::start(StepBatch& batch, std::size_t count) {
  Stepper stepper = stepper_;
  const std::size_t size = node_of(stepper, 0).size();
  std::vector<double> states(size * count), own;
  constexpr std::size_t different = 4096;  // starts: to make more takes longer than to run them
  std::vector<std::vector<double>> nodes;
  for (std::size_t p = 0; p < std::min(count, different); ++p) nodes.push_back(node_of(stepper, p));
  for (std::size_t p = 0; p < count; ++p) {
    const std::vector<double>& node = nodes[p % different];
    for (std::size_t k = 0; k < size; ++k) states[k * count + p] = node[k];
    if (own_) own.push_back(values_[*own_] * factor(p % different));
  }
  if (scheme_.explicit_method) states.resize(2 * system().coordinates.size() * count);
  batch.start(states, own);
}

double StepCase::cores() {
  if (scheme_.explicit_method && LaneSteps::fits(system()))
    return on_all_cores([&]() -> std::function<std::size_t()> {
      constexpr std::size_t lanes = 256;
      auto steps = std::make_shared<LaneSteps>(system(), scheme_.explicit_method(), problem_.signals);
      steps->compile({});
      const std::size_t n = system().coordinates.size();
      auto t = std::make_shared<std::vector<double>>(lanes), state = std::make_shared<std::vector<double>>(),
           u = std::make_shared<std::vector<double>>(system().inputs.size() * lanes);
      auto going = std::make_shared<std::vector<std::uint8_t>>(lanes, 1);
      State s = start_.point().state;
      for (std::size_t k = 0; k < n; ++k) state->insert(state->end(), lanes, s.q[k]);
      for (std::size_t k = 0; k < n; ++k) state->insert(state->end(), lanes, s.v[k]);
      return [=, h = h_] {
        for (int k = 0; k < 10; ++k) steps->advance(h, {*t, *state, *u, *going}, 0, lanes);
        return 10 * lanes;
      };
    });
  return on_all_cores([&]() -> std::function<std::size_t()> {
    auto stepper = std::make_shared<Stepper>(stepper_);
    stepper->compile({});
    auto inputs = inputs_of(problem_);
    const State first = start_.point().state;
    Stepper::Memory begin;
    stepper->start(first, h_);
    for (int k = 0; k < 250; ++k) stepper->advance(h_, inputs);  // until it has learnt its elimination
    stepper->save(begin);
    return [stepper, inputs, begin, h = h_] {
      stepper->restore(begin);
      for (int k = 0; k < 50; ++k) stepper->advance(h, inputs);
      return std::size_t{50};
    };
  });
}

// The largest of all numbers of coordinates and velocities, relative to the largest number of the point.
double StepCase::difference(Device& device) {
  Measured ignored;
  StepBatch batch(device, program(ignored), compared);
  start(batch, compared);
  batch.advance(times(compared_steps), inputs_of(problem_));
  const std::vector<double> found = batch.states();
  const std::vector<std::int64_t> left = batch.left();
  const std::size_t motion = 2 * system().coordinates.size();
  double worst = 0.0;
  const auto inputs = inputs_of(problem_);
  for (std::size_t p = 0; p < compared; ++p) {
    Stepper stepper = stepper_;
    node_of(stepper, p);
    bool went = true;
    for (int k = 0; went && k < compared_steps; ++k) {
      went = stepper.advance((k + 1) * h_ - stepper.t(), inputs).status == NewtonStatus::converged;
      stepper.set_t((k + 1) * h_);
    }
    if (went != (left[p] == StepBatch::none)) worst = std::max(worst, 1.0);
    double size = 0.0;
    for (std::size_t k = 0; k < motion; ++k)
      size = std::max(size, std::abs(k < motion / 2 ? stepper.q()[k] : stepper.v()[k - motion / 2]));
    for (std::size_t k = 0; went && k < motion; ++k) {
      const double expected = k < motion / 2 ? stepper.q()[k] : stepper.v()[k - motion / 2];
      worst = std::max(worst, std::abs(found[k * compared + p] - expected) / size);
    }
  }
  return worst;
}

Measured StepCase::measure(Device& device, double& build_seconds) {
  Measured m;
  const StepProgram p = program(m);
  std::unique_ptr<StepBatch> batch;
  build_seconds = seconds([&] { batch = std::make_unique<StepBatch>(device, p, count_); });
  m.size = batch->kernel_size();
  start(*batch, count_);
  const auto inputs = inputs_of(problem_);
  batch->advance(times(8), inputs);  // warm, and with a past
  std::vector<double> more;
  for (int k = 8; k <= 8 + case_.steps; ++k) more.push_back(k * h_);
  const double took = seconds([&] { batch->advance(more, inputs); });
  for (const std::int64_t left : batch->left()) m.left += left == StepBatch::none ? 0 : 1;
  m.rate = static_cast<double>(count_ - m.left) * case_.steps / took;
  m.iterations = batch->iterations_per_step();
  m.difference = difference(device);
  m.cores = cores();
  return m;
}

// With transfers: from how many points on the GPU takes less time than all cores.
void StepCase::break_even(Device& device, double cores) {
  Measured ignored;
  const StepProgram p = program(ignored);
  for (std::size_t count = 16; count <= (1u << 18); count *= 4) {
    StepBatch batch(device, p, count);
    const auto inputs = inputs_of(problem_);
    const std::vector<double> until = times(case_.steps);
    start(batch, count);
    batch.advance(until, inputs);
    const double took = seconds([&] {
      start(batch, count);
      batch.advance(until, inputs);
      batch.states();
    });
    const double rate = static_cast<double>(count) * case_.steps / took;
    fmt::print("    {:>7} points: {:.2e} steps/s, {:.2f} of all cores\n", count, rate, rate / cores);
  }
}

void print_head() {
  fmt::print("{:<34}{:>6}{:>8}{:>6}{:>9}{:>10}{:>9}{:>10}{:>8}{:>7}{:>10}{:>8}{:>8}\n", "", "length", "bytes", "regs",
             "iter/st", "per s", "wanted", "cores /s", "times", "peak", "differs", "left", "build");
}

void print_row(const std::string& name, const Measured& m, double wanted, double operations, double build) {
  fmt::print("{:<34}{:>6}{:>8}{:>6}{:>9.2f}{:>10.2e}{:>9.1e}{:>10.2e}{:>8.0f}{:>7.2f}{:>10.1e}{:>8}{:>8.1f}  {}\n",
             name, m.instructions, m.size.local_bytes, m.size.registers, m.iterations, m.rate, wanted, m.cores,
             m.rate / m.cores, m.rate * operations / peak, m.difference, m.left, build,
             m.rate >= wanted ? "PASS" : "FAIL");
  std::fflush(stdout);
}

// The cable manipulator: inputs at very many instants.
void instants(Device& device, std::size_t count, double wanted) {
  const Problem problem = read_problem(model("examples/cable_manipulator_rotation/model.toml"));
  InverseStructure structure = analyse_inverse(problem);
  const double until = problem.settings.of<InvertSettings>().until;
  PathPlan course;
  course.knots = knots_of(structure.dae, until);
  for (const DaeUnknown& x : structure.dae.unknowns) course.kinds.push_back(x.kind);
  course.units = structure.dae.units;
  course.extra = 8;
  const auto grid = [&](std::size_t n) {
    course.grid.clear();
    for (std::size_t k = 0; k <= n; ++k) course.grid.push_back(until * static_cast<double>(k) / static_cast<double>(n));
  };
  grid(64);
  const JetPath coarse = follow(structure.solve, structure.start, course);
  std::optional<Sweep> sweep = Sweep::make(structure.dae, structure.formal, 0, coarse.jets);
  if (!sweep) return fmt::print("cable manipulator: no sweep\n");
  double reach = until;
  for (const Jet& jet : coarse.jets) reach = std::min(reach, InstantBatch::reach(jet, *sweep));
  const auto bases = static_cast<std::size_t>(std::clamp(std::ceil(until / reach), 64.0, 4000.0));
  grid(bases);
  const JetPath path = follow(structure.solve, structure.start, course);
  std::vector<std::size_t> wanted_unknowns;
  for (std::size_t j = 0; j < course.kinds.size(); ++j)
    if (course.kinds[j] == UnknownKind::input) wanted_unknowns.push_back(j);
  Measured m;
  m.instructions = sweep->instruction_count();
  std::unique_ptr<InstantBatch> batch;
  const double build =
      seconds([&] { batch = std::make_unique<InstantBatch>(device, *sweep, path.jets, wanted_unknowns); });
  m.size = batch->kernel_size();
  std::vector<double> times;
  for (std::size_t k = 0; k < count; ++k)
    times.push_back(until * (static_cast<double>(k) + 0.5) / static_cast<double>(count));
  batch->write(times);
  batch->run();
  constexpr int repeats = 5;
  const double took = seconds([&] {
    for (int k = 0; k < repeats; ++k) batch->run();
  });
  const std::vector<double> found = batch->read();
  for (std::size_t p = 0; p < count; ++p) m.left += std::isnan(found[p]) ? 1 : 0;
  m.rate = static_cast<double>(count - m.left) * repeats / took;
  // Against the staged scheme.
  course.extra = 0;
  course.grid = {0.0};
  for (std::size_t k = 0; k < compared; ++k) course.grid.push_back(times[(k * (count / compared)) % count]);
  std::ranges::sort(course.grid);
  const JetPath exact = follow(structure.solve, structure.start, course);
  double size = 0.0;  // of all inputs: some of them are zero
  for (const Jet& jet : exact.jets)
    for (const std::size_t j : wanted_unknowns) size = std::max(size, std::abs(jet.x[j][0]));
  const std::vector<double> at = (*batch)(course.grid);
  for (std::size_t p = 0; p < course.grid.size(); ++p)
    for (std::size_t k = 0; k < wanted_unknowns.size(); ++k) {
      const double expected = exact.jets[p].x[wanted_unknowns[k]][0];
      m.difference = std::max(m.difference, std::abs(at[k * course.grid.size() + p] - expected) / size);
    }
  m.cores = on_all_cores([&]() -> std::function<std::size_t()> {
    struct Own {
      InverseStructure structure;
      PathPlan course;
      std::shared_ptr<GroupedSweeps> sweeps;
    };
    auto own = std::make_shared<Own>();
    own->structure = analyse_inverse(problem);
    own->course = course;
    own->course.extra = 0;
    own->course.grid.clear();
    for (int k = 0; k <= 20000; ++k) own->course.grid.push_back(until * k / 20000.0);
    own->sweeps = grouped_sweeps(own->structure, until, 0);
    own->sweeps->wanted.compile({});
    own->course.grouped = own->sweeps.get();
    follow(own->structure.solve, own->structure.start, own->course);
    return [own] { return follow(own->structure.solve, own->structure.start, own->course).jets.size(); };
  });
  m.iterations = 2.0;
  print_row(fmt::format("cable manipulator, {} bases", path.jets.size()), m, wanted,
            2.0 * static_cast<double>(m.instructions), build);
}

// The cable manipulator with a mass of its own for every case: all instants of each, with starts, ends and transfers.
void inversions(Device& device, std::size_t cases) {
  const Prepared prepared(read_problem(model("examples/cable_manipulator_rotation/model.toml")));
  const BatchKind& kind = *find_batch("invert");
  if (const std::string why = kind.refusal(prepared, {"m"}); !why.empty()) return fmt::print("{}\n", why);
  std::unique_ptr<RunBatch> batch;
  const double build = seconds([&] { batch = kind.make(device, prepared, {"m"}); });
  std::vector<Overrides> given;
  for (std::size_t k = 0; k < cases; ++k)
    given.push_back({{"m", 10.0 + 5.0 * static_cast<double>(k) / static_cast<double>(cases)}});
  const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<RunBatch::Case> found;
  const double took = seconds([&] { found = *batch->run(given, {threads}); });
  const auto left = std::ranges::count_if(found, [](const RunBatch::Case& c) { return c.end.empty(); });
  const InvertSettings& settings = prepared.problem().settings.of<InvertSettings>();
  const double instants = std::round(settings.until / settings.step) + 1.0;
  fmt::print("{:<34}{} cases of {} instants: {:.2e} instants/s, {} left, build {:.1f} s\n", "cable manipulator, masses",
             cases, instants, static_cast<double>(cases) * instants / took, left, build);
}

int run(std::span<char*> words) {
  const bool shim = !words.empty() && std::strcmp(words[0], "--shim") == 0;
  if (shim) words = words.subspan(1);
  if (const std::string missing = missing_for_cuda(); !shim && !missing.empty()) {
    fmt::print("gpu_bench: {}\n", missing);
    return 0;
  }
  const std::unique_ptr<Device> device = shim ? std::make_unique<test::HostDevice>() : cuda_device();
  const auto asked = [&](const std::string& name) {
    const auto fits = [&](const char* word) { return name.find(word) != std::string::npos; };
    return words.empty() || std::ranges::any_of(words, fits);
  };
  constexpr std::size_t waves = 8;
  const std::size_t count = shim ? 128 : 132 * 256 * waves;
  fmt::print("{}, {} processor cores, {} points\n", device->name(), std::thread::hardware_concurrency(), count);
  print_head();
  const std::vector<Case> cases = {
      {"overhead crane", "examples/overhead_crane/model.toml", nullptr, "energy-momentum", "J", 0.25, 2000, 5e9},
      {"double pendulum from bodies", "examples/double_pendulum_bodies/model.toml", "director", "energy-momentum", "m",
       1.0, 500, 5e8},
      {"rotary crane from bodies", "examples/rotary_crane_bodies/model.toml", "director", "energy-momentum", nullptr,
       0.25, 150, 4e7},
      {"arm of seven, rk4", "bench/models/arm_of_seven.toml", "minimal", "rk4", nullptr, 1.0, 500, 6e8}};
  if (asked("cable manipulator")) instants(*device, shim ? 2000 : count * 16, 1.5e9);
  if (asked("inversions")) inversions(*device, shim ? 64 : count);
  for (const Case& c : cases) {
    if (!asked(c.name)) continue;
    StepCase work(c, count);
    double build = 0.0;
    const Measured m = work.measure(*device, build);
    const double operations = static_cast<double>(m.instructions) * (m.iterations > 0.0 ? m.iterations : 1.0);
    print_row(c.name, m, c.wanted, operations, build);
    if (!shim && asked("break even")) work.break_even(*device, m.cores);
  }
  return 0;
}

}  // namespace
}  // namespace invar

int main(int count, char** words) { return invar::run({words + 1, static_cast<std::size_t>(count - 1)}); }
