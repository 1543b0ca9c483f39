// What the kernels of steps have in common, as C text.
#pragma once

#include <string>

#include "invar/device/step_program.h"
#include "invar/tape/statements.h"

namespace invar {

// A number as C reads it back.
std::string kernel_number(double x);

// "name[k]"
std::string element(const char* name, std::size_t k);

// A function of a kernel that computes what `function` does: short ones become part of whoever calls them, long ones
// are functions of their own, one after the other, since compilers give up on very long ones.
struct KernelFunction {
  std::string definition;
  std::string call;
};
// `parameters` as they are declared, "const double *x, …", and `arguments` as they are handed over.
KernelFunction kernel_function(const std::string& name, const std::string& parameters, const std::string& arguments,
                               const Function& function, const StatementText& text);
// The same as a function of its own in any case, as whole as compilers allow.
KernelFunction kernel_function_apart(const std::string& name, const std::string& parameters,
                                     const std::string& arguments, const Function& function, const StatementText& text);

// Of parameter k; those of a point stand in an array own.
std::string parameter_text(const KernelParameters& parameters, std::size_t k);

// The kernel from its parts: declarations of a point, the statements of one step of row `row` that change `node`, and
// statements after the last step. In a step `leave` ends the point's way where the node still is the step's start.
struct StepText {
  std::string tables;  // before the function
  std::string begin;   // after the node is read
  std::string step;
  std::string end;
};
std::string step_kernel(const StepProgram& program, const StepText& text);

}  // namespace invar
