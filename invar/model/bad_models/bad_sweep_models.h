// Mistakes in [sweep].
#pragma once

#include "invar/model/bad_models/bad_model.h"

namespace invar {

inline std::vector<BadModel> bad_sweeps() {
  const std::string head = "step = 0.01\n[sweep]\n";
  return with_bad_lines({
      {22, head + "taks = \"simulate\"", "24:1: [sweep]: unknown key \"taks\"; did you mean \"task\"?"},
      {22, head + "task = \"fly\"",
       "24:8: [sweep]: \"task\" must be \"simulate\", \"equilibrium\", \"invert\", \"optimize\" or \"control\""},
      {22, head + "over = 3", "24:8: [sweep]: \"over\" must be a table, not an integer"},
      {22, head + "over = { m = true }", "24:14: [sweep]: over: \"m\" must be a number or a formula, not a boolean"},
      {22, head + "over = { m = [1, \"2\"] }", "24:18: [sweep]: over: \"m\": a list holds numbers, not strings"},
      {22, head + "over = { m = \"normal(1)\" }",
       "24:14: [sweep]: over: \"m\": \"normal(1)\": write normal(mean, deviation)"},
      {22, head + "over = { m = \"1:2\" }",
       "24:14: [sweep]: over: \"m\": \"1:2\": write from:to:count, as 50:500:10 for 50, 100 … 500"},
      {22, head + "samples = -1", "24:11: [sweep]: \"samples\" must not be negative"},
      {22, head + "seed = 0.5", "24:8: [sweep]: \"seed\" must be a whole number"},
      {22, head + "sampling = 1", "24:12: [sweep]: \"sampling\" must be a string, not an integer"},
      {22, head + "record = []", "24:10: [sweep]: \"record\" must not be empty"},
      {22, head + "record = [\"x.last\"]",
       "24:10: [sweep]: \"record\" is wrong: cannot record \"x.last\"; write figures, or COLUMN.KIND with end, min, "
       "max, peak, mean, rms or series"},
      {22, head + "limit = -1", "24:9: [sweep]: \"limit\" must not be negative"},
  });
}

}  // namespace invar
