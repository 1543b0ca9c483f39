// See sweep.h.
#include "invar/sweep/sweep.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

#include "invar/base/error.h"
#include "invar/record/folder/result_folder.h"
#include "invar/record/hdf5_rows.h"
#include "invar/record/sweep/sweep_hdf5.h"
#include "invar/sweep/figure_columns.h"
#include "invar/sweep/processes.h"
#include "invar/sweep/sweep_identity.h"
#include "invar/sweep/sweep_status.h"
#include "invar/sweep/sweep_summary.h"
#include "invar/task/table/tasks.h"

namespace invar {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

const Task& task_of(const SweepSettings& settings) {
  if (const auto error = find_error(settings)) throw InputError("invar: --" + error->setting + " " + error->rule);
  if (RecordingChoice(settings.recorded()).wants_series() && !has_hdf5())
    throw InputError("--record: series need HDF5, which this invar was built without (Debian package libhdf5-dev)");
  return *find_task(settings.task);
}

std::vector<double> first_case(const Design& design) {
  std::vector<double> values(design.names().size());
  design.set_case(0, values);
  return values;
}

// DIR.unfinished, beside DIR.
fs::path unfinished_beside(const fs::path& results) {
  const std::string name = results.string();
  return name.substr(0, name.find_last_not_of('/') + 1) + ".unfinished";
}

// One case at a time, by one of them; the thread that hands out runs none.
RunCase one_case(const CaseWork& work) {
  return [&work, values = std::vector<double>(work.design.names().size())](std::uint64_t number) mutable {
    work.design.set_case(number, values);
    return work.runner.run(number, values, work.limits);
  };
}

void run_in_processes(const CaseWork& work, CaseQueue& queue, double memory) {
  // A run that does not look at its clock gets this much longer.
  constexpr double patience = 1.5, least_patience = 1.0;
  const double limit = work.limits.seconds > 0.0 ? patience * work.limits.seconds + least_patience : 0.0;
  Processes processes(work.threads, memory, one_case(work));
  hand_out(processes,
           {.queue = queue, .deliver = work.deliver, .stop = work.limits.stop, .interval = 0.0, .limit = limit});
}

}  // namespace

void help_with(const SweepOrder& order, Foreman& foreman, const std::function<bool()>& stop) {
  const Design design = design_of(order.settings);
  const CaseRunner runner(order.model, task_of(order.settings), design.names(), first_case(design),
                          RecordingChoice(order.settings.recorded()));
  CaseWork work = {.runner = runner, .design = design};
  work.limits = {order.settings.limit, stop};
  work_for(foreman, one_case(work));
}

SweepRun::SweepRun(SweepOrder order)
    : order_(std::move(order)),
      task_(task_of(order_.settings)),
      design_(design_of(order_.settings)),
      runner_(order_.model, task_, design_.names(), first_case(design_), RecordingChoice(order_.settings.recorded())),
      journals_(unfinished_beside(order_.results), identity_of(order_.model, order_.settings, design_), design_.size()),
      found_before_(journals_.counts().all()) {}

void SweepRun::run(const Watch& watch) {
  const Clock::time_point begin = Clock::now();
  if (order_.crew && order_.settings.device == "cuda")
    throw InputError("--device cuda: under mpirun each rank runs one case at a time; leave out --device");
  const std::unique_ptr<DeviceCases> device =
      order_.crew ? nullptr
                  : DeviceCases::choose(runner_, order_.settings, design_, order_.threads, order_.open_device);
  journals_.open(order_.part);
  CaseQueue queue(design_.size(), order_.part, journals_.recorded());
  SweepStatus status(journals_, queue.size());
  Clock::time_point settled = begin;
  constexpr std::chrono::seconds interval(5);
  std::mutex delivering;
  CaseWork work = {.runner = runner_, .design = design_};
  work.limits = {order_.settings.limit, watch.stop};
  work.threads = order_.threads;
  work.deliver = [&](const CaseRecord& record) {
    const std::scoped_lock lock(delivering);
    journals_.append(record);
    const double fraction = status.ended();
    if (watch.show) watch.show(fraction);
    if (const Clock::time_point now = Clock::now(); now - settled > interval) {
      settled = now;
      journals_.settle();
    }
  };
  if (order_.crew)
    share(work, queue);
  else if (device)
    run_on(*device, work, queue);
  else if (order_.settings.memory > 0.0)
    run_in_processes(work, queue, order_.settings.memory);
  else
    run_cases(work, queue);
  journals_.settle();
  seconds_ = std::chrono::duration<double>(Clock::now() - begin).count();
  status.write(is_part_complete() ? "done" : "interrupted");
}

void SweepRun::run_on(DeviceCases& device, const CaseWork& work, CaseQueue& queue) {
  device_ = device.device();
  device.run(work, queue);
  on_device_ = device.found();
}

