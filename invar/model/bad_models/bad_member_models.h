// Mistakes in beams and strings.
#pragma once

#include "invar/model/bad_models/bad_model.h"

namespace invar {

// A good beam and a good string with other text in place of one line; line 0 changes nothing.
inline std::string good_members_with(std::size_t line, const std::string& replacement) {
  const std::vector<std::string> good = {
      "name = \"p\"",                             // 1
      "[world]",                                  // 2
      "gravity = [0, 0, -9.81]",                  // 3
      "[[body]]",                                 // 4
      "name = \"hub\"",                           // 5
      "mass = 1",                                 // 6
      "inertia = [1, 1, 1]",                      // 7
      "position = [0, 0, 0]",                     // 8
      "[[beam]]",                                 // 9
      "name = \"boom\"",                          // 10
      "points = [[0, 0, 0], [2, 0, 0]]",          // 11
      "normal = [0, 0, 1]",                       // 12
      "elements = 2",                             // 13
      "EA = 1e4",                                 // 14
      "GA = 1e4",                                 // 15
      "EI = 10",                                  // 16
      "GJ = 10",                                  // 17
      "mass_per_length = 1",                      // 18
      "inertia_per_length = [0.01, 0.01, 0.02]",  // 19
      "from = \"hub\"",                           // 20
      "[[string]]",                               // 21
      "name = \"rope\"",                          // 22
      "points = [[2, 0, 0], [4, 0, 0]]",          // 23
      "length = 3",                               // 24
      "elements = 2",                             // 25
      "mass_per_length = 0.1",                    // 26
      "EA = 1e3",                                 // 27
      "from = { on = \"boom\", s = 2 }",          // 28
      "to = \"ground\"",                          // 29
      "[[output]]",                               // 30
      "name = \"tip\"",                           // 31
      "point = { on = \"boom\", s = 2 }",         // 32
  };
  std::string text;
  for (std::size_t i = 0; i < good.size(); ++i) text += (i + 1 == line ? replacement : good[i]) + "\n";
  return text;
}

inline std::vector<BadModel> bad_members() {
  const std::vector<BadLine> lines = {
      {11, "points = [[0, 0, 0]]", "11:10: beam \"boom\": \"points\" must be an array of two or more points"},
      {11, "points = [[0, 0, 0], [0, 0, 0]]", "11:22: beam \"boom\": this point is where the one before it is"},
      {11, "", "9:1: beam \"boom\": missing \"points\", \"arc\" or \"curve\""},
      {11, "points = [[0, 0, 0], [2, 0, 0]]\ncurve = [\"s\", 0, 0]",
       "12:1: beam \"boom\": give either \"points\" or \"curve\""},
      {11, "curve = [\"2*s\", 0, 0]\nlength = 2",
       "11:9: beam \"boom\": \"curve\" must be given by arc length, but its slope at s = 0 has length 2"},
      {11, "arc = { from = [0, 0, 0], along = [1, 0, 0], towards = [1, 0, 0], radius = 1, angle = 1 }",
       "11:56: beam \"boom\": arc: \"towards\" must not be along \"along\""},
      {12, "normal = [1, 0, 0]", "9:1: beam \"boom\": \"normal\" is along the line"},
      {13, "elements = 0", "13:12: beam \"boom\": \"elements\" must lie between 1 and 5000"},
      {13, "elements = 2\nelement_nodes = 4", "14:17: beam \"boom\": \"element_nodes\" must be 2 or 3"},
      {14, "EA = 0", "14:6: beam \"boom\": \"EA\" must be positive"},
      {15, "", "9:1: beam \"boom\": missing \"GA\""},
      {16, "EI = [10, -1]", "16:6: beam \"boom\": \"EI\" must be positive"},
      {17, "GJ = 10\nsection = { circle = 0.1 }", "14:1: beam \"boom\": contradicts \"section\": give one of them"},
      {17, "GJ = 10\nrigid = [\"bending\"]",
       "18:10: beam \"boom\": unknown strain \"bending\"; \"rigid\" takes \"shear\", \"extension\" and \"torsion\""},
      {18, "", "9:1: beam \"boom\": missing \"mass_per_length\""},
      {19, "inertia_per_length = [1, 0.1, 0.1]",
       "19:22: beam \"boom\": is no inertia: each of its numbers is at most the sum of the others"},
      {20, "from = \"hob\"", "20:8: beam \"boom\": unknown body \"hob\"; did you mean \"hub\"?"},
      {20, "from = { on = \"hub\", at = [0.1, 0, 0] }", "20:8: beam \"boom\": its end is 0.1 m away from there"},
      {20, "from = \"hub\"\nload = [\"u\", 0, 0]", "21:10: beam \"boom\": \"load\": unknown name \"u\""},
      {24, "length = 0", "24:10: string \"rope\": \"length\" must be positive"},
      {27, "", "21:1: string \"rope\": give either \"EA\" or \"inextensible = true\""},
      {27, "inextensible = true\ndamping = 1", "28:1: string \"rope\": what cannot be stretched has no damping"},
      {27, "EA = 1e3\nwinch = { coordinate = \"l\" }", "28:9: string \"rope\": winch: missing \"stored\""},
      {27, "EA = 1e3\ndamping = 0.1\nwinch = { coordinate = \"l\", stored = 1 }",
       "28:1: string \"rope\": a string with a winch has no damping of its own"},
      {28, "winch = { coordinate = \"l\", stored = 1 }",
       "28:1: string \"rope\": the winch winds the string up at \"from\", which is missing"},
      {29,
       "to = \"ground\"\nwinch = { coordinate = \"l\", stored = 1 }\n[[output]]\nname = \"o\"\n"
       "point = { on = \"rope\", s = 1 }",
       "33:28: \"rope\" moves through a winch, so that nothing stays at s = 1 of it; only its other end, s = 3, can be "
       "spoken of"},
      {28, "from = { on = \"boom\", s = 3 }", "28:27: s = 3 is not on \"boom\", which is 2 m long"},
      {32, "point = \"boom\"", "32:9: output \"tip\": say where on it, by arc length: { on = \"boom\", s = … }"},
  };
  std::vector<BadModel> models;
  for (const BadLine& bad : lines)
    models.push_back({"line " + std::to_string(bad.line) + " of members: " + bad.replacement,
                      good_members_with(bad.line, bad.replacement), bad.error});
  return models;
}

}  // namespace invar
