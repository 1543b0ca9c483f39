// See device_cases.h.
#include "invar/sweep/device_cases.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/base/message.h"

namespace invar {

namespace {

constexpr std::string_view asked = "--device cuda: ";

std::string refusal_of_recording(const RecordingChoice& choice, const std::vector<RunBatch::Column>& columns) {
  const std::string way_out = "; write --record with COLUMN.end, or COLUMN.min, max or peak of what is watched there (";
  if (choice.wants_figures())
    return "figures tell of the steps of a run, which are not counted there; leave out figures from --record";
  for (const RecordingChoice::Item& item : choice.items()) {
    const std::string_view word = recording_word(item);
    if (word == "end") continue;
    const bool extreme = word == "min" || word == "max" || word == "peak";
    const auto column = std::ranges::find(columns, item.column, &RunBatch::Column::name);
    if (extreme && !item.column.empty() && (column == columns.end() || column->watched)) continue;  // or there is none
    std::vector<std::string> watched;
    for (const RunBatch::Column& c : columns)
      if (c.watched) watched.push_back(c.name);
    return fmt::format("cannot record {}{}{})",
                       in_quotes((item.column.empty() ? "" : item.column + ".") + std::string(word)), way_out,
                       fmt::join(watched, ", "));
  }
  return {};
}

// Why cases of this sweep are not for a device, in words; empty if they are.
std::string refusal(const CaseRunner& runner, const std::optional<CaseRunner::Shared>& shared,
                    const SweepSettings& settings) {
  const auto refuse = [](const std::string& why) { return std::string(asked) + why; };
  const BatchKind* kind = find_batch(settings.task);
  if (kind == nullptr)
    return refuse(
        fmt::format("{} is not for a GPU; {} can be", settings.task, fmt::join(verbs_with_batches(), " and ")));
  if (settings.limit > 0.0) return refuse("runs cannot be stopped one by one there; leave out --limit");
  if (settings.memory > 0.0) return refuse("runs have no processes of their own there; leave out --memory");
  if (!shared)
    return refuse(
        "numbers were computed from what is varied while the model was read, so that each case reads it anew; leave "
        "out --device");
  if (const std::string why = kind->refusal(shared->prepared, shared->parameters); !why.empty()) return why;
  const std::string why = refusal_of_recording(runner.choice(), kind->columns(shared->prepared));
  return why.empty() ? "" : refuse(why);
}

}  // namespace

std::unique_ptr<DeviceCases> DeviceCases::choose(const CaseRunner& runner, const SweepSettings& settings,
                                                 const Design& design, std::size_t cores, const OpenDevice& open) {
  if (settings.device == "cpu" || design.size() == 0) return nullptr;
  const bool must = settings.device == "cuda";
  std::vector<double> first(design.names().size());
  design.set_case(0, first);
  std::optional<CaseRunner::Shared> shared = runner.share(first);
  if (const std::string why = refusal(runner, shared, settings); !why.empty()) {
    if (must) throw InputError(why);
    return nullptr;
  }
  const BatchKind& kind = *find_batch(settings.task);
  if (!must && !kind.pays(shared->prepared, design.size(), static_cast<unsigned>(cores))) return nullptr;
  try {
    std::unique_ptr<Device> device = open();
    std::unique_ptr<RunBatch> batch = kind.make(*device, shared->prepared, shared->parameters);
    return std::unique_ptr<DeviceCases>(
        new DeviceCases(std::move(device), std::move(batch), std::move(shared->parameters), must));
  } catch (const InputError&) {
    if (must) throw;
    return nullptr;
  }
}

DeviceCases::DeviceCases(std::unique_ptr<Device> device, std::unique_ptr<RunBatch> batch,
                         std::vector<std::string> parameters, bool must)
    : device_(std::move(device)), batch_(std::move(batch)), parameters_(std::move(parameters)), must_(must) {
  for (const RunBatch::Column& column : batch_->columns()) columns_.push_back(column.name);
}

// Three rows that end and reach as far as all of them.
CaseRecord DeviceCases::record_of(std::uint64_t number, const RunBatch::Case& found,
                                  const RecordingChoice& choice) const {
  Recording recording(choice);
  recording.begin(columns_, 3);
  for (const std::vector<double>* row : {&found.least, &found.greatest, &found.end}) recording.append(*row);
  recording.finish();
  return {.number = number, .reason = {}, .numbers = recording.numbers(), .series = {}};
}

// A device that fails meanwhile leaves all to the processor, unless it was asked for.
std::optional<std::vector<RunBatch::Case>> DeviceCases::find(const std::vector<Overrides>& cases,
                                                             const CaseWork& work) {
  try {
    return batch_->run(cases, {work.threads, work.limits.stop});
  } catch (const InputError&) {
    if (must_) throw;
    return std::vector<RunBatch::Case>(cases.size());
  }
}

void DeviceCases::run(const CaseWork& work, CaseQueue& queue) {
  const auto stopped = [&] { return work.limits.stop && work.limits.stop(); };
  std::vector<double> values(parameters_.size());
  while (!stopped()) {
    std::vector<std::uint64_t> numbers;
    std::vector<Overrides> cases;
    while (numbers.size() < batch_->portion()) {
      const std::optional<std::uint64_t> number = queue.next();
      if (!number) break;
      work.design.set_case(*number, values);
      numbers.push_back(*number);
      Overrides& given = cases.emplace_back();
      for (std::size_t k = 0; k < parameters_.size(); ++k) given.emplace_back(parameters_[k], values[k]);
    }
    if (numbers.empty()) return;
    const auto found = find(cases, work);
    if (!found) return;
    std::vector<bool> not_left(work.design.size(), true);
    for (std::size_t p = 0; p < numbers.size(); ++p) {
      not_left[numbers[p]] = !(*found)[p].end.empty();
      if (!not_left[numbers[p]]) continue;
      work.deliver(record_of(numbers[p], (*found)[p], work.runner.choice()));
      ++found_;
    }
    CaseQueue left(work.design.size(), {}, not_left);
    if (left.size() > 0) run_cases(work, left);
  }
}

}  // namespace invar
