// Mistakes in [control] and [plant].
#pragma once

#include "invar/model/bad_models/bad_model.h"

namespace invar {

inline std::vector<BadModel> bad_controls() {
  const std::string head = "step = 0.01\n[control]\n";
  return with_bad_lines({
      {22, head + "periode = 0.1", "24:1: [control]: unknown key \"periode\"; did you mean \"period\"?"},
      {22, head + "until = -1", "24:9: [control]: \"until\" must be positive"},
      {22, head + "period = -0.01", "24:10: [control]: \"period\" must be positive"},
      {22, head + "period = 0", "24:10: [control]: \"period\" must be positive"},
      {22, head + "period = nan", "24:10: numbers must be finite, not nan"},
      {22, head + "period = 1e-9", "24:10: [control]: \"period\" must not make more than 1e7 samples"},
      {22, head + "substeps = 0", "24:12: [control]: \"substeps\" must lie between 1 and 10000"},
      {22, head + "baumgarte = [1, -2]",
       "24:13: [control]: \"baumgarte\" needs a positive first number (damping) and a second that is not negative"},
      {22, head + "substeps = 1.5", "24:12: [control]: \"substeps\" must be a whole number"},
      {22, head + "delay = -1", "24:9: [control]: \"delay\" must lie between 0 and 1000 samples"},
      {22, head + "seed = -1", "24:8: [control]: \"seed\" must not be negative"},
      {22, head + "bandwidth = 0", "24:13: [control]: \"bandwidth\" must be positive"},
      {22, head + "integral = 1", "24:12: [control]: \"integral\" must be true or false, not an integer"},
      {22, head + "controller = 1", "24:14: [control]: \"controller\" must be a string, not an integer"},
      {22, head + "proportional = { z = 1 }", "24:18: [control]: proportional: unknown coordinate \"z\""},
      {22, head + "derivative = { F = 1 }", "24:16: [control]: derivative: unknown coordinate \"F\""},
      {22, head + "derivative = { x = inf }", "24:20: numbers must be finite, not inf"},
      {22, head + "derivative = 3", "24:14: [control]: \"derivative\" must be a table, not an integer"},
      {22, head + "limits = { G = [-1, 1] }", "24:12: [control]: limits: unknown input \"G\""},
      {22, head + "limits = { F = 1 }", "24:16: [control]: limits: \"F\" must be [least, most]"},
      {22, head + "limits = { F = [1, 1] }",
       "24:16: [control]: limits: \"F\": the lower limit is not below the upper one"},
      {22, head + "limits = { F = [0, nan] }", "24:20: numbers must be finite, not nan"},
      {22, head + "rates = { G = 1 }", "24:11: [control]: rates: unknown input \"G\""},
      {22, head + "rates = { F = 0 }", "24:15: [control]: rates: \"F\" must be positive"},
      {22, head + "noise = { z = 1 }", "24:11: [control]: noise: unknown coordinate or velocity \"z\""},
      {22, head + "noise = { x = -1 }", "24:9: [control]: \"noise\" must not be negative"},
  });
}

inline std::vector<BadModel> bad_plants() {
  const std::string head = "step = 0.01\n[plant]\n";
  return with_bad_lines({
      {22, head + "mass = 1", "24:1: [plant]: unknown key \"mass\""},
      {22, head + "parameters = { k = 1 }", "24:16: [plant]: parameters: unknown parameter \"k\""},
      {22, head + "parameters = { m = nan }", "24:20: numbers must be finite, not nan"},
      {22, head + "start = { z = 1 }", "24:11: [plant]: start: unknown coordinate or velocity \"z\""},
      {22, head + "start = { \"x''\" = 1 }",
       "24:11: [plant]: start: unknown coordinate or velocity \"x''\"; did you mean \"x'\"?"},
      {22, head + "force = { z = \"1\" }", "24:11: [plant]: force: unknown coordinate \"z\""},
      {22, head + "force = { x = \"w\" }", "24:16: [plant]: force: \"x\": unknown name \"w\""},
  });
}

}  // namespace invar
