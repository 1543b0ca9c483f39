// What the kernels of steps have in common, as C text.
#pragma once

#include <string>

#include "invar/device/step_program.h"

namespace invar {

// A number as C reads it back.
std::string kernel_number(double x);

// "name[k]"
std::string element(const char* name, std::size_t k);

// Of parameter k.
std::string parameter_text(const KernelParameters& parameters, std::size_t k);

// The kernel from its parts: declarations of a point, the statements of one step of row `row` that change `node`, and
// statements after the last step. In a step `leave` ends the point's way where the node still is the step's start.
struct StepText {
  std::string tables;   // before the function
  std::string begin;    // after the node is read
  std::string step;
  std::string end;
};
std::string step_kernel(const StepProgram& program, const StepText& text);

}  // namespace invar
