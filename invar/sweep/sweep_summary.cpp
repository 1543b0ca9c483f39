// See sweep_summary.h.
#include "invar/sweep/sweep_summary.h"

#include "invar/record/sentences.h"

namespace invar {

namespace {

// "998 done, 2 failed"
std::string counts_in_words(const SweepSummary& s) {
  std::string words = fmt::format("{} done", s.done);
  if (s.failed > 0) words += fmt::format(", {} failed", s.failed);
  if (s.stopped > 0) words += fmt::format(", {} stopped", s.stopped);
  return words;
}

}  // namespace

std::unique_ptr<SummaryPart> SweepSummary::copy() const { return std::make_unique<SweepSummary>(*this); }

JsonObject SweepSummary::figures() const {
  JsonObject all = {{"task", of},        {"design", design}, {"sampling", sampling}, {"varied", varied},
                    {"drawn", drawn},    {"repeat", repeat}, {"figures", recorded},  {"cases", cases},
                    {"done", done},      {"failed", failed}, {"stopped", stopped},   {"found_before", found_before},
                    {"threads", threads}};
  if (!device.empty()) {
    all.emplace_back("device", device);
    all.emplace_back("on_device", on_device);
  }
  if (traffic)
    all.emplace_back("traffic", JsonObject{{"runs", traffic->runs},
                                           {"messages", traffic->messages},
                                           {"bytes", traffic->bytes},
                                           {"processor_seconds", traffic->seconds}});
  return all;
}

std::vector<std::string> SweepSummary::sentences(const Summary& s) const {
  Sentences say;
  say("{}: {} {} of {}, {}", s.name, cases, cases == 1 ? "run" : "runs", of, duration(s.wall_seconds));
  say("{}", design);
  if (done + failed + stopped == cases)
    say("{}", counts_in_words(*this));
  else
    say("{}; {} are still to be run", counts_in_words(*this), cases - done - failed - stopped);
  if (!first_reason.empty()) say("case {}: {}", first_not_done, first_reason);
  if (!device.empty()) say("{} of them by {}", on_device, device);
  if (found_before > 0) say("{} of them had been run before", found_before);
  return std::move(say).list();
}

std::string SweepSummary::headline(const Summary&, const Trajectory&) const {
  return fmt::format("{} {} of {}: {}.", cases, cases == 1 ? "run" : "runs", of, counts_in_words(*this));
}

std::vector<KeyFigure> SweepSummary::key_figures(const Summary&) const {
  return {{"cases", static_cast<double>(cases)},
          {"done", static_cast<double>(done)},
          {"failed", static_cast<double>(failed)},
          {"stopped", static_cast<double>(stopped)}};
}

}  // namespace invar