// This program runs cases too, in another thread than that which hands them out.
void SweepRun::share(const CaseWork& work, CaseQueue& queue) {
  std::atomic<bool> ends = false;
  std::exception_ptr trouble;
  CaseWork own = work;
  own.limits.stop = [&] { return ends || work.limits.stop(); };
  {
    const std::jthread here([&] {
      try {
        run_cases(own, queue);
      } catch (...) {
        trouble = std::current_exception();
        ends = true;
      }
    });
    try {
      traffic_ = hand_out(*order_.crew, {.queue = queue, .deliver = work.deliver, .stop = own.limits.stop});
    } catch (...) {
      ends = true;
      throw;
    }
  }
  if (trouble) std::rethrow_exception(trouble);
}

double SweepRun::seconds_per_case() const {
  const std::uint64_t ran = journals_.counts().all() - found_before_;
  const std::size_t at_once = order_.crew ? order_.crew->size() + 1 : order_.threads;
  return ran == 0 ? 0.0 : seconds_ * static_cast<double>(at_once) / static_cast<double>(ran);
}

bool SweepRun::is_part_complete() const {
  const std::vector<bool> recorded = journals_.recorded();
  for (std::uint64_t k = 0; k < recorded.size(); ++k)
    if (order_.part.has(k) && !recorded[k]) return false;
  return true;
}

Summary SweepRun::summary() const {
  Summary summary;
  summary.name = order_.name;
  summary.task = "sweep";
  summary.wall_seconds = seconds_;
  const SweepCounts& counts = journals_.counts();
  SweepSummary& about = summary.parts.set(SweepSummary());
  about.of = order_.settings.task;
  about.design = design_.words();
  about.sampling = design_.drawn() > 0 ? sampling_name(design_.sampling()) : "";
  about.varied = design_.names();
  for (const Factor& factor : design_.factors())
    if (factor.values.front().is_drawn()) about.drawn.push_back(factor.names.front());
  about.repeat = order_.repeat;
  about.recorded = journals_.names().numbers;
  about.cases = journals_.cases();
  about.done = counts.done;
  about.failed = counts.failed;
  about.stopped = counts.stopped;
  about.first_reason = counts.first_reason;
  about.first_not_done = counts.first_not_done;
  about.found_before = found_before_;
  about.threads = order_.threads;
  about.device = device_;
  about.on_device = on_device_;
  if (order_.crew) about.traffic = traffic_;
  if (!is_complete()) {
    summary.status = RunStatus::interrupted;
    summary.message = std::to_string(about.cases - counts.all()) + " cases are still to be run";
  }
  return summary;
}

// sweep.h5 tells nothing of when, how and by how many it was made.
Summary SweepRun::write(const std::function<void(const fs::path& folder)>& finish) {
  expects(is_complete(), "a complete sweep");
  const Summary summary = this->summary();
  ResultFolder results(order_.results);
  const CaseNames names = journals_.names();
  SweepTable about;
  about.varied = design_.names();
  about.figures = names.numbers;
  about.series = names.series;
  about.name = order_.name;
  about.task = order_.settings.task;
  about.version = program_version();
  about.model = order_.model.document.text;
  Summary timeless = summary;
  timeless.wall_seconds = 0.0;
  timeless.part<SweepSummary>()->threads = 0;
  timeless.part<SweepSummary>()->device.clear();
  timeless.part<SweepSummary>()->on_device = 0;
  timeless.part<SweepSummary>()->traffic.reset();
  timeless.part<SweepSummary>()->found_before = 0;
  about.summary = to_json(timeless);
  SweepCsv csv(results.path() / "table.csv", about);
  std::optional<SweepHdf5> file;
  if (has_hdf5()) file.emplace(results.path() / "sweep.h5", about, design_.size());
  std::vector<double> values(design_.names().size());
  std::vector<std::span<const double>> series(names.series.size());
  const FigureColumns columns(names.numbers);
  journals_.visit([&](const CaseRecord& record) {
    design_.set_case(record.number, values);
    const std::vector<double> figures = columns.row(record);
    csv.add(values, record.status, record.reason, figures);
    if (!file) return;
    for (std::size_t j = 0; j < series.size(); ++j) {
      const auto found = std::ranges::find(record.series, names.series[j], &NamedSeries::name);
      series[j] = found == record.series.end() ? std::span<const double>() : found->values;
    }
    file->add(values, record.status, record.reason, figures, series);
  });
  csv.finish();
  if (file) file->finish();
  results.write("summary.json", to_json(summary));
  if (finish) finish(results.path());
  results.commit();
  std::error_code ignored;
  fs::remove_all(journals_.folder(), ignored);
  return summary;
}

}  // namespace invar
