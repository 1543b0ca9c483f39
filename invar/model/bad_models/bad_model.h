// A model file that must be refused, and how such files are made from a good one.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace invar {

struct BadModel {
  std::string name;   // what is wrong, for whoever reads a failed test
  std::string text;   // of the file
  std::string error;  // the one line that refuses it, after the `FILE:`
  bool whole = true;  // otherwise the line only begins so, since the rest is the wording of a library

  bool is_refused_by(const std::string& line, const std::string& file) const {
    const std::string expected = file + ":" + error;
    return whole ? line == expected : line.starts_with(expected) && line.find('\n') == std::string::npos;
  }
};

// The good model with other text in place of one line; line 0 changes nothing.
inline std::string good_model_with(std::size_t line, const std::string& replacement) {
  const std::vector<std::string> good = {
      "name = \"p\"",                     // 1
      "[parameters]",                     // 2
      "m = 2.0",                          // 3
      "[system]",                         // 4
      "coordinates = [\"x\", \"y\"]",     // 5
      "kinetic = \"m/2*(x'^2 + y'^2)\"",  // 6
      "potential = \"m*y\"",              // 7
      "[[system.constraint]]",            // 8
      "name = \"rod\"",                   // 9
      "expr = \"x^2 + y^2 - 1\"",         // 10
      "[[system.input]]",                 // 11
      "name = \"F\"",                     // 12
      "force = { x = \"1\" }",            // 13
      "[[system.output]]",                // 14
      "name = \"out\"",                   // 15
      "expr = \"x\"",                     // 16
      "[initial]",                        // 17
      "x = 1.0",                          // 18
      "y = 0.0",                          // 19
      "[simulate]",                       // 20
      "until = 1.0",                      // 21
      "step = 0.01",                      // 22
  };
  std::string text;
  for (std::size_t i = 0; i < good.size(); ++i) text += (i + 1 == line ? replacement : good[i]) + "\n";
  return text;
}

struct BadLine {
  std::size_t line;
  std::string replacement;
  std::string error;
};

inline std::vector<BadModel> with_bad_lines(const std::vector<BadLine>& lines) {
  std::vector<BadModel> models;
  for (const BadLine& bad : lines)
    models.push_back({"line " + std::to_string(bad.line) + ": " + bad.replacement,
                      good_model_with(bad.line, bad.replacement), bad.error});
  return models;
}

}  // namespace invar
