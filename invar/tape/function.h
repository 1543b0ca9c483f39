// A Function is a list of formulas compiled into a flat tape: one instruction per node that matters, registers reused.
//
// One tape serves every evaluation: a point, many points in vector lanes, truncated power series, C, machine code.
// Functions are immutable and thread safe; every thread brings its own Scratch, which is sized on first use. What is
// evaluated often may become machine code meanwhile (compilation.h), which changes no bit of a result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "invar/expr/expr.h"
#include "invar/tape/compiler.h"

namespace invar {

struct FunctionCode;
struct Tape;

// Registers of one evaluation. Reusing a Scratch with the same Function in the same way allocates nothing. A copy
// begins empty, so that what holds a Function and its Scratch can be copied for another thread.
class Scratch {
 public:
  Scratch() = default;
  Scratch(const Scratch&) {}  // NOLINT: nothing of the registers is worth copying
  Scratch(Scratch&&) = default;
  Scratch& operator=(const Scratch&) { return *this = Scratch(); }  // NOLINT
  Scratch& operator=(Scratch&&) = default;
  ~Scratch() = default;

 private:
  friend class Function;
  // What the registers are laid out for: one point, a block of lanes, or series of some length.
  enum class Layout : std::uint8_t { none, point, lanes, series };

  std::shared_ptr<const Tape> prepared_for_;
  Layout layout_ = Layout::none;
  std::size_t width_ = 0;  // doubles per register
  std::vector<double> memory_;
  double* registers_ = nullptr;       // the first cache line in memory_
  std::uint64_t interpreted_ = 0;     // instructions that were not told yet
  const void* by_machine_ = nullptr;  // the code whose use was told
};

class Function {
 public:
  // `inputs` are distinct symbols. An output that contains any other symbol is an InputError that names it. `name` says
  // in reports what is computed.
  Function(std::span<const Expr> inputs, std::span<const Expr> outputs, std::string_view name = "formulas");

  std::size_t input_count() const;
  std::size_t output_count() const;
  std::size_t instruction_count() const;
  double work() const;  // time of one point, in additions
  std::size_t register_count() const;

  // One point. Here and below, `in` and `out` do not overlap.
  void operator()(std::span<const double> in, std::span<double> out, Scratch& scratch) const;

  // n points in structure-of-arrays layout: in[i*n + p] is input i of point p, out likewise.
  void lanes(std::size_t n, std::span<const double> in, std::span<double> out, Scratch& scratch) const;

  // Truncated power series: in[i*(order+1) + k] is coefficient k of input i, out likewise.
  void taylor(int order, std::span<const double> in, std::span<double> out, Scratch& scratch) const;

  // Stand-alone C99: void NAME(const double *in, double *out). Holds numbers and operations only.
  std::string c_source(std::string_view name) const;

  // The same function with points evaluated by machine code where the compiler can be run, or itself where it cannot.
  // Values, lanes and series are the same bits either way.
  Function compiled(const Compiler& compiler) const;
  bool is_compiled() const;

  // Likewise with many points at a time: lanes of the width that the processor has, or of `widest`.
  Function compiled_lanes(const Compiler& compiler, std::size_t widest = any_width) const;
  bool has_compiled_lanes() const;

  // How many were made from formulas in this process so far; copies do not count.
  static std::uint64_t made();

 private:
  friend class StraightLine;
  Function(std::shared_ptr<const Tape> tape, std::string_view name);

  // Sizes the registers and fills in the numbers, unless they are there from the last call.
  double* prepare(Scratch& scratch, Scratch::Layout layout, std::size_t width) const;

  Function with_code(bool lanes, const Compiler& compiler, std::size_t widest) const;
  // For whoever decides what is compiled: so many instructions were interpreted; machine code was used.
  void tell_interpreted(std::size_t instructions, bool lanes, Scratch& scratch) const;
  void tell_machine_code(bool lanes, Scratch& scratch) const;

  std::shared_ptr<const Tape> tape_;
  std::shared_ptr<FunctionCode> code_;
};

}  // namespace invar
