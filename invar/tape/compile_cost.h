// When machine code pays: what a compiler costs against what interpreting costs more.
//
// Measured on residuals with Jacobians, inversion sweeps and rows of transcriptions of the examples (13 to 5000
// instructions, GCC 12 on an AMD EPYC with AVX-512, fastest of 40 interleaved rounds; of the compiler its user and
// system time): a point takes 1.1 … 1.8 ns per instruction interpreted and 0.2 … 0.5 ns as machine code, in lanes 0.16
// … 0.6 ns and 0.05 … 0.5 ns. The compiler takes 45 ms for the shortest functions and at length 0.2 … 0.4 ms per
// instruction and 0.3 … 1.0 ms per result; a function from the cache 0.5 ms and 1.2 µs per instruction.
#pragma once

#include <cstddef>

namespace invar {

struct CompileCost {
  double build = 0.0, load = 0.0;  // seconds: by the compiler, from the cache
  double gain = 0.0;               // seconds per evaluated instruction

  // Is it worth `seconds`, if so many instructions are still to be evaluated? What is interpreted while the compiler
  // works gains nothing, and costs no more than the compiler does.
  bool pays(double seconds, double instructions) const { return instructions * gain > 2.0 * seconds; }
};

inline CompileCost cost_of_point(std::size_t instructions, std::size_t results) {
  const auto length = static_cast<double>(instructions);
  return {0.045 + 0.25e-3 * length + 0.7e-3 * static_cast<double>(results), 0.5e-3 + 1.2e-6 * length, 0.9e-9};
}

inline CompileCost cost_of_lanes(std::size_t instructions, std::size_t results) {
  CompileCost cost = cost_of_point(instructions, results);
  cost.gain = 0.1e-9;
  return cost;
}

}  // namespace invar
