// The flat form of a list of formulas: instructions on registers, in an order that keeps values alive only briefly.
//
// Registers: the numbers first, then the inputs, then the results, which share registers where their lives do not meet.
// Only function.cpp and the tape files include this.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "invar/expr/expr.h"

namespace invar {

// Where a value, an instruction or a register would be numbered: there is none.
inline constexpr std::uint32_t no_index = 0xffffffff;

// The operations of formulas, and products that are used only in one sum. Product and sum round separately, as if they
// were two operations: every evaluation of a tape gives the same bits.
enum class Code : std::uint8_t {
  constant,
  symbol,
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  abs,
  sign,
  stumpff,
  lerch,
  multiply_add,       // ab + c
  multiply_subtract,  // ab - c
  subtract_product,   // c - ab
  negated_product,    // -(ab)
};
static_assert(static_cast<int>(Code::lerch) == static_cast<int>(Op::lerch), "Code continues Op");

inline Op as_op(Code code) { return static_cast<Op>(code); }
int operand_count(Code code);

struct Instruction {
  static constexpr std::uint32_t last_register = 0xffffff;

  std::uint32_t code : 8;
  std::uint32_t to : 24;
  std::uint32_t a;  // registers; for stumpff and lerch a is the number k itself
  std::uint32_t b;
  std::uint32_t c;

  Code operation() const { return static_cast<Code>(code); }
};
static_assert(sizeof(Instruction) == 16);

// Neighbours with the same operation: the interpreter decides what to do once per run.
struct Run {
  Code code;
  std::uint32_t length;
};

struct Tape {
  std::vector<double> constants;
  std::size_t input_count = 0;
  std::size_t register_count = 0;
  std::vector<Instruction> code;
  std::vector<Run> runs;
  std::vector<std::uint32_t> outputs;  // register of each

  std::size_t first_input() const { return constants.size(); }
  std::size_t first_result() const { return constants.size() + input_count; }
};

Tape make_tape(std::span<const Expr> inputs, std::span<const Expr> outputs);

// A formula in single-assignment form, before it gets an order and registers. Operands precede their users.
struct TapeValue {
  Code code;
  std::uint32_t a = 0;  // operands; for a symbol the number of the input; for stumpff and lerch k
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  double number = 0.0;  // of a constant
};
inline bool is_leaf(const TapeValue& v) { return v.code == Code::constant || v.code == Code::symbol; }
// The values that an operation reads.
struct Operands {
  std::array<std::uint32_t, 3> of;
  int count;

  const std::uint32_t* begin() const { return of.data(); }
  const std::uint32_t* end() const { return of.data() + count; }
};
Operands operands(const TapeValue& v);
// Joins every product that has one user, a sum or a sign, with that user.
void fuse(std::vector<TapeValue>& values, std::span<const std::uint32_t> outputs);
// The operations that the outputs need, depth first, and first the operand that needs most registers.
std::vector<std::uint32_t> depth_first_order(std::span<const TapeValue> values, std::span<const std::uint32_t> outputs);
// Orders the values that the outputs need and gives them registers.
Tape schedule(std::span<const TapeValue> values, std::span<const std::uint32_t> outputs, std::size_t input_count);

// Every run expects the registers of the numbers to be set.

// One point: from the registers of the inputs to those of the outputs.
void run(const Tape& tape, double* registers);

// Many points, in blocks: every register has room for lane_count doubles. Inputs and outputs are n doubles each.
constexpr std::size_t lane_count = 32;
void run_lanes(const Tape& tape, std::size_t n, const double* in, double* out, double* registers);

// Series, likewise: every register holds n coefficients; `work` has room for taylor_work_rows further series.
constexpr std::size_t taylor_work_rows = 4;
void run_taylor(const Tape& tape, std::size_t n, double* registers, double* work);

// C text: digits that are read back as the same number; an operation on these operands, where `function` is the name of
// what C has no sign for, and k the number of a family.
std::string c_literal(double x);
std::string c_operation(Code code, const std::string& function, std::uint32_t k, const std::array<std::string, 3>& of);
// The name of what C has no sign for, of our own functions with this prefix.
std::string c_function(Code code, const std::string& prefix);

std::string c_source(const Tape& tape, std::string_view name);

// Many points, `width` at a time and no fewer: void NAME(unsigned long n, const double *in, double *out).
std::string c_source_of_lanes(const Tape& tape, std::string_view name, std::size_t width);

}  // namespace invar
