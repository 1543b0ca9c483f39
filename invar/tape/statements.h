// The operations of a function as C statements, for code that is written around them: kernels of a GPU. The same
// operations as everywhere, in an order in which few values wait for their use.
//
//   const double v7 = x[0] * v3;
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "invar/tape/function.h"

namespace invar {

struct StatementText {
  // What stands for an input.
  std::function<std::string(std::size_t k)> input;
  // What is done with outputs k … k + group - 1, when all of them are known.
  std::function<std::string(std::size_t k, std::span<const std::string> values)> output;
  std::size_t group = 1;
};

std::string statements(const Function& function, const StatementText& text);

// The same in parts of at most so many operations, each of which can be a function of its own. What one part leaves for
// others stands in an array w.
struct StatementParts {
  std::vector<std::string> text;
  std::size_t passed = 0;  // entries of w
};
StatementParts statements_in_parts(const Function& function, const StatementText& text, std::size_t longest);

// The functions that <math.h> lacks: once, before all statements.
std::string statement_helpers();

// The inputs on which the outputs depend.
std::vector<bool> used_inputs(const Function& function);

}  // namespace invar
