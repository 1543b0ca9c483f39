// Function: checks sizes, fills registers, runs the tape.
#include "invar/tape/function.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "invar/base/error.h"
#include "invar/tape/machine_code.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

constexpr std::size_t cache_line = 64;  // a vector access across two lines takes twice the time

std::atomic<std::uint64_t> functions_made = 0;

}  // namespace

Function::Function(std::span<const Expr> inputs, std::span<const Expr> outputs)
    : Function(std::make_shared<const Tape>(make_tape(inputs, outputs))) {
  ++functions_made;
}

Function::Function(std::shared_ptr<const Tape> tape) : tape_(std::move(tape)) {}

std::uint64_t Function::made() { return functions_made; }

std::size_t Function::input_count() const { return tape_->input_count; }
std::size_t Function::output_count() const { return tape_->outputs.size(); }
std::size_t Function::instruction_count() const { return tape_->code.size(); }
std::size_t Function::register_count() const { return tape_->register_count; }
bool Function::is_compiled() const { return machine_code_ != nullptr; }

double* Function::prepare(Scratch& scratch, Scratch::Layout layout, std::size_t width) const {
  if (scratch.prepared_for_ == tape_ && scratch.layout_ == layout && scratch.width_ == width) return scratch.registers_;
  const std::size_t work = layout == Scratch::Layout::series ? taylor_work_rows : 0;
  std::size_t space = (tape_->register_count + work) * width * sizeof(double) + cache_line;
  scratch.memory_.assign(space / sizeof(double), 0.0);
  void* first = scratch.memory_.data();
  scratch.registers_ = static_cast<double*>(std::align(cache_line, sizeof(double), first, space));
  const std::size_t copies = layout == Scratch::Layout::series ? 1 : width;
  for (std::size_t i = 0; i < tape_->constants.size(); ++i)
    std::fill_n(scratch.registers_ + i * width, copies, tape_->constants[i]);
  scratch.prepared_for_ = tape_;
  scratch.layout_ = layout;
  scratch.width_ = width;
  return scratch.registers_;
}

void Function::operator()(std::span<const double> in, std::span<double> out, Scratch& scratch) const {
  expects(in.size() == input_count() && out.size() == output_count(), "one number per input and output");
  if (machine_code_) return machine_code_(in.data(), out.data());
  double* const registers = prepare(scratch, Scratch::Layout::point, 1);
  std::copy(in.begin(), in.end(), registers + tape_->first_input());
  run(*tape_, registers);
  const std::uint32_t* const output = tape_->outputs.data();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = registers[output[i]];
}

void Function::lanes(std::size_t n, std::span<const double> in, std::span<double> out, Scratch& scratch) const {
  expects(in.size() == n * input_count() && out.size() == n * output_count(), "n numbers per input and output");
  std::size_t done = 0;
  if (machine_lanes_) {
    machine_lanes_(n, in.data(), out.data());
    done = n - n % machine_width_;
  }
  if (done == n) return;
  run_lanes(*tape_, n, done, in.data(), out.data(), prepare(scratch, Scratch::Layout::lanes, lane_count));
}

void Function::taylor(int order, std::span<const double> in, std::span<double> out, Scratch& scratch) const {
  expects(order >= 0, "an order that is not negative");
  const std::size_t n = static_cast<std::size_t>(order) + 1;
  expects(in.size() == n * input_count() && out.size() == n * output_count(), "order+1 numbers per input and output");
  double* const registers = prepare(scratch, Scratch::Layout::series, n);
  std::copy(in.begin(), in.end(), registers + tape_->first_input() * n);
  run_taylor(*tape_, n, registers, registers + tape_->register_count * n);
  for (std::size_t i = 0; i < output_count(); ++i)
    std::copy_n(registers + tape_->outputs[i] * n, n, out.data() + i * n);
}

std::string Function::c_source(std::string_view name) const { return invar::c_source(*tape_, name); }

Function Function::compiled(const Compiler& compiler) const {
  Function result = *this;
  if (is_compiled()) return result;
  const MachineCode code = build_machine_code(c_source("invar_function"), compiler);
  result.library_ = code.library;
  result.machine_code_ = reinterpret_cast<void (*)(const double*, double*)>(code.entry);
  return result;
}

Function Function::compiled_lanes(const Compiler& compiler, std::size_t widest) const {
  Function result = *this;
  if (has_compiled_lanes()) return result;
  const VectorUnit unit = vector_unit(widest);
  const MachineCode code =
      build_machine_code(c_source_of_lanes(*tape_, "invar_function", unit.width), compiler, unit.flags);
  result.lanes_library_ = code.library;
  result.machine_lanes_ = reinterpret_cast<void (*)(std::size_t, const double*, double*)>(code.entry);
  result.machine_width_ = unit.width;
  return result;
}

}  // namespace invar
