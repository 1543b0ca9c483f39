// What a run tells the person at the terminal.
#pragma once

#include <string>

#include "invar/record/summary.h"

namespace invar::app {

void print_simulation(const Summary& summary);
void print_inversion(const Summary& summary);
void print_optimum(const Summary& summary);
void print_control(const Summary& summary);

void warn(const std::string& warning);  // on standard error

}  // namespace invar::app
