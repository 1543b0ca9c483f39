// Mistakes in joints of type "slot".
#pragma once

#include "invar/model/bad_models/bad_physical_models.h"

namespace invar {

inline std::vector<BadModel> bad_slots() {
  std::vector<BadModel> in_space = with_bad_lines(
      good_mechanism_with,
      {
          {18, "type = \"slt\"", "18:8: joint \"slew\": unknown joint type \"slt\"; did you mean \"slot\"?"},
          {18, "type = \"slot\"", "16:1: joint \"slew\": missing \"second_axis\""},
          {18, "type = \"slot\"\nsecond_axis = [0, 0, 0]", "19:15: joint \"slew\": \"second_axis\" must not be zero"},
          {18, "type = \"slot\"\nsecond_axis = [0, 0, -2]",
           "19:15: joint \"slew\": \"axis\" and \"second_axis\" must not be parallel"},
      });
  const std::vector<BadModel> in_plane = with_bad_lines(
      good_planar_mechanism_with, {
                                      {14, "type = \"slot\"", "12:1: joint \"hinge\": missing \"axis\""},
                                      {14, "type = \"slot\"\naxis = [1, 0]\nsecond_axis = [0, 1]",
                                       "16:1: joint \"hinge\": unknown key \"second_axis\""},
                                      {14, "type = \"slot\"\naxis = [1, 0]\ncoordinate = [\"phi\", \"s\", \"r\"]",
                                       "16:14: joint \"hinge\": a joint of type \"slot\" has 2 coordinates, not 3"},
                                  });
  in_space.insert(in_space.end(), in_plane.begin(), in_plane.end());
  return in_space;
}

}  // namespace invar
