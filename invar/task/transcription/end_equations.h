// Final values as linear equations of what moves at the end, and which of them follow from others.
#pragma once

#include "invar/math/matrix.h"
#include "invar/system/state_function.h"
#include "invar/task/transcription/optimize_settings.h"

namespace invar {

// rows · x = wanted, where x are coordinates, as differences to those of an end, or rates.
struct EndEquations {
  std::vector<Limit> limits;  // a row for each
  Matrix rows;
  Vector wanted;
  Vector size;  // of the terms that `wanted` is the sum of
};

// By which unknowns: positions alone, or velocities, which positions go with.
enum class EndUnknowns { coordinates, rates };

// Of the limits those that are equations of these unknowns, at an end without velocity. What contains given functions
// of time is left out.
EndEquations end_equations(const System& system, const std::vector<Limit>& final, const State& end, EndUnknowns of);

// Momenta that nothing changes, as equations of the rates at the end.
EndEquations kept_momenta_at(const System& system, const State& start, const State& end);

EndEquations together(const EndEquations& a, const EndEquations& b);

// The formulas, then the gradient of each.
Exprs with_rows_of_jacobian(Exprs formulas, const Exprs& variables);
// Rows that begin at a place of a list of numbers.
Matrix rows_from(const std::vector<double>& numbers, std::size_t first, std::size_t rows, std::size_t columns);
Vector first_of(const std::vector<double>& numbers, std::size_t count);

struct FinalValues {
  std::vector<Limit> independent, followers;
};

// Final velocities that follow from others, from the constraints and from momenta that nothing changes must not be said
// twice, if the steps keep constraints at velocity level. Those that contradict the others are no followers.
FinalValues without_followers(const System& system, const std::vector<Limit>& final, const State& start,
                              const State& end);

}  // namespace invar
