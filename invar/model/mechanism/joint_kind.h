// A kind of joint as a value: its keys in model files, its equations and its freedoms. Nothing else tells kinds apart.
#pragma once

#include <string_view>

namespace invar {

struct Displacement;
struct Joint;
class Freedoms;
class JointEquations;

struct JointKind {
  enum class Points { none, second, both };

  std::string_view name;                                              // as in model files
  bool axis = false, second_axis = false, to = false, pitch = false;  // keys that it has besides `at`
  bool anywhere = false;                                              // it says the same wherever `at` is
  bool in_plane = false;                                              // model files of the plane have it
  Points points = Points::none;                                       // which of the two bodies may be point masses
  Points pinned_points = Points::none;                                // likewise in the plane, if the angle has no name
  bool angle = false, slide = false;                                  // coordinates that may have names …
  bool always_named = false;                                          // … and must have them
  bool turns_about_second_axis = false;
  bool parts = false;  // the points of the two bodies may part
  void (*constrain)(const Joint& joint, JointEquations& equations) = nullptr;
  // The motion of the second body, seen from the first; none of a joint that can only close loops.
  Displacement (*move)(const Joint& joint, Freedoms& freedoms) = nullptr;
  bool in_reduced_chains = true;  // its freedoms are also known between two configurations
};

}  // namespace invar
