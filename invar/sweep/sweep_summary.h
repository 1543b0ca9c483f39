// What is said about a sweep as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "invar/record/summary.h"
#include "invar/record/sweep/sweep_table.h"
#include "invar/sweep/crew.h"

namespace invar {

struct SweepSummary : SummaryPart {
  std::string of;        // the task
  std::string design;    // in words
  std::string sampling;  // of what is drawn
  std::vector<std::string> varied, drawn, recorded;
  std::vector<std::string> repeat;  // words behind `invar` that run one case by itself, but for its values
  std::uint64_t cases = 0, done = 0, failed = 0, stopped = 0;
  std::string first_reason;          // of the first case that is not done
  std::uint64_t first_not_done = 0;  // its number
  std::uint64_t found_before = 0;    // by earlier starts of the same sweep, or by others
  std::size_t threads = 1;
  std::string device;                  // that ran cases in this start; empty: none did
  std::uint64_t on_device = 0;         // so many
  std::optional<CrewTraffic> traffic;  // with ranks

  std::unique_ptr<SummaryPart> copy() const override;
  std::string_view key() const override { return "sweep"; }
  JsonObject figures() const override;
  std::vector<std::string> sentences(const Summary& summary) const override;
  std::string headline(const Summary& summary, const Trajectory& trajectory) const override;
  std::vector<KeyFigure> key_figures(const Summary& summary) const override;
};

}  // namespace invar
