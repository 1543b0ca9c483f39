// A sweep from its order to its result folder.
//
// While it goes on, DIR.unfinished holds the journals of what is done (sweep_journals.h) and status.json. Whoever is
// started with the same order goes on from there; once every case is recorded, DIR is made of the journals.
#pragma once

#include <filesystem>
#include <functional>

#include "invar/record/summary.h"
#include "invar/sweep/crew.h"
#include "invar/sweep/device_cases.h"
#include "invar/sweep/run_cases.h"
#include "invar/sweep/sweep_journals.h"
#include "invar/task/sweep/sweep_settings.h"

namespace invar {

struct SweepOrder {
  SweptModel model;
  std::string name;  // of the model
  SweepSettings settings;
  std::filesystem::path results;  // the folder
  SweepPart part;
  std::size_t threads = 1;
  Crew* crew = nullptr;                  // programs that help; none: only this one works
  OpenDevice open_device = cuda_device;  // if the settings ask for one
  std::vector<std::string> repeat = {};  // words behind `invar` that run one case by itself, but for its values
};

// For such a program.
void help_with(const SweepOrder& order, Foreman& foreman, const std::function<bool()>& stop);

class SweepRun {
 public:
  // InputError if the order is wrong, or if another sweep is unfinished in its place.
  explicit SweepRun(SweepOrder order);

  struct Watch {
    std::function<bool()> stop;                      // shall it end? Asked often, in any thread
    std::function<void(double fraction)> show = {};  // how much of the work at hand is done
  };
  // Runs the cases of the part that nobody has run.
  void run(const Watch& watch);

  bool is_complete() const { return journals_.is_complete(); }
  // Of the part.
  bool is_part_complete() const;
  // Of those that this program ran; zero if there were none.
  double seconds_per_case() const;
  const std::filesystem::path& unfinished() const { return journals_.folder(); }

  // Makes the result folder of a complete sweep; `finish` may add to it before it is put in its place.
  Summary write(const std::function<void(const std::filesystem::path& folder)>& finish = {});
  Summary summary() const;

 private:
  void share(const CaseWork& work, CaseQueue& queue);
  void run_on(DeviceCases& device, const CaseWork& work, CaseQueue& queue);

  SweepOrder order_;
  const Task& task_;
  Design design_;
  CaseRunner runner_;
  SweepJournals journals_;
  std::uint64_t found_before_;
  double seconds_ = 0.0;
  std::string device_;           // that ran cases; empty: none did
  std::uint64_t on_device_ = 0;  // so many
  CrewTraffic traffic_;
};

}  // namespace invar
