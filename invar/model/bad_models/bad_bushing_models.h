// Mistakes in bushings.
#pragma once

#include "invar/model/bad_models/bad_physical_models.h"

namespace invar {

// A good model of bodies with these lines before its line 27.
inline BadModel with_bushing(const std::string& lines, const std::string& error) {
  return {"a mechanism with " + lines, good_mechanism_with(27, lines + "\n[[spring]]"), error};
}

inline std::vector<BadModel> bad_bushings() {
  const std::string boom = "[[bushing]]\nbetween = [\"ground\", \"boom\"]\n",
                    load = "[[bushing]]\nbetween = [\"boom\", \"load\"]\n", at = "at = [0, 0, 0]\n";
  return {
      with_bushing("[[bushin]]", "27:3: unknown key \"bushin\"; did you mean \"bushing\"?"),
      with_bushing("[[bushing]]", "27:1: [[bushing]]: missing \"between\""),
      with_bushing("[[bushing]]\nname = \"boom\"", "28:8: bushing \"boom\": the name is already used for a body"),
      with_bushing("[[bushing]]\nbetween = [\"ground\", \"bom\"]",
                   "28:22: [[bushing]]: unknown body \"bom\"; did you mean \"boom\"?"),
      with_bushing("[[bushing]]\nbetween = [\"boom\"]", "28:11: [[bushing]]: \"between\" must name two bodies, not 1"),
      with_bushing("[[bushing]]\nbetween = [\"boom\", \"boom\"]",
                   "28:11: [[bushing]]: is between body \"boom\" and itself"),
      with_bushing(boom + "stiffness = [1, 1, 1]", "27:1: [[bushing]]: missing \"at\""),
      with_bushing(boom + "at = [0, 0]\nstiffness = [1, 1, 1]", "29:6: [[bushing]]: \"at\" must have 3 entries, not 2"),
      with_bushing(boom + at,
                   "27:1: [[bushing]]: missing \"stiffness\", \"damping\", \"rotational_stiffness\" or "
                   "\"rotational_damping\""),
      with_bushing(boom + at + "stiffness = [1, 1]", "30:13: [[bushing]]: \"stiffness\" must have 3 entries, not 2"),
      with_bushing(boom + at + "damping = 1.5",
                   "30:11: [[bushing]]: \"damping\" must have 3 entries, […], but is a number"),
      with_bushing(boom + at + "stiffness = [1, -1, 1]", "30:13: [[bushing]]: \"stiffness\" must not be negative"),
      with_bushing(boom + at + "rotational_damping = [1, 1, -1]",
                   "30:22: [[bushing]]: \"rotational_damping\" must not be negative"),
      with_bushing(boom + at + "stiffness = [\"t\", 1, 1]",
                   "30:15: [[bushing]]: \"stiffness\": time \"t\" cannot be used here; only parameters can"),
      with_bushing(boom + at + "stifness = [1, 1, 1]",
                   "30:1: [[bushing]]: unknown key \"stifness\"; did you mean \"stiffness\"?"),
      with_bushing(boom + at + "axes = { angle = 1 }\nstiffness = [1, 1, 1]",
                   "30:8: [[bushing]]: axes: missing \"axis\""),
      with_bushing(load + "rotational_stiffness = [1, 1, 1]", "29:1: [[bushing]]: point \"load\" has no orientation"),
      with_bushing(load + "stiffness = [1, 1, 1]\nrest_rotation = { axis = [0, 0, 1], angle = 1 }",
                   "30:1: [[bushing]]: point \"load\" has no orientation"),
      with_bushing(load + "at = [2, 0, -3]\nstiffness = [1, 1, 1]",
                   "29:6: [[bushing]]: the start configuration violates it: point \"load\" is 1 m away from \"at\""),
      with_bushing("[[point]]\nname = \"other\"\nmass = 1\nposition = [2, 0, -4]\n[[bushing]]\n"
                   "between = [\"other\", \"load\"]\nstiffness = [1, 1, 1]",
                   "32:11: [[bushing]]: point masses have no axes that it could follow"),
  };
}

}  // namespace invar
