// See step_places.h.
#include "invar/device/step_places.h"

#include <algorithm>

namespace invar {

std::vector<std::vector<double>> step_places(Stepper stepper, const StepFormulas& formulas, double h,
                                             const Stepper::Inputs& inputs) {
  constexpr int some_steps = 5, first_steps = 20;
  std::vector<std::vector<double>> places;
  Stepper::Memory start;
  stepper.save(start);
  const auto add = [&] { places.emplace_back(stepper.arguments().begin(), stepper.arguments().end()); };
  for (int k = 1; k <= first_steps; ++k) {
    if (stepper.advance(h, inputs).status != NewtonStatus::converged) break;
    if (k == 1) {
      add();
      std::ranges::copy(start.node, places.back().begin() + static_cast<std::ptrdiff_t>(formulas.node));
      std::vector<double> guess(formulas.unknowns());
      Scratch scratch;
      formulas.guess(places.back(), guess, scratch);
      std::ranges::copy(guess, places.back().begin());
    }
    if (k == 1 || k == some_steps || k == first_steps) add();
  }
  if (places.empty()) add();
  std::ranges::reverse(places);
  return places;
}

}  // namespace invar
