// What became machine code in a run, and why the rest did not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace invar {

struct CodeReport {
  struct Part {
    std::string name;              // of what is computed
    std::size_t instructions = 0;  // of its tape
    std::size_t points = 1;        // at a time
    bool used = false;
    bool cached = false;  // it had been built before
    double from = 0.0;    // seconds after the run began
    double took = 0.0;    // seconds to build it, or to load it
    std::string why_not;  // if it was not used
  };
  std::vector<Part> parts;                        // that a compiler was asked for, or that were machine code already
  std::string why_not = "no compiler was given";  // if none was used

  bool used() const { return why_not.empty(); }
};

}  // namespace invar
