// What one task has to say about its run: figures for summary.json, sentences for the terminal and the report. Each
// task defines its own.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "invar/record/json_value.h"
#include "invar/record/trajectory.h"

namespace invar {

struct Summary;

struct KeyFigure {
  std::string label;
  double value = 0.0;
  std::string unit = {};
};

// Values that approach a limit, to be plotted against the size of the steps.
struct ConvergencePlot {
  std::string size_label, value_label;
  std::vector<double> sizes, values;
  std::optional<double> order;
};

class SummaryPart {
 public:
  virtual ~SummaryPart() = default;
  virtual std::unique_ptr<SummaryPart> copy() const = 0;

  // Under this key summary.json has the figures; a part without a key has none.
  virtual std::string_view key() const { return {}; }
  virtual JsonObject figures() const { return {}; }
  // What it tells about the kind of problem, at the head of "structure".
  virtual JsonObject structure() const { return {}; }

  // What was done and how well, a fact each; the first says what was done. The terminal prints them and the report
  // shows them.
  virtual std::vector<std::string> sentences(const Summary& summary) const = 0;
  // All of it in one sentence, for a run that is done.
  virtual std::string headline(const Summary& summary, const Trajectory& trajectory) const = 0;
  virtual std::vector<KeyFigure> key_figures(const Summary& summary) const = 0;

  // Do the inputs keep their values from row to row?
  virtual bool holds_inputs() const { return false; }
  // Instants at which the equations are singular, to be marked in plots.
  virtual std::vector<double> marked_times() const { return {}; }
  virtual std::optional<ConvergencePlot> convergence() const { return std::nullopt; }
  // Further text of the report.
  struct Chapter {
    std::string title, text;
  };
  virtual std::optional<Chapter> chapter() const { return std::nullopt; }

 protected:
  SummaryPart() = default;
  SummaryPart(const SummaryPart&) = default;
  SummaryPart& operator=(const SummaryPart&) = default;
};

// The parts of a summary, at most one of each kind, in the order in which they were added. A copy has copies of them.
class SummaryParts {
 public:
  SummaryParts() = default;
  SummaryParts(SummaryParts&&) = default;
  SummaryParts& operator=(SummaryParts&&) = default;
  SummaryParts(const SummaryParts& other) {
    for (const auto& part : other.list_) list_.push_back(part->copy());
  }
  SummaryParts& operator=(const SummaryParts& other) { return *this = SummaryParts(other); }
  ~SummaryParts() = default;

  // Nothing if there is none.
  template <std::derived_from<SummaryPart> Part>
  const Part* find() const {
    for (const auto& part : list_)
      if (const auto* found = dynamic_cast<const Part*>(part.get())) return found;
    return nullptr;
  }
  template <std::derived_from<SummaryPart> Part>
  Part* find() {
    return const_cast<Part*>(std::as_const(*this).find<Part>());
  }
  // In place of the one that there is, if there is one.
  template <std::derived_from<SummaryPart> Part>
  Part& set(Part part) {
    if (Part* found = find<Part>()) return *found = std::move(part);
    list_.push_back(std::make_unique<Part>(std::move(part)));
    return static_cast<Part&>(*list_.back());
  }

  // The first is that of the task; a check may have several.
  bool empty() const { return list_.empty(); }
  const SummaryPart& front() const { return *list_.front(); }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

 private:
  std::vector<std::unique_ptr<SummaryPart>> list_;
};

}  // namespace invar
