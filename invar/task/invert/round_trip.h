// The proof of an inversion: a forward simulation with the computed inputs, which must reproduce the outputs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "invar/system/state_function.h"
#include "invar/task/inverse_structure/inverse_structure.h"
#include "invar/task/invert/jet_interpolation.h"

namespace invar {

// A simulation from one jet to another, and how far the outputs were off.
struct Replay {
  double from = 0.0;           // where it begins
  bool complete = false;       // did it get to its end?
  std::string message;         // why not
  double largest_error = 0.0;  // of a prescribed output
  double relative = 0.0;       // largest, to the scales of the outputs (output_scale.h)
  std::string output;          // which, and when
  double at = 0.0;
  std::vector<double> t, error;  // relative error of the worst output at every jet
  double motion = 0.0;           // largest difference of a coordinate from the computed motion, relative to its scale
};

class RoundTrip {
 public:
  RoundTrip(const Problem& problem, const InverseStructure& structure, const std::vector<Jet>& jets,
            const JetInterpolation& interpolation);
  ~RoundTrip();
  // Errors below this, of the range of an output or of a coordinate, leave no doubt about exact inputs.
  static constexpr double no_doubt = 1e-9;
  // Starts in the motion of the first jet. At least `steps` steps, and a comparison at every jet. Explicit steps are
  // enough where their errors are at most `accepted`.
  Replay replay(std::size_t first, std::size_t last, std::size_t steps, double accepted = no_doubt);
  // The whole motion, or what is away from a start that is singular. `settle`: where explicit steps leave a doubt, but
  // none of importance, the implicit scheme decides; otherwise what they told is returned.
  Replay replay(bool settle = true);

 private:
  struct Mover;
  struct Quick;
  struct Thorough;
  struct Part {
    std::size_t first, last, steps, stride;
    bool settle = true;
    double accepted = no_doubt;
  };
  Replay simulate(const Part& part);
  Replay simulate(Mover& mover, const Part& part, const State& start);
  Replay replay(const Part& part);
  Replay replay_quickly(std::size_t first, std::size_t last, bool settle);
  State start_at(const Jet& jet, std::span<const double> u);
  void inputs_at(std::size_t k, double t, std::span<double> u) const;
  void compare(const Jet& wanted, const Mover& mover, Replay& replay);

  const Problem& problem_;
  const InverseStructure& structure_;
  const std::vector<Jet>& jets_;
  const JetInterpolation& interpolation_;
  std::vector<double> scales_, coordinates_;  // scales of the outputs and of the coordinates
  Jet reached_;
  Matrix f_;
  struct Plant;
  std::unique_ptr<Plant> plant_;  // made when the first simulation begins
};

}  // namespace invar
