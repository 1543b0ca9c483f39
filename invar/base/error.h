// How Invar fails: wrong input throws InputError, a broken promise inside the program throws ContractViolation; all
// that Invar throws is an Error. Numerical failure is none: it is a status that the solver returns.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

namespace invar {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The user's model, data or command line is wrong. The message is one line, fit to be shown as it is.
class InputError : public Error {
 public:
  using Error::Error;
};

// A precondition between two parts of Invar does not hold: a bug, checked in every build.
class ContractViolation : public Error {
 public:
  using Error::Error;
};

inline void expects(bool condition, const char* promise, std::source_location where = std::source_location::current()) {
  if (!condition)
    throw ContractViolation(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": expected " +
                            promise);
}

}  // namespace invar
