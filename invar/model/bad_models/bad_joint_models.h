// Mistakes in joints, cables, springs, forces, actuators and outputs.
#pragma once

#include "invar/model/bad_models/bad_physical_models.h"

namespace invar {

inline std::vector<BadModel> bad_joints() {
  return with_bad_lines(
      good_mechanism_with,
      {
          {17, "", "16:1: [[joint]]: missing \"name\""},
          {17, "name = \"load\"", "17:8: joint \"load\": the name is already used for a point"},
          {18, "", "16:1: joint \"slew\": missing \"type\""},
          {18, "type = \"revolut\"",
           "18:8: joint \"slew\": unknown joint type \"revolut\"; did you mean \"revolute\"?"},
          {18, "type = 1", "18:8: joint \"slew\": \"type\" must be a string, not an integer"},
          {19, "between = [\"ground\", \"bom\"]",
           "19:22: joint \"slew\": unknown body \"bom\"; did you mean \"boom\"?"},
          {19, "between = [\"boom\"]", "19:11: joint \"slew\": \"between\" must name two bodies, not 1"},
          {19, "between = [\"boom\", \"boom\"]", "19:11: joint \"slew\": is between body \"boom\" and itself"},
          {19, "between = [\"ground\", \"ground\"]", "19:11: joint \"slew\": is between the ground and itself"},
          {19, "between = [\"boom\", \"load\"]",
           "19:11: joint \"slew\": point \"load\" has no orientation, which a joint of type \"revolute\" needs"},
          {20, "", "16:1: joint \"slew\": missing \"at\""},
          {21, "axis = [0, 0, 0]", "21:8: joint \"slew\": \"axis\" must not be zero"},
          {21, "", "16:1: joint \"slew\": missing \"axis\""},
          {21, "axis = [0, 0, 1]\npitch = 1", "22:1: joint \"slew\": unknown key \"pitch\""},
          {22, "coordinate = [\"phi\", \"s\"]",
           "22:14: joint \"slew\": a joint of type \"revolute\" has 1 coordinate, not 2"},
          {22, "coordinate = \"m\"", "22:14: coordinate \"m\": the name is already used for a parameter"},
          {22, "coordinate = \"load.x\"", "22:14: coordinate \"load.x\": the name is already used for a coordinate"},
          {22, "coordinate = \"l\"", "26:24: coordinate \"l\": the name is already used for a coordinate"},
          {22, "start = 1", "22:1: joint \"slew\": \"start\" is that of a \"coordinate\", which has no name"},
          {22, "coordinate = \"phi\"\ndamping = -1", "23:11: joint \"slew\": \"damping\" must not be negative"},
          {22, "coordinate = \"phi\"\nrest = 1",
           "23:1: joint \"slew\": \"rest\" is where \"stiffness\" pulls to, which is missing"},
          {22, "coordinate = \"phi\"\nmotion_level = \"velocity\"",
           "23:1: joint \"slew\": \"motion_level\" has no meaning without \"motion\""},
          {22, "coordinate = \"phi\"\nmotion = \"t\"\nmotion_level = \"speed\"",
           "24:16: joint \"slew\": unknown motion_level \"speed\"; use \"position\" or \"velocity\""},
          {22, "coordinate = \"phi\"\nmotion = \"2*phi\"",
           "23:10: joint \"slew\": the motion of \"phi\" depends on itself"},
          {22, "coordinate = \"phi\"\nmotion = \"l'\"",
           "23:11: joint \"slew\": \"motion\": velocity \"l'\" cannot be used here; only coordinates, t and parameters "
           "can"},
          {22, "coordinate = \"phi\"\nmotion = \"load.x\"",
           "23:11: joint \"slew\": \"motion\": coordinate \"load.x\" cannot be used here; of bodies, only named "
           "coordinates "
           "of joints and cables can"},
          {22, "coordinate = \"phi\"\nmotion = \"0.5 + t\"",
           "23:10: joint \"slew\": the start configuration violates the motion by 0.5 rad: it begins at 0.5, but "
           "\"phi\" starts at "
           "0; say start = 0.5 if that is what the start configuration means"},
          {22,
           "coordinate = \"phi\"\n[[joint]]\nname = \"rod\"\ntype = \"distance\"\nbetween = [\"ground\", \"load\"]\n"
           "at = [0, 0, 0]\nto = [2, 0, -3]",
           "28:6: joint \"rod\": the start configuration violates it: point \"load\" is 1 m away from \"to\""},
          {22,
           "coordinate = \"phi\"\n[[joint]]\nname = \"rod\"\ntype = \"distance\"\nbetween = [\"ground\", \"load\"]\n"
           "at = [2, 0, -4]",
           "23:1: joint \"rod\": its two points are at the same place; use \"spherical\""},
          {22,
           "coordinate = \"phi\"\n[[joint]]\nname = \"g\"\ntype = \"gear\"\ncoordinates = [\"phi\", \"psi\"]\nratio = "
           "2",
           "26:23: joint \"g\": unknown coordinate \"psi\"; did you mean \"phi\"?"},
          {22,
           "coordinate = \"phi\"\n[[joint]]\nname = \"g\"\ntype = \"gear\"\ncoordinates = [\"phi\", \"l\"]\nratio = 0",
           "27:9: joint \"g\": \"ratio\" must not be zero"},
          {22,
           "coordinate = \"phi\"\n[[joint]]\nname = \"g\"\ntype = \"gear\"\ncoordinates = [\"l\", \"l\"]\nratio = 1",
           "26:15: joint \"g\": is between a coordinate and itself"},
          {18, "type = \"universal\"\nsecond_axis = [0, 0, -2]",
           "19:15: joint \"slew\": \"axis\" and \"second_axis\" must not be parallel"},
      });
}

inline std::vector<BadModel> bad_cables_and_loads() {
  return with_bad_lines(
      good_mechanism_with,
      {
          {25, "", "23:1: cable \"hoist\": missing \"route\""},
          {25, "route = [{ on = \"load\" }]", "25:9: cable \"hoist\": a route has at least two points, not 1"},
          {25, "route = [{ on = \"ground\" }, { on = \"laod\" }]",
           "25:36: cable \"hoist\": route: unknown body \"laod\"; did you mean \"load\"?"},
          {25, "route = [{ on = \"ground\" }, { on = \"ground\", at = [1, 0, 0] }]",
           "25:9: cable \"hoist\": connects nothing: all its points are on the ground"},
          {25, "route = [{ on = \"ground\", at = [2, 0, -4] }, { on = \"load\" }]",
           "25:9: cable \"hoist\": points 1 and 2 of the route are at the same place"},
          {25, "route = [{ on = \"ground\" }, { on = \"load\", at = [1, 0, 0] }]",
           "25:49: cable \"hoist\": route: point \"load\" is all in one place; leave \"at\" out"},
          {25, "route = [{ on = \"ground\", pulley = { inertia = 1, radius = 1 } }, { on = \"load\" }]",
           "25:36: cable \"hoist\": route: pulley: the cable ends here; pulleys are between the ends"},
          {25, "route = [\"ground\", \"load\"]",
           "25:10: cable \"hoist\": \"route\" must be an array of tables, cable \"hoist\": route, not a string"},
          {26, "length = 5.0",
           "26:10: cable \"hoist\": the start configuration violates it by 1 m: the route is 6 m long"},
          {26, "length = 0", "26:10: cable \"hoist\": \"length\" must be positive"},
          {26, "length = 6\nwinch = { coordinate = \"l\" }",
           "26:1: cable \"hoist\": give either \"winch\" or \"length\""},
          {26, "winch = { coordinate = \"l\", inertia = 1 }", "26:9: cable \"hoist\": winch: missing \"radius\""},
          {26, "winch = { coordinate = \"l\", inertia = 1, radius = 0 }",
           "26:51: cable \"hoist\": winch: \"radius\" must be positive"},
          {28, "between = [{ on = \"load\" }]", "28:11: [[spring]]: \"between\" must have two ends, not 1"},
          {28, "between = [{ on = \"load\" }, { on = \"load\" }]",
           "28:11: [[spring]]: both ends are on point \"load\""},
          {28, "between = [{ on = \"ground\", at = [2, 0, -4] }, { on = \"load\" }]\nrest = 1",
           "28:11: [[spring]]: its ends are at the same place, so it has no direction"},
          {29, "stifness = 1", "29:1: [[spring]]: unknown key \"stifness\"; did you mean \"stiffness\"?"},
          {31, "on = \"ground\"", "31:6: [[force]]: the ground does not move; name a body"},
          {31, "on = \"bom\"", "31:6: [[force]]: unknown body \"bom\"; did you mean \"boom\"?"},
          {31, "on = \"load\"\ntorque = [0, 0, 1]", "32:1: [[force]]: point \"load\" takes no torque"},
          {31, "on = \"load\"\nframe = \"body\"", "32:9: [[force]]: point \"load\" has no axes of its own"},
          {31, "on = \"boom\"\nframe = \"local\"",
           "32:9: [[force]]: unknown frame \"local\"; use \"world\" or \"body\""},
          {32, "", "30:1: [[force]]: missing \"force\" or \"torque\""},
          {32, "force = [\"sin(t)\", 0]", "32:9: [[force]]: \"force\" must have 3 entries, not 2"},
          {32, "force = [\"phi''\", 0, 0]",
           "32:11: [[force]]: \"force\": acceleration \"phi''\" cannot be used here; only coordinates, velocities, t "
           "and "
           "parameters can"},
          {32, "torque = [0, 0, 1]\n[[spin]]\non = \"load\"\nangular_velocity = [0, 0, 1]",
           "34:6: [[spin]]: point \"load\" has no orientation"},
      });
}

inline std::vector<BadModel> bad_actuators_and_outputs() {
  return with_bad_lines(
      good_mechanism_with,
      {
          {34, "", "33:1: [[actuator]]: missing \"name\""},
          {34, "name = \"phi\"", "34:8: input \"phi\": the name is already used for a coordinate"},
          {35, "", "33:1: input \"M\": missing \"on\", \"body\" or \"between\""},
          {35, "on = \"phy\"", "35:6: input \"M\": unknown coordinate \"phy\"; did you mean \"phi\"?"},
          {35, "on = \"phi\"\ngain = 0", "36:8: input \"M\": \"gain\" must not be zero"},
          {35, "body = \"boom\"", "33:1: input \"M\": missing \"force\" or \"torque\""},
          {35, "body = \"boom\"\nforce = [0, 0, 0]", "33:1: input \"M\": \"force\" or \"torque\" must not be zero"},
          {35, "body = \"load\"\ntorque = [0, 0, 1]", "36:1: input \"M\": point \"load\" has no orientation"},
          {35, "between = [\"boom\", \"ground\"]\nforce = [0, 0, 1]",
           "36:1: input \"M\": a force acts on one body; give \"body\" in place of \"between\""},
          {35, "between = [\"boom\", \"load\"]\ntorque = [0, 0, 1]",
           "36:1: input \"M\": point \"load\" has no orientation"},
          {35, "on = { body = \"boom\", forc = [1, 0, 0] }",
           "35:23: input \"M\": on: unknown key \"forc\"; did you mean \"force\"?"},
          {37, "", "36:1: [[output]]: missing \"name\""},
          {37, "name = \"boom\"", "37:8: output \"boom.x\": the name is already used for a coordinate"},
          {38, "",
           "36:1: output \"load\": missing \"point\", \"coordinate\", \"orientation\", \"angular_velocity\" or "
           "\"expr\""},
          {38, "point = \"load\"\nexpr = \"phi\"", "39:1: output \"load\": give either \"point\" or \"expr\""},
          {38, "point = \"ground\"", "38:9: output \"load\": the ground does not move; name a body"},
          {38, "point = { on = \"boom\", at = [0, 0, 1] }",
           "37:8: output \"load.x\": the name is already used for a coordinate"},
          {38, "orientation = \"load\"", "38:15: output \"load\": point \"load\" has no orientation"},
          {38, "coordinate = \"ph\"", "38:14: output \"load\": unknown coordinate \"ph\"; did you mean \"phi\"?"},
          {38, "expr = \"phi''\"",
           "38:9: output \"load\": acceleration \"phi''\" cannot be used here; only coordinates, velocities, t and "
           "parameters "
           "can"},
          {38, "pont = \"load\"", "38:1: output \"load\": unknown key \"pont\"; did you mean \"point\"?"},
          {39,
           "[[trajectory]]\norientation = \"load\"\naxis = [0, 0, 1]\nangle = 1\nduration = 1\nprofile = \"poly9\"\n"
           "[simulate]",
           "40:15: [[trajectory]]: point \"load\" has no orientation"},
          {39,
           "[[trajectory]]\norientation = \"boom\"\naxis = [0, 0, 0]\nangle = 1\nduration = 1\nprofile = \"poly9\"\n"
           "[simulate]",
           "41:8: [[trajectory]]: \"axis\" must not be zero"},
      });
}

}  // namespace invar
