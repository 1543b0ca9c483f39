// Mistakes in [optimize].
#pragma once

#include "invar/model/bad_models/bad_model.h"

namespace invar {

inline std::vector<BadModel> bad_optimizations() {
  const std::string head = "step = 0.01\n[optimize]\n", whole = head + "horizon = 1.0\n";
  return with_bad_lines({
      {22, head + "intervals = 4", "23:1: [optimize]: missing \"horizon\""},
      {22, head + "horizon = 0",
       "24:11: [optimize]: \"horizon\" must be positive, or { min, max } with 0 < min <= max"},
      {22, head + "horizon = { min = 1 }",
       "24:11: [optimize]: \"horizon\" must be positive, or { min, max } with 0 < min <= max"},
      {22, head + "horizon = { min = 2, max = 1 }",
       "24:11: [optimize]: \"horizon\" must be positive, or { min, max } with 0 < min <= max"},
      {22, whole + "intervals = 0", "25:13: [optimize]: \"intervals\" must be a whole number from 1 to 100000"},
      {22, whole + "intervals = 2.5", "25:13: [optimize]: \"intervals\" must be a whole number"},
      {22, whole + "interval = 3", "25:1: [optimize]: unknown key \"interval\"; did you mean \"intervals\"?"},
      {22, whole + "method = \"shooting\"", "25:10: [optimize]: \"method\" must be \"direct\" or \"indirect\""},
      {22, whole + "refine = 0", "25:10: [optimize]: \"refine\" must lie between 1 and 6"},
      {22, whole + "guess = \"random\"",
       "25:9: [optimize]: \"guess\" must be \"auto\", \"joints\", \"line\", \"hold\" or \"inverse\""},
      {22, whole + "tolerance = 1", "25:13: [optimize]: \"tolerance\" must be positive and at most 1e-3"},
      {22, whole + "iterations = 0", "25:14: [optimize]: \"iterations\" must be at least 1"},
      {22, whole + "rest = 1", "25:8: [optimize]: \"rest\" must be true or false, not an integer"},
      {22, whole + "final = { z = 1 }", "25:11: [optimize]: final: unknown coordinate, velocity or output \"z\""},
      {22, whole + "final = { F = 1 }", "25:11: [optimize]: final: unknown coordinate, velocity or output \"F\""},
      {22, whole + "bounds = { F = 1 }", "25:16: [optimize]: bounds: \"F\" must be [least, most] or { min, max }"},
      {22, whole + "bounds = { F = [1, 2, 3] }",
       "25:16: [optimize]: bounds: \"F\" must have two numbers: [least, most]"},
      {22, whole + "bounds = { F = [1, -1] }",
       "25:16: [optimize]: bounds: \"F\": the lower limit is above the upper one"},
      {22, whole + "bounds = { F = {} }", "25:16: [optimize]: bounds: \"F\": give min, max or both"},
      {22, whole + "path = [{ expr = \"x\" }]", "25:9: [optimize]: \"path\": give min, max or both"},
      {22, whole + "path = \"x\"", "25:8: [optimize]: \"path\" must be a list of { expr, min, max }"},
      {22, whole + "conditions = [{ expr = \"F\" }]",
       "25:25: [optimize]: \"conditions\": input \"F\" cannot be used here; only coordinates, velocities, t and "
       "parameters "
       "can"},
      {22, whole + "conditions = [{ expr = \"lambda.rod\" }]",
       "25:25: [optimize]: \"conditions\": multiplier \"lambda.rod\" cannot be used here; only coordinates, "
       "velocities, t "
       "and parameters can"},
      {22, whole + "path = [{ expr = \"lambda.rod'\", min = 0 }]",
       "25:19: [optimize]: \"path\": multiplier \"lambda.rod'\" cannot be used here; only coordinates, velocities, "
       "inputs, "
       "multipliers, t and parameters can"},
      {22, whole + "path = [{ expr = \"lambda.rud\", min = 0 }]",
       "25:19: [optimize]: \"path\": unknown name \"lambda.rud\"; did you mean \"lambda.rod\"?"},
      {22, whole + "cost = \"F^2 + G\"", "25:15: [optimize]: \"cost\": unknown name \"G\""},
      {22, whole + "cost = \"x''\"",
       "25:9: [optimize]: \"cost\": acceleration \"x''\" cannot be used here; only coordinates, velocities, inputs, t "
       "and "
       "parameters can"},
  });
}

}  // namespace invar
