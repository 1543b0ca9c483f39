// Function: checks sizes, fills registers, runs the tape.
#include "invar/tape/function.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "invar/base/error.h"
#include "invar/tape/compilation.h"
#include "invar/tape/function_code.h"
#include "invar/tape/machine_code.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

constexpr std::size_t cache_line = 64;  // a vector access across two lines takes twice the time

// Instructions from which on work is told: about a tenth of a millisecond, against which telling is nothing.
constexpr std::uint64_t worth_telling = 100000;

// Rows of lanes at such distances in doubles share few places of the caches: so many rows have room there. Then points
// are taken out of them, few at a time (measured: 0.2 of the time with 512 points, 930 rows).
constexpr std::size_t colliding = 128, most_in_one_place = 64, few_points = 40;

using PointCode = void (*)(const double*, double*);
using LanesCode = void (*)(std::size_t, const double*, double*);

std::atomic<std::uint64_t> functions_made = 0;

std::shared_ptr<FunctionCode> no_code(std::string_view name) {
  auto code = std::make_shared<FunctionCode>();
  code->name = name;
  return code;
}

// Through copies of `block` points at a time; the first of a block stands where points are missing.
void run_blocks(LanesCode code, std::size_t block, std::size_t n, std::span<const double> in, std::span<double> out,
                double* memory) {
  const std::size_t inputs = in.size() / n, outputs = out.size() / n;
  double* const results = memory + inputs * block;
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t used = std::min(block, n - first);
    for (std::size_t i = 0; i < inputs; ++i) {
      double *const row = memory + i * block, *const end = std::copy_n(in.data() + i * n + first, used, row);
      std::fill(end, row + block, row[0]);
    }
    code(block, memory, results);
    for (std::size_t i = 0; i < outputs; ++i) std::copy_n(results + i * block, used, out.data() + i * n + first);
  }
}

}  // namespace

Function::Function(std::span<const Expr> inputs, std::span<const Expr> outputs, std::string_view name)
    : Function(std::make_shared<const Tape>(make_tape(inputs, outputs)), name) {
  ++functions_made;
}

Function::Function(std::shared_ptr<const Tape> tape, std::string_view name)
    : tape_(std::move(tape)), code_(no_code(name)) {}

std::uint64_t Function::made() { return functions_made; }

std::size_t Function::input_count() const { return tape_->input_count; }
std::size_t Function::output_count() const { return tape_->outputs.size(); }
std::size_t Function::instruction_count() const { return tape_->code.size(); }
double Function::work() const {
  constexpr double division = 3.0, function = 10.0;  // as measured with the tape's interpreter, roughly
  double sum = 0.0;
  for (const Instruction& i : tape_->code) {
    const Code code = i.operation();
    const bool divides = code == Code::divide || code == Code::sqrt;
    const bool calls = (code >= Code::exp && code <= Code::tanh) || code == Code::power || code == Code::stumpff ||
                       code == Code::lerch;
    sum += calls ? function : divides ? division : 1.0;
  }
  return sum;
}
std::size_t Function::register_count() const { return tape_->register_count; }
bool Function::is_compiled() const { return code_->point.entry() != nullptr; }
bool Function::has_compiled_lanes() const { return code_->lanes.entry() != nullptr; }

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
  scratch.interpreted_ = 0;
  scratch.prepared_for_ = tape_;
  scratch.layout_ = layout;
  scratch.width_ = width;
  return scratch.registers_;
}

void Function::operator()(std::span<const double> in, std::span<double> out, Scratch& scratch) const {
  expects(in.size() == input_count() && out.size() == output_count(), "one number per input and output");
  if (void* const machine_code = code_->point.entry()) {
    if (scratch.by_machine_ != machine_code) tell_machine_code(false, scratch);
    return reinterpret_cast<PointCode>(machine_code)(in.data(), out.data());
  }
  double* const registers = prepare(scratch, Scratch::Layout::point, 1);
  std::copy(in.begin(), in.end(), registers + tape_->first_input());
  run(*tape_, registers);
  const std::uint32_t* const output = tape_->outputs.data();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = registers[output[i]];
  tell_interpreted(tape_->code.size(), false, scratch);
}

void Function::lanes(std::size_t n, std::span<const double> in, std::span<double> out, Scratch& scratch) const {
  expects(in.size() == n * input_count() && out.size() == n * output_count(), "n numbers per input and output");
  if (n == 0) return;
  void* const machine_code = code_->lanes.entry();
  if (!machine_code) {
    run_lanes(*tape_, n, in.data(), out.data(), prepare(scratch, Scratch::Layout::lanes, lane_count));
    return tell_interpreted(n * tape_->code.size(), true, scratch);
  }
  if (scratch.by_machine_ != machine_code) tell_machine_code(true, scratch);
  const auto code = reinterpret_cast<LanesCode>(machine_code);
  const std::size_t width = code_->lanes.width(), rows = input_count() + output_count();
  const bool collide = n % colliding == 0 && rows > most_in_one_place;
  if (n >= width && !collide) return code(n, in.data(), out.data());
  const std::size_t block = collide ? few_points : width;
  scratch.layout_ = Scratch::Layout::none;
  scratch.memory_.resize(std::max(scratch.memory_.size(), rows * block));
  run_blocks(code, block, n, in, out, scratch.memory_.data());
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
  return is_compiled() ? *this : with_code(false, compiler, 1);
}

Function Function::compiled_lanes(const Compiler& compiler, std::size_t widest) const {
  return has_compiled_lanes() ? *this : with_code(true, compiler, widest);
}

// What this one has stays with it, and what it gets later the other does not get.
Function Function::with_code(bool lanes, const Compiler& compiler, std::size_t widest) const {
  Function result = *this;
  result.code_ = no_code(code_->name);
  CodeSlot &own = lanes ? result.code_->lanes : result.code_->point,
           &other = lanes ? result.code_->point : result.code_->lanes;
  other.share(lanes ? code_->point : code_->lanes);
  if (MachineCode code = machine_code_of(*tape_, lanes ? widest : 1, compiler); code.entry)
    own.fill(std::move(code.library), code.entry, code.width);
  return result;
}

void Function::tell_interpreted(std::size_t instructions, bool lanes, Scratch& scratch) const {
  scratch.interpreted_ += instructions;
  if (scratch.interpreted_ < worth_telling) return;
  Evaluated{code_, tape_, lanes}.interpreted(scratch.interpreted_);
  scratch.interpreted_ = 0;
}

void Function::tell_machine_code(bool lanes, Scratch& scratch) const {
  scratch.by_machine_ = (lanes ? code_->lanes : code_->point).entry();
  Evaluated{code_, tape_, lanes}.by_machine_code();
}

}  // namespace invar
