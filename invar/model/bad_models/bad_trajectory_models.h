// Mistakes in [[signal]], [[trajectory]] and [invert].
#pragma once

#include "invar/model/bad_models/bad_model.h"

namespace invar {

struct BadEnding {
  std::string lines;
  std::string error;
};

// The good model with these lines after it, from line 23 on.
inline std::vector<BadModel> with_bad_endings(const std::vector<BadEnding>& endings) {
  std::vector<BadModel> models;
  for (const auto& [lines, error] : endings) models.push_back({lines, good_model_with(0, "") + lines + "\n", error});
  return models;
}

inline std::vector<BadModel> bad_trajectories() {
  const std::string head = "[[trajectory]]\noutputs = [\"out\"]\n", values = head + "from = [0]\nto = [1]\n",
                    move = values + "duration = 2\n";
  return with_bad_endings({
      {"[trajectory]", "23:1: \"trajectory\" must be an array of tables, [[trajectory]], not a table"},
      {"[[trajectory]]\nfrom = [0]", "23:1: [[trajectory]]: missing \"outputs\""},
      {"[[trajectory]]\noutputs = [\"ou\"]", "24:12: [[trajectory]]: unknown output \"ou\"; did you mean \"out\"?"},
      {"[[trajectory]]\noutputs = [\"out\", \"x\"]", "24:19: [[trajectory]]: unknown output \"x\""},
      {"[[trajectory]]\noutputs = [\"out\", \"out\"]", "24:19: [[trajectory]]: output \"out\" is prescribed twice"},
      {head + "expr = [\"t\"]\n" + head + "expr = [\"1\"]",
       "27:12: [[trajectory]]: output \"out\" is prescribed twice"},
      {"[[trajectory]]\norientation = \"platform\"",
       "24:1: [[trajectory]]: \"orientation\" is that of a body; [system] has none"},
      {head, "23:1: [[trajectory]]: missing \"profile\", \"via\", \"file\" or \"expr\""},
      {values, "23:1: [[trajectory]]: missing \"profile\", which says how to get from \"from\" to \"to\""},
      {head + "from = [0]\nto = [0]\nduration = 1",
       "27:1: [[trajectory]]: \"duration\" has no meaning with a value that is held"},
      {move + "profil = \"poly9\"", "28:1: [[trajectory]]: unknown key \"profil\"; did you mean \"profile\"?"},
      {move + "profile = \"poly9\"\nexpr = [\"t\"]", "29:1: [[trajectory]]: give either \"profile\" or \"expr\""},
      {move + "profile = 9", "28:11: [[trajectory]]: \"profile\" must be a string, not an integer"},
      {move + "profile = \"pol9\"", "28:11: [[trajectory]]: unknown profile \"pol9\"; did you mean \"poly9\"?"},
      {move + "profile = \"bang\"",
       "28:11: [[trajectory]]: unknown profile \"bang\"; use \"polyN\" with an odd degree N, \"three-phase\", "
       "\"harmonic\" or \"linear\""},
      {move + "profile = \"lineal\"", "28:11: [[trajectory]]: unknown profile \"lineal\"; did you mean \"linear\"?"},
      {move + "profile = \"linear\"\naccelerate = 1",
       "29:1: [[trajectory]]: \"accelerate\" has no meaning with the profile \"linear\""},
      {move + "profile = \"poly8\"", "28:11: [[trajectory]]: profile \"poly8\": the degree must be odd, from 3 to 99"},
      {move + "profile = \"poly1\"", "28:11: [[trajectory]]: profile \"poly1\": the degree must be odd, from 3 to 99"},
      {move + "profile = \"poly99999999999\"",
       "28:11: [[trajectory]]: profile \"poly99999999999\": the degree must be odd, from 3 to 99"},
      {move + "profile = \"poly9\"\naccelerate = 1",
       "29:1: [[trajectory]]: \"accelerate\" has no meaning with the profile \"poly9\""},
      {move + "profile = \"three-phase\"", "23:1: [[trajectory]]: missing \"accelerate\""},
      {move + "profile = \"three-phase\"\naccelerate = 1.5",
       "29:14: [[trajectory]]: \"accelerate\" must be at most half the duration, 1"},
      {move + "profile = \"three-phase\"\naccelerate = 0", "29:14: [[trajectory]]: \"accelerate\" must be positive"},
      {values + "profile = \"poly9\"", "23:1: [[trajectory]]: missing \"duration\""},
      {values + "profile = \"poly9\"\nduration = -1", "28:12: [[trajectory]]: \"duration\" must be positive"},
      {values + "profile = \"poly9\"\nduration = 1\nstart = \"t\"",
       "29:10: [[trajectory]]: \"start\": time \"t\" cannot be used here; only parameters can"},
      {head + "from = [0, 1]\nto = [1]\nduration = 1\nprofile = \"poly9\"",
       "25:8: [[trajectory]]: \"from\" must have one entry per output, 1, not 2"},
      {head + "from = [0]\nto = []\nduration = 1\nprofile = \"poly9\"",
       "26:6: [[trajectory]]: \"to\" must have one entry per output, 1, not 0"},
      {head + "to = [1]\nduration = 1\nprofile = \"poly9\"", "23:1: [[trajectory]]: missing \"from\""},
  });
}

inline std::vector<BadModel> bad_points_and_formulas() {
  const std::string head = "[[trajectory]]\noutputs = [\"out\"]\n";
  return with_bad_endings({
      {head + "via = [[0], [1]]", "23:1: [[trajectory]]: missing \"times\""},
      {head + "via = 3\ntimes = [0, 1]", "25:7: [[trajectory]]: \"via\" must be an array, not an integer"},
      {head + "via = [[0]]\ntimes = [0]", "25:7: [[trajectory]]: \"via\" must have at least two points"},
      {head + "via = [[0], [1, 2]]\ntimes = [0, 1]",
       "25:13: [[trajectory]]: \"via\" must have one entry per output, 1, not 2"},
      {head + "via = [[0], [1]]\ntimes = [0, 1, 2]",
       "26:9: [[trajectory]]: \"times\" must have an entry for each of the 2 points, not 3"},
      {head + "via = [0, 1, 2]\ntimes = [0, 1, 1]", "26:16: [[trajectory]]: \"times\" must ascend"},
      {head + "via = [0, 1]\ntimes = 3", "26:9: [[trajectory]]: \"times\" must be an array, not an integer"},
      {head + "via = [0, 1]\ntimes = [0, 1]\nsmoothness = 1.5",
       "27:14: [[trajectory]]: \"smoothness\" must be a whole number from 1 to 7"},
      {head + "via = [0, 1]\ntimes = [0, 1]\nduration = 3",
       "27:1: [[trajectory]]: \"duration\" has no meaning with \"via\""},
      {head + "file = \"\"", "25:8: [[trajectory]]: \"file\" must name a file"},
      {head + "expr = [\"t\", \"1\"]", "25:8: [[trajectory]]: \"expr\" must have one entry per output, 1, not 2"},
      {head + "expr = [\"1 + x\"]",
       "25:14: [[trajectory]]: output \"out\": coordinate \"x\" cannot be used here; only t and parameters can"},
      {head + "expr = \"abs(t - 1)\"",
       "25:8: [[trajectory]]: output \"out\": abs has a kink; a function of time must be smooth"},
      {head + "expr = [\"sign(t)\"]",
       "25:9: [[trajectory]]: output \"out\": sign jumps; a function of time must be smooth"},
      {head + "expr = [\"t\"]\nstart = 1", "26:1: [[trajectory]]: \"start\" has no meaning with \"expr\""},
  });
}

inline std::vector<BadModel> bad_signals() {
  const std::string signal = "[[signal]]\nname = \"c\"\n",
                    step = signal + "from = 0\nto = 1\nduration = 2\nprofile = \"harmonic\"\n",
                    trajectory = "[[trajectory]]\noutputs = [\"out\"]\n";
  return with_bad_endings({
      {"[signal]", "23:1: \"signal\" must be an array of tables, [[signal]], not a table"},
      {"[[signal]]\nexpr = \"t\"", "23:1: [[signal]]: missing \"name\""},
      {"[[signal]]\nname = \"m\"", "24:8: signal \"m\": the name is already used for a parameter"},
      {"[[signal]]\nname = \"x\"\nexpr = \"t\"", "5:16: coordinate \"x\": the name is already used for a signal"},
      {"[[signal]]\nname = \"a b\"",
       "24:8: signal \"a b\": a name has letters a-z and A-Z, digits and _, and does not begin with a digit"},
      {"[[signal]]\nname = \"t\"", "24:8: signal \"t\": this name is reserved"},
      {step + signal, "30:8: signal \"c\": the name is already used for a signal"},
      {signal, "23:1: signal \"c\": missing \"profile\", \"via\", \"file\" or \"expr\""},
      {signal + "from = [0]\nto = 1\nduration = 1\nprofile = \"poly9\"",
       "25:8: signal \"c\": \"from\" must be a number or a formula, not an array"},
      {signal + "expr = [\"t\"]", "25:8: signal \"c\" must be a number or a formula, not an array"},
      {signal + "expr = \"abs(t)\"", "25:8: signal \"c\": abs has a kink; a function of time must be smooth"},
      {signal + "expr = \"1 + c\"", "25:8: signal \"c\": its formula contains itself"},
      {signal + "expr = \"b\"\n[[signal]]\nname = \"b\"\nexpr = \"a + t\"\n[[signal]]\nname = \"a\"\nexpr = \"2*b\"",
       "28:8: signal \"b\": its formula leads back to itself through \"a\""},
      {signal + "expr = \"1 + b\"", "25:13: signal \"c\": unknown name \"b\""},
      {signal + "expr = \"2*out\"", "25:11: signal \"c\": unknown name \"out\""},
      {signal + "duration = 1\nexpr = \"t\"", "25:1: signal \"c\": \"duration\" has no meaning with \"expr\""},
      {step + "[[signal]]\nname = \"b\"\nexpr = \"c'\"",
       "31:9: signal \"b\": derivative \"c'\" cannot be used here; only signals themselves can"},
      {step + trajectory + "expr = [\"c''\"]",
       "31:10: [[trajectory]]: output \"out\": derivative \"c''\" cannot be used here; it jumps"},
      {step + trajectory + "expr = [\"c'''\"]",
       "31:10: [[trajectory]]: output \"out\": derivative \"c'''\" cannot be used here; a signal has at most two "
       "primes"},
      {step + trajectory + "expr = [\"1 + x\"]",
       "31:14: [[trajectory]]: output \"out\": coordinate \"x\" cannot be used here; only t, signals and parameters "
       "can"},
      {step + "[invert]\nuntil = \"c\"",
       "30:10: [invert]: \"until\": signal \"c\" cannot be used here; only parameters can"},
  });
}

inline std::vector<BadModel> bad_inversions() {
  return with_bad_endings({
      {"[invert]\nuntil = 0", "24:9: [invert]: \"until\" must be positive"},
      {"[invert]\nuntil = 1\nstep = 2", "25:8: [invert]: \"step\" must not be larger than until"},
      {"[invert]\nstep = 1e-10", "24:8: [invert]: \"step\" gives more than 1e8 steps"},
      {"[invert]\nmethod = \"\"", "24:10: [invert]: \"method\" must not be empty"},
      {"[invert]\nintegrator = 3", "24:14: [invert]: \"integrator\" must be a string, not an integer"},
      {"[invert]\ntolerance = 1", "24:13: [invert]: \"tolerance\" must be positive and at most 1e-3"},
      {"[invert]\nverify = 1", "24:10: [invert]: \"verify\" must be true or false, not an integer"},
      {"[invert]\naccept_rough_reference = 1",
       "24:26: [invert]: \"accept_rough_reference\" must be true or false, not an integer"},
      {"[invert]\nperiodic = 1", "24:12: [invert]: \"periodic\" must be true or false, not an integer"},
      {"[invert]\nrest_at_both_ends = 1",
       "24:21: [invert]: \"rest_at_both_ends\" must be true or false, not an integer"},
      {"[invert]\nextrapolate = \"no\"", "24:15: [invert]: \"extrapolate\" must be true or false, not a string"},
      {"[invert]\npre_actuation = -1", "24:17: [invert]: \"pre_actuation\" must not be negative"},
      {"[invert]\npost_actuation = -1", "24:18: [invert]: \"post_actuation\" must not be negative"},
      {"[invert]\nsteps = 3", "24:1: [invert]: unknown key \"steps\"; did you mean \"step\"?"},
  });
}

}  // namespace invar
