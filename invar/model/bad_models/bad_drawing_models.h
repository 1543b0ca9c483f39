// Mistakes in [[draw]] and [units].
#pragma once

#include "invar/model/bad_models/bad_model.h"

namespace invar {

inline std::vector<BadModel> bad_drawings() {
  const std::string head = "step = 0.01\n[[draw]]\n";
  return with_bad_lines({
      {22, head + "pont = [\"x\", \"y\"]", "24:1: [[draw]]: unknown key \"pont\"; did you mean \"point\"?"},
      {22, head + "name = \"a\"",
       "23:1: [[draw]]: missing one of \"point\", \"trace\", \"circle\", \"box\", \"arrow\", \"line\", \"link\", "
       "\"cable\", \"spring\", \"ground\""},
      {22, head + "point = [\"x\", \"y\"]\ntrace = [\"x\", \"y\"]",
       "25:1: [[draw]]: give either \"point\" or \"trace\""},
      {22, head + "point = \"x\"", "24:9: [[draw]]: a place of \"point\" has two or three formulas: [\"x\", \"z\"]"},
      {22, head + "point = [\"x\", \"u\"]", "24:16: [[draw]]: a place of \"point\": unknown name \"u\""},
      {22, head + "point = [\"x'\", \"y\"]",
       "24:11: [[draw]]: a place of \"point\": velocity \"x'\" cannot be used here; only coordinates, t and parameters "
       "can"},
      {22, head + "line = [[\"x\", \"y\"]]", "24:8: [[draw]]: \"line\": give a list of two places or more"},
      {22, head + "line = [[\"x\", \"y\"], [\"x\", \"y\", \"0\"]]",
       "24:8: [[draw]]: \"line\": all places need the same number of formulas"},
      {22, head + "spring = [[\"x\", \"y\"], [\"0\", \"0\"], [\"1\", \"0\"]]",
       "24:10: [[draw]]: a spring has two ends"},
      {22, head + "circle = [\"x\", \"y\"]", "23:1: [[draw]]: missing \"radius\""},
      {22, head + "point = [\"x\", \"y\"]\nradius = 1", "25:1: [[draw]]: only a circle has \"radius\""},
      {22, head + "box = [\"x\", \"y\"]", "23:1: [[draw]]: missing \"size\""},
      {22, head + "box = [\"x\", \"y\"]\nsize = [1]",
       "25:8: [[draw]]: \"size\" needs as many numbers as a place has formulas"},
      {22, head + "box = [\"x\", \"y\"]\nsize = [1, 0]", "25:12: [[draw]]: \"size\" must be positive"},
      {22, head + "box = [\"x\", \"y\"]\nsize = [1, \"x\"]",
       "25:13: [[draw]]: \"size\": coordinate \"x\" cannot be used here; only parameters can"},
      {22, head + "box = [\"x\", \"y\", \"0\"]\nsize = [1, 1, 1]\nangle = \"x\"",
       "26:1: [[draw]]: only a box in the plane has \"angle\""},
      {22, head + "arrow = [\"x\", \"y\"]", "23:1: [[draw]]: missing \"vector\""},
      {22, head + "arrow = [\"x\", \"y\"]\nvector = [\"F\", \"0\", \"0\"]",
       "25:10: [[draw]]: \"vector\" needs as many formulas as the place"},
      {22, head + "point = [\"x\", \"y\"]\n[[draw]]\npoint = [\"x\", \"y\", \"0\"]",
       "25:1: [[draw]]: some places have two formulas, others three"},
  });
}

inline std::vector<BadModel> bad_units() {
  const std::string head = "step = 0.01\n[units]\n";
  return with_bad_lines({
      {22, head + "m = [\"x\", \"z\"]", "24:11: [units]: unknown coordinate, input or output \"z\""},
      {22, head + "m = 3", "24:5: [units]: \"m\" must be an array, not an integer"},
      {22, head + "m = [\"x\"]\nkm = [\"x\"]", "25:7: [units]: \"x\" has a unit already"},
      {22, head + "\"\" = [\"x\"]", "24:1: [units]: a unit has from 1 to 20 bytes, such as m, rad or \"N m\""},
      {22, head + "abcdefghijklmnopqrstuvw = [\"x\"]",
       "24:1: [units]: a unit has from 1 to 20 bytes, such as m, rad or \"N m\""},
      {22, head + "m = [\"lambda.rud\"]",
       "24:6: [units]: unknown coordinate, input or output \"lambda.rud\"; did you mean \"lambda.rod\"?"},
  });
}

}  // namespace invar
