// See compilation.h.
#include "invar/tape/compilation.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <tuple>

#include "invar/tape/compile_cost.h"
#include "invar/tape/function_code.h"
#include "invar/tape/machine_code.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

thread_local const LoopProgress* innermost_loop = nullptr;
thread_local std::uint64_t loops_begun = 0;

CodeSlot& slot_of(const Evaluated& what) { return what.lanes ? what.code->lanes : what.code->point; }

CompileCost cost_of(const Evaluated& what) {
  const std::size_t instructions = what.tape->code.size(), results = what.tape->outputs.size();
  return what.lanes ? cost_of_lanes(instructions, results) : cost_of_point(instructions, results);
}

}  // namespace

class Compilation::Work {
 public:
  explicit Work(Compiler compiler) : compiler_(std::move(compiler)) {}
  ~Work();
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  static Work*& of_this_thread() {
    thread_local Work* innermost = nullptr;
    return innermost;
  }

  void interpreted(const Evaluated& what, std::uint64_t instructions);
  void by_machine_code(const Evaluated& what);
  CodeReport report() const;

 private:
  enum class Stage { interpreted, looking, missed, building, failed };
  // One tape in one of its forms.
  struct Use {
    Evaluated what;
    CompileCost cost;
    Stage stage = Stage::interpreted;
    double done = 0.0;       // instructions interpreted so far
    std::uint64_t loop = 0;  // in which loop, and what was done when it was first seen there
    double loop_done = 0.0, loop_fraction = 0.0;
    bool used = false, cached = false;
    double from = 0.0, took = 0.0;

    double remaining();  // expected
    bool is_waiting() const { return stage == Stage::looking || stage == Stage::building; }
  };

  Use& use_of(const Evaluated& what);
  void consider(Use& use);
  void order(Use& use, Stage stage);
  void work(const std::stop_token& stop);
  MachineCode make(const Use& use, Stage stage, const std::stop_token& stop) const;
  std::string why_not(Stage stage) const;

  // Since the run began.
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

  const Compiler compiler_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  mutable std::mutex mutex_;  // of all below
  std::map<const CodeSlot*, Use> uses_;
  std::deque<Use*> orders_;
  bool broken_ = false;  // the compiler has failed once
  std::condition_variable_any ordered_;
  std::jthread worker_;
};

Compilation::Work::~Work() {
  worker_.request_stop();
  if (worker_.joinable()) worker_.join();
  for (Use* const use : orders_) slot_of(use->what).give_up();
}

// As much as there was, or what is left of a loop at the rate that it has shown.
double Compilation::Work::Use::remaining() {
  if (innermost_loop == nullptr) return done;
  if (loop != innermost_loop->number()) {
    loop = innermost_loop->number();
    loop_done = done;
    loop_fraction = innermost_loop->fraction();
  }
  const double passed = innermost_loop->fraction() - loop_fraction;
  return passed > 0.0 ? (done - loop_done) / passed * (1.0 - innermost_loop->fraction()) : done;
}

Compilation::Work::Use& Compilation::Work::use_of(const Evaluated& what) {
  const auto [place, is_new] = uses_.try_emplace(&slot_of(what));
  if (is_new) {
    place->second.what = what;
    place->second.cost = cost_of(what);
  }
  return place->second;
}

void Compilation::Work::interpreted(const Evaluated& what, std::uint64_t instructions) {
  const std::scoped_lock lock(mutex_);
  Use& use = use_of(what);
  use.done += static_cast<double>(instructions);
  consider(use);
}

void Compilation::Work::consider(Use& use) {
  if (use.is_waiting() || use.stage == Stage::failed) return;
  const double remaining = use.remaining();
  const bool may_be_cached = !compiler_.cache.empty() && use.stage != Stage::missed;
  if (!broken_ && use.cost.pays(compiler_.price * use.cost.build, remaining))
    order(use, Stage::building);
  else if (may_be_cached && use.cost.pays(compiler_.price * use.cost.load, remaining))
    order(use, Stage::looking);
}

