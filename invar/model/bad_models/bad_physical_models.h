// Mistakes in worlds and bodies, and the good mechanisms that others are made from.
#pragma once

#include "invar/model/bad_models/bad_model.h"

namespace invar {

// A good model of bodies with other text in place of one line; line 0 changes nothing.
inline std::string good_mechanism_with(std::size_t line, const std::string& replacement) {
  const std::vector<std::string> good = {
      "name = \"p\"",                                                                         // 1
      "[parameters]",                                                                         // 2
      "m = 2.0",                                                                              // 3
      "[world]",                                                                              // 4
      "gravity = [0, 0, -9.81]",                                                              // 5
      "[[body]]",                                                                             // 6
      "name = \"boom\"",                                                                      // 7
      "mass = \"m\"",                                                                         // 8
      "inertia = [1, 2, 2]",                                                                  // 9
      "position = [1, 0, 0]",                                                                 // 10
      "velocity = [0, 0, 0]",                                                                 // 11
      "[[point]]",                                                                            // 12
      "name = \"load\"",                                                                      // 13
      "mass = 3",                                                                             // 14
      "position = [2, 0, -4]",                                                                // 15
      "[[joint]]",                                                                            // 16
      "name = \"slew\"",                                                                      // 17
      "type = \"revolute\"",                                                                  // 18
      "between = [\"ground\", \"boom\"]",                                                     // 19
      "at = [0, 0, 0]",                                                                       // 20
      "axis = [0, 0, 1]",                                                                     // 21
      "coordinate = \"phi\"",                                                                 // 22
      "[[cable]]",                                                                            // 23
      "name = \"hoist\"",                                                                     // 24
      "route = [{ on = \"ground\" }, { on = \"boom\", at = [1, 0, 0] }, { on = \"load\" }]",  // 25
      "winch = { coordinate = \"l\", inertia = 0.1, radius = 0.1 }",                          // 26
      "[[spring]]",                                                                           // 27
      "between = [{ on = \"ground\", at = [0, 0, 5] }, { on = \"load\" }]",                   // 28
      "stiffness = 1",                                                                        // 29
      "[[force]]",                                                                            // 30
      "on = \"boom\"",                                                                        // 31
      "force = [\"sin(t)\", 0, \"-m*phi'\"]",                                                 // 32
      "[[actuator]]",                                                                         // 33
      "name = \"M\"",                                                                         // 34
      "on = \"phi\"",                                                                         // 35
      "[[output]]",                                                                           // 36
      "name = \"load\"",                                                                      // 37
      "point = \"load\"",                                                                     // 38
      "[simulate]",                                                                           // 39
      "formulation = \"director\"",                                                           // 40
  };
  std::string text;
  for (std::size_t i = 0; i < good.size(); ++i) text += (i + 1 == line ? replacement : good[i]) + "\n";
  return text;
}

// The same for a model in the plane.
inline std::string good_planar_mechanism_with(std::size_t line, const std::string& replacement) {
  const std::vector<std::string> good = {
      "name = \"p\"",                     // 1
      "[world]",                          // 2
      "dimension = 2",                    // 3
      "gravity = [0, -9.81]",             // 4
      "[[body]]",                         // 5
      "name = \"bar\"",                   // 6
      "mass = 1",                         // 7
      "inertia = 0.1",                    // 8
      "position = [0.5, 0]",              // 9
      "angle = 0.3",                      // 10
      "angular_velocity = 2",             // 11
      "[[joint]]",                        // 12
      "name = \"hinge\"",                 // 13
      "type = \"revolute\"",              // 14
      "between = [\"ground\", \"bar\"]",  // 15
      "at = [0, 0]",                      // 16
  };
  std::string text;
  for (std::size_t i = 0; i < good.size(); ++i) text += (i + 1 == line ? replacement : good[i]) + "\n";
  return text;
}

inline std::vector<BadModel> with_bad_lines(std::string (*model)(std::size_t, const std::string&),
                                            const std::vector<BadLine>& lines) {
  std::vector<BadModel> models;
  for (const BadLine& bad : lines)
    models.push_back({"line " + std::to_string(bad.line) + " of a mechanism: " + bad.replacement,
                      model(bad.line, bad.replacement), bad.error});
  return models;
}

inline std::vector<BadModel> bad_worlds_and_bodies() {
  return with_bad_lines(
      good_mechanism_with,
      {
          {1, "", "1:1: missing \"name\""},
          {3, "m = 2.0\n[system]\ncoordinates = [\"x\"]",
           "6:1: [world]: a model has either [system] or bodies, not both"},
          {3, "m = 2.0\n[reduce]\ncoordinates = [\"x\"]",
           "4:1: [reduce]: goes with [system]; for bodies and joints say formulation = \"minimal\""},
          {4, "[wold]", "4:2: unknown key \"wold\"; did you mean \"world\"?"},
          {5, "gravity = [0, -9.81]", "5:11: [world]: \"gravity\" must have 3 entries, not 2"},
          {5, "gravity = 9.81", "5:11: [world]: \"gravity\" must have 3 entries, […], but is a number"},
          {5, "torques = \"mean\"", "5:11: [world]: \"torques\" must be \"contravariant\" or \"plain\""},
          {5, "rotations = \"euler\"", "5:13: [world]: \"rotations\" must be \"angles\" or \"quaternions\""},
          {8, "mass = 1\nturning_angles = { axes = \"zzx\", start = [0, 1, 0] }",
           "9:27: body \"boom\": turning_angles: \"axes\" must be three letters x, y, z, of which no two neighbours "
           "are the "
           "same, such as \"zxz\""},
          {8, "mass = 1\nturning_angles = { axes = \"zxz\", start = [1, 0, 0] }",
           "9:42: body \"boom\": turning_angles: these angles are singular where the second one is a multiple of π"},
          {8, "mass = 1\nturning_angles = { axes = \"zxy\", start = [1, \"pi/2\", 0] }",
           "9:42: body \"boom\": turning_angles: these angles are singular where the second one is a right angle"},
          {8, "mass = 1\nturning_angles = { axes = \"zxz\" }",
           "9:18: body \"boom\": turning_angles: missing \"start\""},
          {5, "dimension = 4", "5:13: [world]: \"dimension\" must be 2 or 3"},
          {5, "gravty = [0, 0, 1]", "5:1: [world]: unknown key \"gravty\"; did you mean \"gravity\"?"},
          {7, "", "6:1: [[body]]: missing \"name\""},
          {7, "name = \"ground\"", "7:8: [[body]]: \"ground\" is there already"},
          {7, "name = \"m\"", "7:8: body \"m\": the name is already used for a parameter"},
          {7, "name = \"energy\"", "7:8: coordinate \"energy.x\": this name is reserved"},
          {7, "name = \"my boom\"",
           "7:8: body \"my boom\": a name has letters a-z and A-Z, digits and _, and does not begin with a digit"},
          {13, "name = \"boom\"", "13:8: point \"boom\": the name is already used for a body"},
          {8, "", "6:1: body \"boom\": missing \"mass\""},
          {8, "mass = 0", "8:8: body \"boom\": \"mass\" must be positive"},
          {8, "mass = -1", "8:8: body \"boom\": \"mass\" must be positive"},
          {8, "mass = inf", "8:8: numbers must be finite, not inf"},
          {8, "mass = \"t\"", "8:9: body \"boom\": \"mass\": time \"t\" cannot be used here; only parameters can"},
          {8, "maas = 1", "8:1: body \"boom\": unknown key \"maas\"; did you mean \"mass\"?"},
          {14, "mass = -3", "14:8: point \"load\": \"mass\" must not be negative"},
          {9, "", "6:1: body \"boom\": missing \"inertia\""},
          {9, "inertia = 1",
           "9:11: body \"boom\": \"inertia\" must have 3, 6 (xx yy zz xy xz yz) or 9 entries, not be an integer"},
          {9, "inertia = [1, 1]",
           "9:11: body \"boom\": \"inertia\" must have 3, 6 (xx yy zz xy xz yz) or 9 entries, not 2"},
          {9, "inertia = [1, 1, 3]",
           "9:11: body \"boom\": inertia: no body has these moments: the principal ones are 1, 1 and 3, and none can "
           "exceed the "
           "sum of the others"},
          {9, "inertia = [1, 1, -1]",
           "9:11: body \"boom\": inertia: no body has these moments: the principal ones are -1, 1 and 1, and none can "
           "be "
           "negative"},
          {9, "inertia = [1, 1, 1, 2, 0, 0]",
           "9:11: body \"boom\": inertia: no body has these moments: the principal ones are -1, 1 and 3, and none can "
           "be "
           "negative"},
          {9, "inertia = [1, 0.5, 0, 0, 1, 0, 0, 0, 1]", "9:11: body \"boom\": inertia: not symmetric"},
          {10, "", "6:1: body \"boom\": missing \"position\""},
          {10, "position = [1, \"x\", 0]", "10:17: body \"boom\": \"position\": unknown name \"x\""},
          {11, "rotation = { axis = [0, 0, 0], angle = 1 }",
           "11:21: body \"boom\": rotation: \"axis\" must not be zero"},
          {11, "rotation = { axis = [0, 0, 1] }", "11:12: body \"boom\": rotation: missing \"angle\""},
          {11, "rotation = { quaternion = [0, 0, 0, 0] }",
           "11:27: body \"boom\": rotation: the quaternion must not be zero"},
          {11, "rotation = { quaternion = [1, 0, 0] }",
           "11:27: body \"boom\": rotation: \"quaternion\" must have 4 entries, not 3"},
          {11, "rotation = { matrix = [1, 0, 0, 0, 1, 0, 0, 0, 2] }",
           "11:23: body \"boom\": rotation: the matrix is no rotation: RᵀR differs from 1 by 3"},
          {11, "rotation = { matrix = [1, 0, 0, 0, 1, 0, 0, 0, -1] }",
           "11:23: body \"boom\": rotation: the matrix is no rotation but a reflection"},
          {11, "rotation = { bryant = [0, 0, 0], quaternion = [1, 0, 0, 0] }",
           "11:14: body \"boom\": rotation: give one form only"},
          {11, "angle = 1", "11:1: body \"boom\": unknown key \"angle\""},
          {11, "shape = { ball = 1 }", "11:11: body \"boom\": shape: unknown shape \"ball\""},
          {11, "shape = { box = [1, 1, 1], sphere = 1 }",
           "11:9: body \"boom\": shape: give one of \"box\", \"cylinder\", \"sphere\" and \"mesh\""},
          {14, "mass = 3\ninertia = [1, 1, 1]", "15:1: point \"load\": unknown key \"inertia\""},
          {40, "formulation = \"directr\"",
           "40:15: [simulate]: unknown formulation \"directr\"; did you mean \"director\"?"},
          {40, "formulation = \"lie\"\n[invert]\nformulation = \"director\"",
           "42:15: [invert]: \"formulation\" differs from that of [simulate]"},
          {39, "[initial]\nphi = 0\n[simulate]",
           "40:1: [initial]: gives rates only; say \"start\" in the joint of \"phi\""},
          {39, "[initial]\n\"boom.x'\" = 0\n[simulate]",
           "40:1: [initial]: bodies say themselves where they start and how they move"},
          {39, "[initial]\n\"phy'\" = 0\n[simulate]", "40:1: [initial]: unknown rate \"phy'\"; did you mean \"phi'\"?"},
      });
}

inline std::vector<BadModel> bad_planar_mechanisms() {
  return with_bad_lines(
      good_planar_mechanism_with,
      {
          {4, "gravity = [0, 0, -9.81]", "4:11: [world]: \"gravity\" must have 2 entries, not 3"},
          {8, "inertia = [0.1]", "8:11: body \"bar\": in the plane \"inertia\" is one number, not an array"},
          {8, "inertia = -0.1", "8:11: body \"bar\": \"inertia\" must not be negative"},
          {10, "angle = 0.3\nrotation = 0.3", "11:1: body \"bar\": give either \"angle\" or \"rotation\""},
          {10, "rotation = { angle = 1 }", "10:12: body \"bar\": in the plane \"rotation\" is one angle, not a table"},
          {11, "angular_velocity = [0, 0, 1]",
           "11:20: body \"bar\": \"angular_velocity\" must be a number or a formula, not an array"},
          {14, "type = \"universal\"",
           "14:8: joint \"hinge\": a joint of type \"universal\" needs a world of dimension 3"},
          {16, "at = [0, 0]\naxis = [1, 0]", "17:1: joint \"hinge\": unknown key \"axis\""},
          {5, "[[joints]]\n[[body]]", "5:3: unknown key \"joints\"; did you mean \"joint\"?"},
          {16, "at = [0, 0]\n[[point]]\nname = \"p1\"\nmass = 0\nposition = [1, 1]",
           "19:8: point \"p1\": has no mass, and nothing acts on it"},
      });
}

inline std::vector<BadModel> bad_kinds_of_systems() {
  return {
      {"nothing", "name = \"p\"\n", "1:1: no mechanical system: give [system], or bodies with [[body]] and [[point]]"},
      {"no bodies", "name = \"p\"\n[world]\ndimension = 2\n",
       "2:1: [world]: the model has no [[body]] and no [[point]]"},
      {"empty list of bodies", "name = \"p\"\nbody = []\n", "1:1: the model has no bodies"},
      {"formulation of formulas",
       "name = \"p\"\n[system]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n[initial]\nx = 0\n[simulate]\nformulation = "
       "\"director\"\n",
       "8:15: [simulate]: \"formulation\" is for models of bodies; [system] has its own"},
  };
}

}  // namespace invar
