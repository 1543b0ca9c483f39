// Which joint, cable, gear or body a constraint belongs to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "invar/model/problem/problem.h"

namespace invar {

struct Part {
  std::string kind;  // "joint", "cable", "gear", "body", "prescribed spin"; "constraint" in a system of formulas
  std::string name;
};

class PartNames {
 public:
  explicit PartNames(const Problem& problem);

  Part of(const std::string& constraint) const;
  // Each once, without the bodies, whose own constraints only keep them rigid.
  std::vector<std::string> connections(const std::vector<std::string>& constraints) const;
  // "joints A, B, cable c"
  std::string in_words(const std::vector<std::string>& parts) const;

 private:
  std::map<std::string, std::string> kinds_;  // by name
};

// "A, B, C"; of very many the first and the last.
std::string in_a_row(const std::vector<std::string>& names);

}  // namespace invar