// Nothing if a run in another thread is at it.
void Compilation::Work::order(Use& use, Stage stage) {
  if (!slot_of(use.what).claim()) return;
  use.stage = stage;
  orders_.push_back(&use);
  ordered_.notify_one();
  if (worker_.joinable()) return;
  try {
    worker_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  } catch (const std::system_error&) {  // no more threads: all stay interpreted
    broken_ = true;
  }
}

void Compilation::Work::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (ordered_.wait(lock, stop, [this] { return !orders_.empty(); }) && !stop.stop_requested()) {
    Use& use = *orders_.front();
    const Stage wanted = use.stage;
    lock.unlock();
    const double begin = seconds();
    MachineCode code = make(use, wanted, stop);
    const double took = seconds() - begin;
    const bool there = code.entry != nullptr, cached = code.cached;
    if (there) slot_of(use.what).fill(std::move(code.library), code.entry, code.width);
    lock.lock();
    if (stop.stop_requested() && !there) return;
    orders_.pop_front();
    use.cached = cached;
    use.took = took;
    if (there) continue;
    slot_of(use.what).give_up();
    use.stage = wanted == Stage::looking ? Stage::missed : Stage::failed;
    broken_ = broken_ || use.stage == Stage::failed;
  }
}

MachineCode Compilation::Work::make(const Use& use, Stage stage, const std::stop_token& stop) const {
  try {
    return machine_code_of(*use.what.tape, use.what.lanes ? any_width : 1, compiler_,
                           {.only_cached = stage == Stage::looking, .stop = stop});
  } catch (const std::exception&) {  // no memory, no files: it stays interpreted
    return {};
  }
}

void Compilation::Work::by_machine_code(const Evaluated& what) {
  const std::scoped_lock lock(mutex_);
  Use& use = use_of(what);
  if (use.used) return;
  use.used = true;
  use.from = seconds();
}

std::string Compilation::Work::why_not(Stage stage) const {
  switch (stage) {
    case Stage::building: return "the compiler had not finished when the run ended";
    case Stage::failed: return "the C compiler \"" + compiler_.command + "\" could not be run or has failed";
    default: return "too little was to be computed for a compiler to pay";
  }
}

CodeReport Compilation::Work::report() const {
  const std::scoped_lock lock(mutex_);
  CodeReport report;
  Stage most = Stage::interpreted;
  for (const auto& [slot, use] : uses_) {
    most = std::max(most, use.stage);
    const bool asked = use.stage == Stage::building || use.stage == Stage::failed;
    if (!use.used && !asked) continue;
    CodeReport::Part part;
    part.name = use.what.code->name;
    part.instructions = use.what.tape->code.size();
    part.points = use.what.lanes ? vector_unit(any_width).width : 1;
    part.used = use.used;
    part.cached = use.used && use.cached;
    part.from = use.from;
    part.took = use.took;
    if (!use.used) part.why_not = why_not(use.stage);
    report.parts.push_back(std::move(part));
  }
  std::ranges::sort(report.parts, {}, [](const auto& p) { return std::tuple(!p.used, p.from, p.name, p.points); });
  const bool used = !report.parts.empty() && report.parts.front().used;
  report.why_not = used ? "" : why_not(most);
  return report;
}

Compilation::Compilation(const std::optional<Compiler>& compiler) : outer_(Work::of_this_thread()) {
  if (!compiler) return;
  work_ = std::make_unique<Work>(*compiler);
  Work::of_this_thread() = work_.get();
}

Compilation::~Compilation() { Work::of_this_thread() = outer_; }

CodeReport Compilation::report() const {
  const Work* const work = work_ ? work_.get() : outer_;
  return work ? work->report() : CodeReport();
}

LoopProgress::LoopProgress() : number_(++loops_begun), outer_(innermost_loop) { innermost_loop = this; }

LoopProgress::~LoopProgress() { innermost_loop = outer_; }

void Evaluated::interpreted(std::uint64_t instructions) const {
  if (Compilation::Work* const work = Compilation::Work::of_this_thread()) work->interpreted(*this, instructions);
}

void Evaluated::by_machine_code() const {
  if (Compilation::Work* const work = Compilation::Work::of_this_thread()) work->by_machine_code(*this);
}

}  // namespace invar
