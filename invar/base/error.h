// How Invar fails: wrong input throws InputError, a broken promise inside the program throws ContractViolation.
// Numerical failure is neither: it is a status that the solver returns.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace invar {

// The user's model, data or command line is wrong. The message is one line, fit to be shown as it is.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A precondition between two parts of Invar does not hold: a bug, checked in every build.
class ContractViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void expects(bool condition, const char* promise, std::source_location where = std::source_location::current()) {
  if (!condition)
    throw ContractViolation(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": expected " +
                            promise);
}

}  // namespace invar
