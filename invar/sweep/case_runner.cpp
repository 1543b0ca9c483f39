// See case_runner.h.
#include "invar/sweep/case_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/base/message.h"
#include "invar/model/file/places.h"
#include "invar/model/problem/with_parameters.h"
#include "invar/read/read_problem.h"

namespace invar {

namespace {

using Clock = std::chrono::steady_clock;

// A parameter that nobody else can have.
std::string parameter_for(const model::Document& document, std::size_t k) {
  std::string name = "place_" + std::to_string(k);
  while (document.text.find(name) != std::string::npos) name += '_';
  return name;
}

// The file without what only costs time in each case.
model::Document without_sweep(model::Document document) {
  std::erase_if(document.root, [](const model::Entry& entry) { return entry.key == "sweep"; });
  return document;
}

SweptModel without_sweep(SweptModel model) {
  model.document = without_sweep(std::move(model.document));
  return model;
}

}  // namespace

CaseRunner::CaseRunner(SweptModel model, const Task& task, std::vector<std::string> names,
                       std::span<const double> first, RecordingChoice choice)
    : model_(without_sweep(std::move(model))), task_(task), names_(std::move(names)), choice_(std::move(choice)) {
  const std::vector<std::string> parameters = model::parameter_names(model_.document);
  for (const std::string& name : names_) {
    if (model::is_place(model_.document, name))
      model::number_at(model_.document, name);
    else if (std::ranges::find(parameters, name) == parameters.end())
      throw InputError(display(model_.document.file) + ": cannot vary unknown parameter " + in_quotes(name) +
                       (parameters.empty() ? "; write TABLE.KEY for a place of the file, such as initial.x"
                                           : suggestion(name, parameters)));
  }
  if (!task_.run_alike) return;
  if (std::optional<Shared> shared = share(first)) {
    prepared_ = std::move(shared->prepared);
    parameters_ = std::move(shared->parameters);
  }
}

Overrides CaseRunner::with(const std::vector<std::string>& names, std::span<const double> values) const {
  Overrides all = model_.overrides;
  for (std::size_t i = 0; i < names.size(); ++i) all.emplace_back(names[i], values[i]);
  return all;
}

Problem CaseRunner::read(std::span<const double> values) const {
  Problem problem = read_problem(model_.document, with(names_, values), model_.formulation);
  task_.take(model_.given, problem);
  return problem;
}

std::optional<CaseRunner::Shared> CaseRunner::share(std::span<const double> first) const {
  try {
    model::Document document = model_.document;
    std::vector<std::string> parameters = names_;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (!model::is_place(document, names_[k])) continue;
      const double value = model::number_at(document, names_[k]).value_or(first[k]);
      parameters[k] = parameter_for(document, k);
      model::set_value(document, names_[k], {{0, 0}, parameters[k]});
      model::set(document, "parameters", {parameters[k], {0, 0}, model::number_value(value)});
    }
    Problem problem = read_problem(document, model_.overrides, model_.formulation);
    task_.take(model_.given, problem);
    Overrides other;
    for (const Parameter& p : problem.system.parameters)
      if (std::ranges::find(parameters, p.name) != parameters.end())
        other.emplace_back(p.name, std::nextafter(p.value, 2.0 * std::abs(p.value) + 1.0));
    with_parameters(problem, other);
    return Shared{Prepared(std::move(problem)), std::move(parameters)};
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// A run that used what is shared and was refused is made once more by itself: the message is then that of the model.
Outcome CaseRunner::outcome(std::span<const double> values, const RunOptions& options, Recording& recording) const {
  if (prepared_) {
    try {
      Overrides given;
      for (std::size_t i = 0; i < parameters_.size(); ++i) given.emplace_back(parameters_[i], values[i]);
      if (std::optional<Outcome> found = task_.run_alike(*prepared_, given, options)) return *std::move(found);
    } catch (const UnknownColumn&) {
      throw;
    } catch (const InputError&) {
    }
    recording = Recording(choice_);
  }
  return task_.run(Prepared(read(values)), {}, options);
}

std::optional<CaseRecord> CaseRunner::run(std::uint64_t number, std::span<const double> values,
                                          const Limits& limits) const {
  CaseRecord record{.number = number, .reason = {}, .numbers = {}, .series = {}};
  const Clock::time_point begin = Clock::now();
  const auto is_late = [&] {
    return limits.seconds > 0.0 && std::chrono::duration<double>(Clock::now() - begin).count() > limits.seconds;
  };
  const auto has_to_end = [&] { return (limits.stop && limits.stop()) || is_late(); };
  // Half a run has no figures that could stand beside those of whole ones.
  const auto end_as = [&](CaseStatus status, std::string reason) {
    record = {number, status, std::move(reason), {}, {}};
  };
  Recording recording(choice_);
  RunOptions options;
  options.rows = &recording;
  options.keep_going = [&](double) { return !has_to_end(); };
  bool cut_short = false;
  try {
    const InterruptScope scope(has_to_end);
    const Outcome found = outcome(values, options, recording);
    cut_short = found.summary.status == RunStatus::interrupted;
    if (found.summary.status == RunStatus::failed) end_as(CaseStatus::failed, found.summary.message);
    if (found.summary.status == RunStatus::done) {
      if (!recording.has_begun()) write_rows(found.trajectory, recording);
      if (choice_.wants_figures()) record.numbers = figures_of(found.summary);
      std::ranges::copy(recording.numbers(), std::back_inserter(record.numbers));
      record.series = recording.series();
      const auto odd = std::ranges::find_if(record.numbers, [](const auto& n) { return std::isinf(n.value); });
      if (odd != record.numbers.end())
        end_as(CaseStatus::failed, "the figure " + odd->name + " is not finite: the result cannot be judged");
    }
  } catch (const Interrupted&) {
    cut_short = true;
  } catch (const UnknownColumn&) {
    throw;
  } catch (const InputError& e) {
    end_as(CaseStatus::failed, e.what());
  } catch (const std::bad_alloc&) {
    end_as(CaseStatus::stopped, "not enough memory");
  } catch (const std::exception& e) {
    end_as(CaseStatus::failed, std::string(e.what()) + " (this is a bug in Invar)");
  }
  if (cut_short && !is_late()) return std::nullopt;
  if (cut_short) end_as(CaseStatus::stopped, fmt::format("took longer than {:.6g} s", limits.seconds));
  return record;
}

}  // namespace invar
