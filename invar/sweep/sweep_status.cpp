// See sweep_status.h.
#include "invar/sweep/sweep_status.h"

#include <nlohmann/json.hpp>

#include "invar/record/file.h"

namespace invar {

SweepStatus::SweepStatus(const SweepJournals& journals, std::uint64_t at_hand)
    : journals_(journals), at_hand_(at_hand) {
  write("running");
}

double SweepStatus::ended() {
  ++ended_;
  constexpr std::chrono::seconds interval(1);
  if (const Clock::time_point now = Clock::now(); now - last_ > interval) {
    last_ = now;
    write("running");
  }
  return at_hand_ == 0 ? 1.0 : static_cast<double>(ended_) / static_cast<double>(at_hand_);
}

// A status that cannot be written is no reason to stop.
void SweepStatus::write(std::string_view state) const {
  const SweepCounts& counts = journals_.counts();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  nlohmann::ordered_json json = {{"state", state},          {"cases", journals_.cases()}, {"recorded", counts.all()},
                                 {"done", counts.done},     {"failed", counts.failed},    {"stopped", counts.stopped},
                                 {"to_run_here", at_hand_}, {"run_here", ended_},         {"seconds", seconds}};
  json["seconds_left"] = nullptr;
  if (ended_ > 0) json["seconds_left"] = seconds * static_cast<double>(at_hand_ - ended_) / static_cast<double>(ended_);
  const std::filesystem::path path = journals_.folder() / "status.json", fresh = journals_.folder() / "status.json.new";
  try {
    write_text(fresh, json.dump(2) + "\n");
    std::error_code ignored;
    std::filesystem::rename(fresh, path, ignored);
  } catch (const OutputError&) {
  }
}

}  // namespace invar
