// The instants of an inversion: those at which results are wanted, and more where they are needed.
#pragma once

#include <cstddef>
#include <vector>

#include "invar/task/inverse_structure/invert_settings.h"

namespace invar {

std::vector<double> output_grid(const InvertSettings& settings);

// The grid refined to at least so many intervals, so that expansions between two jets are accurate.
std::vector<double> refined(const std::vector<double>& grid, std::size_t enough);

// Grid and knots together: the jets at the knots are needed to evaluate inputs between grid points.
std::vector<double> with_knots(std::vector<double> grid, const std::vector<double>& knots);

// But for rounding.
bool is_near(const std::vector<double>& grid, double t);

}  // namespace invar
