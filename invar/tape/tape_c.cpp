// A tape as stand-alone C99: numbers and operations only, the same bits as the interpreter.
//
// C compilers take more than linear time in the length of a function. So a long tape becomes several functions, and the
// values that pass from one to the next live in an array. The instructions of a tape stand in an order that suits the
// interpreter, many of one kind after each other; here each stands just before it is needed, so that a processor with
// its few registers has to remember little.
//
// For many points the same text stands for packs of values, by the vector types of GCC and Clang; functions of <math.h>
// are called for each value of a pack, so that bits are the same. There the number of points is known only when the
// code runs, and addresses would take more of the time than the operations. So inputs and outputs have a pointer for
// every sixteen of them, and outputs are written in their order, which suits the caches too. Where the last points do
// not fill a pack, some of those before are computed again with them.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "invar/base/error.h"
#include "invar/tape/c_helpers.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

constexpr std::uint32_t rows_per_pointer = 16;  // measured: 4, 8 and 16 are alike, one for all costs a tenth
constexpr std::size_t longest_part = 1000;      // measured: 4000 doubles the time, 250 saves a third

bool is_c_identifier(std::string_view name) {
  constexpr std::array keywords = {"auto",     "break",   "case",   "char",     "const",  "continue", "default",
                                   "do",       "double",  "else",   "enum",     "extern", "float",    "for",
                                   "goto",     "if",      "inline", "int",      "long",   "main",     "register",
                                   "restrict", "return",  "short",  "signed",   "sizeof", "static",   "struct",
                                   "switch",   "typedef", "union",  "unsigned", "void",   "volatile", "while"};
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && !digit(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || digit(c); }) &&
         std::find(keywords.begin(), keywords.end(), name) == keywords.end();
}

// Registers that an instruction reads; for stumpff and lerch a is a number.
std::array<bool, 3> reads(const Instruction& i) {
  const bool family = i.operation() == Code::stumpff || i.operation() == Code::lerch;
  const int count = operand_count(i.operation());
  return {count > 0 && !family, count > 1 || family, count > 2};
}

// The same tape with every instruction just before it is needed first, and a register for each.
class DepthFirst {
 public:
  explicit DepthFirst(const Tape& tape) : tape_(tape), place_(tape.code.size(), no_index) {
    find_sources();
    for (const std::uint32_t from : outputs_) visit(from);
  }

  Tape result() const {
    Tape tape = tape_;
    const auto first = static_cast<std::uint32_t>(tape_.first_result());
    const auto moved = [&](std::uint32_t reg, std::uint32_t from) {
      return from == no_index ? reg : first + place_[from];
    };
    tape.code.clear();
    for (const std::uint32_t i : order_) {
      Instruction x = tape_.code[i];
      const auto& [a, b, c] = sources_[i];
      x.a = moved(x.a, a), x.b = moved(x.b, b), x.c = moved(x.c, c);
      x.to = (first + place_[i]) & Instruction::last_register;
      tape.code.push_back(x);
    }
    for (std::size_t k = 0; k < outputs_.size(); ++k) tape.outputs[k] = moved(tape.outputs[k], outputs_[k]);
    tape.register_count = first + order_.size();
    return tape;
  }

 private:
  void find_sources() {
    std::vector<std::uint32_t> writer(tape_.register_count, no_index);
    for (std::uint32_t i = 0; i < tape_.code.size(); ++i) {
      const Instruction& x = tape_.code[i];
      const std::array registers = {x.a, x.b, x.c};
      const std::array<bool, 3> read = reads(x);
      sources_.push_back({no_index, no_index, no_index});
      for (std::size_t k = 0; k < registers.size(); ++k)
        if (read[k]) sources_.back()[k] = writer[registers[k]];
      writer[x.to] = i;
    }
    for (const std::uint32_t reg : tape_.outputs) outputs_.push_back(writer[reg]);
  }

  void visit(std::uint32_t root) {
    std::vector<std::uint32_t> open = {root};
    while (!open.empty()) {
      const std::uint32_t i = open.back();
      if (i == no_index || place_[i] != no_index) {
        open.pop_back();
        continue;
      }
      const std::size_t before = open.size();
      for (const std::uint32_t from : sources_[i])
        if (from != no_index && place_[from] == no_index) open.push_back(from);
      if (open.size() > before) continue;
      place_[i] = static_cast<std::uint32_t>(order_.size());
      order_.push_back(i);
      open.pop_back();
    }
  }

  const Tape& tape_;
  std::vector<std::array<std::uint32_t, 3>> sources_;  // instructions
  std::vector<std::uint32_t> outputs_, order_, place_;
};

class Writer {
 public:
  Writer(const Tape& tape, std::string_view name, std::size_t width);
  std::string text();

 private:
  std::size_t part_of(std::size_t i) const { return i / longest_part; }
  bool single_part() const { return tape_.code.size() <= longest_part; }
  void find_lives();
  void write_part(std::size_t part);
  void write_instruction(std::uint32_t i);
  void write_entry(std::size_t parts);
  std::string operand(std::uint32_t reg, std::size_t part) const;
  std::string operation(const Instruction& i, std::size_t part) const;
  std::string argument(std::uint32_t reg, std::size_t part) const;
  std::string function(Code code) const;
  std::string input(std::uint32_t k) const;
  std::string output(std::uint32_t k) const;
  void place_outputs();
  void write_output(std::uint32_t k, std::size_t part);
  void write_input_pointers(std::size_t first, std::size_t last);
  bool is_input(std::uint32_t reg) const { return reg >= tape_.first_input() && reg < tape_.first_result(); }
  void write_pack_functions();
  bool in_lanes() const { return width_ > 1; }
  bool uses(Code code) const;
  std::string slot(std::uint32_t i) const { return "w[" + std::to_string(slot_[i]) + "]"; }
  std::string variable(std::uint32_t i) const { return "v" + std::to_string(i); }

  std::uint32_t writer(std::uint32_t reg) const { return reg - static_cast<std::uint32_t>(tape_.first_result()); }

  Tape tape_;
  std::string name_;
  std::size_t width_;
  std::string type_;  // of a value
  std::string text_;
  std::vector<std::uint32_t> slot_;  // of instructions whose values a later part uses
  std::size_t slots_ = 0;
  std::vector<std::vector<std::uint32_t>> outputs_after_;  // each instruction
  std::vector<std::uint32_t> last_outputs_;                // where there are no instructions
  std::uint32_t output_pointer_ = no_index;                // the last that the function at hand has
};

Writer::Writer(const Tape& tape, std::string_view name, std::size_t width)
    : tape_(DepthFirst(tape).result()), name_(name), width_(width), type_(width > 1 ? "pack" : "double") {
  slot_.resize(tape_.code.size(), no_index);
  outputs_after_.resize(tape_.code.size());
  place_outputs();
  find_lives();
}

// In their order, each as soon as it and those before it are known.
void Writer::place_outputs() {
  std::uint32_t latest = tape_.code.empty() ? no_index : 0;
  for (std::uint32_t k = 0; k < tape_.outputs.size(); ++k) {
    if (tape_.outputs[k] >= tape_.first_result()) latest = std::max(latest, writer(tape_.outputs[k]));
    (latest == no_index ? last_outputs_ : outputs_after_[latest]).push_back(k);
  }
}

void Writer::find_lives() {
  const auto use = [&](std::uint32_t reg, std::uint32_t i) {
    if (reg < tape_.first_result()) return;
    const std::uint32_t from = writer(reg);
    if (part_of(from) != part_of(i) && slot_[from] == no_index) slot_[from] = static_cast<std::uint32_t>(slots_++);
  };
  for (std::uint32_t i = 0; i < tape_.code.size(); ++i) {
    const Instruction& x = tape_.code[i];
    const std::array registers = {x.a, x.b, x.c};
    const std::array<bool, 3> read = reads(x);
    for (std::size_t k = 0; k < registers.size(); ++k)
      if (read[k]) use(registers[k], i);
    for (const std::uint32_t k : outputs_after_[i]) use(tape_.outputs[k], i);
  }
}

std::string Writer::operand(std::uint32_t reg, std::size_t part) const {
  if (reg < tape_.first_input()) return c_literal(tape_.constants[reg]);
  if (reg < tape_.first_result()) return input(static_cast<std::uint32_t>(reg - tape_.first_input()));
  return part_of(writer(reg)) == part ? variable(writer(reg)) : slot(writer(reg));
}

std::string Writer::input(std::uint32_t k) const {
  if (!in_lanes()) return "in[" + std::to_string(k) + "]";
  return "*(const pack *)(in" + std::to_string(k / rows_per_pointer) + " + " + std::to_string(k % rows_per_pointer) +
         " * n)";
}

std::string Writer::output(std::uint32_t k) const {
  if (!in_lanes()) return "out[" + std::to_string(k) + "]";
  return "*(pack *)(out" + std::to_string(k / rows_per_pointer) + " + " + std::to_string(k % rows_per_pointer) +
         " * n)";
}

std::string pointer_line(const std::string& type, const std::string& name, std::uint32_t before, std::uint32_t place) {
  const bool first = before == no_index;
  return "  " + type + " *const " + name + std::to_string(place) + " = " + name +
         (first ? "" : std::to_string(before)) + " + " +
         std::to_string((place - (first ? 0 : before)) * rows_per_pointer) + " * n;\n";
}

// For the instructions from `first` to before `last`, and the outputs that follow them.
void Writer::write_input_pointers(std::size_t first, std::size_t last) {
  std::set<std::uint32_t> used;
  const auto use = [&](std::uint32_t reg) {
    if (is_input(reg)) used.insert(static_cast<std::uint32_t>(reg - tape_.first_input()) / rows_per_pointer);
  };
  for (std::size_t i = first; i < last; ++i) {
    const Instruction& x = tape_.code[i];
    const std::array registers = {x.a, x.b, x.c};
    const std::array<bool, 3> read = reads(x);
    for (std::size_t k = 0; k < registers.size(); ++k)
      if (read[k]) use(registers[k]);
    for (const std::uint32_t k : outputs_after_[i]) use(tape_.outputs[k]);
  }
  for (const std::uint32_t k : last_outputs_) use(tape_.outputs[k]);
  std::uint32_t before = no_index;
  for (const std::uint32_t place : used) {
    text_ += pointer_line("const double", "in", before, place);
    before = place;
  }
}

// Of a function: C makes packs of numbers in sums and products only.
std::string Writer::argument(std::uint32_t reg, std::size_t part) const {
  const std::string text = operand(reg, part);
  return in_lanes() && reg < tape_.first_input() ? name_ + "_all(" + text + ")" : text;
}

// Of operations that C has no sign for.
struct CFunction {
  Code code;
  std::string_view name;
  bool ours = false;           // not in <math.h>
  std::string_view k = "";     // a number that comes first
  std::string_view also = "";  // a second argument
};
constexpr std::array c_functions = {
    CFunction{Code::power, "pow", false, "", ", b[i]"},
    CFunction{Code::sqrt, "sqrt"},
    CFunction{Code::exp, "exp"},
    CFunction{Code::log, "log"},
    CFunction{Code::sin, "sin"},
    CFunction{Code::cos, "cos"},
    CFunction{Code::tan, "tan"},
    CFunction{Code::asin, "asin"},
    CFunction{Code::acos, "acos"},
    CFunction{Code::atan, "atan"},
    CFunction{Code::atan2, "atan2", false, "", ", b[i]"},
    CFunction{Code::sinh, "sinh"},
    CFunction{Code::cosh, "cosh"},
    CFunction{Code::tanh, "tanh"},
    CFunction{Code::abs, "fabs"},
    CFunction{Code::sign, "sign", true},
    CFunction{Code::stumpff, "stumpff", true, "k, "},
    CFunction{Code::lerch, "lerch", true, "k, "},
};

std::string Writer::function(Code code) const {
  return in_lanes() ? name_ + "_pack_" + c_function(code, "") : c_function(code, name_ + "_");
}

void Writer::write_pack_functions() {
  const std::string size = std::to_string(width_);
  const std::string bytes = std::to_string(8 * width_);
  text_ += "typedef double pack __attribute__((vector_size(" + bytes + "), aligned(8)));\n" +
           "typedef unsigned long long pack_bits __attribute__((vector_size(" + bytes + ")));\n\n";
  text_ += "static inline pack " + name_ + "_all(double x)\n{\n  pack y;\n  for (int i = 0; i < " + size +
           "; ++i) y[i] = x;\n  return y;\n}\n\n";
  for (const CFunction& f : c_functions) {
    if (!uses(f.code)) continue;
    if (f.code == Code::abs) {
      text_ += "static inline pack " + function(f.code) +
               "(pack a)\n{\n  return (pack)((pack_bits)a & 0x7fffffffffffffffULL);\n}\n\n";
      continue;
    }
    const std::string called = (f.ours ? name_ + "_" : "") + std::string(f.name);
    text_ += "static __attribute__((noinline)) pack " + function(f.code) + "(" + (f.k.empty() ? "" : "int k, ") +
             "pack a" + (f.also.empty() ? "" : ", pack b") + ")\n{\n  pack y;\n  for (int i = 0; i < " + size +
             "; ++i) y[i] = " + called + "(" + std::string(f.k) + "a[i]" + std::string(f.also) +
             ");\n  return y;\n}\n\n";
  }
}

std::string Writer::operation(const Instruction& i, std::size_t part) const {
  const Code code = i.operation();
  const bool signs = code == Code::negate || (code >= Code::add && code <= Code::divide) || code > Code::lerch;
  const std::array registers = {i.a, i.b, i.c};
  const std::array<bool, 3> read = reads(i);
  std::array<std::string, 3> of;
  for (std::size_t k = 0; k < of.size(); ++k)
    if (read[k]) of[k] = signs ? operand(registers[k], part) : argument(registers[k], part);
  return c_operation(code, signs ? "" : function(code), i.a, of);
}

void Writer::write_instruction(std::uint32_t i) {
  const Instruction& instruction = tape_.code[i];
  text_ += "  const " + type_ + " " + variable(i) + " = " + operation(instruction, part_of(i)) + ";\n";
  if (slot_[i] != no_index) text_ += "  " + slot(i) + " = " + variable(i) + ";\n";
  for (const std::uint32_t k : outputs_after_[i]) write_output(k, part_of(i));
}

void Writer::write_output(std::uint32_t k, std::size_t part) {
  if (const std::uint32_t place = k / rows_per_pointer; in_lanes() && place != output_pointer_) {
    text_ += pointer_line("double", "out", output_pointer_, place);
    output_pointer_ = place;
  }
  text_ += "  " + output(k) + " = " + argument(tape_.outputs[k], part) + ";\n";
}

void Writer::write_part(std::size_t part) {
  const std::size_t first = part * longest_part;
  const std::size_t last = std::min(first + longest_part, tape_.code.size());
  output_pointer_ = no_index;
  if (in_lanes()) write_input_pointers(first, last);
  for (std::size_t i = first; i < last; ++i) write_instruction(static_cast<std::uint32_t>(i));
}

// The points of a pack lie side by side: `in` and `out` go on by a pack from one round to the next.
void Writer::write_entry(std::size_t parts) {
  const std::string parameters =
      std::string(in_lanes() ? "unsigned long n, " : "") + "const double *restrict in, double *restrict out";
  text_ += "void " + name_ + "(" + parameters + ")\n{\n";
  if (in_lanes()) {
    const std::string size = std::to_string(width_);
    text_ += "for (unsigned long p = 0; p < n; p += " + size + ", in += " + size + ", out += " + size + ") {\n" +
             "  const unsigned long again = p + " + size + " > n ? p + " + size + " - n : 0;\n" +
             "  in -= again;\n  out -= again;\n";
  }
  if (single_part()) {
    write_part(0);
  } else {
    text_ += "  " + type_ + " w[" + std::to_string(std::max<std::size_t>(slots_, 1)) + "];\n";
    for (std::size_t part = 0; part < parts; ++part)
      text_ += "  " + name_ + "_part" + std::to_string(part) + (in_lanes() ? "(n, in, out, w);\n" : "(in, out, w);\n");
  }
  for (const std::uint32_t k : last_outputs_) write_output(k, 0);
  text_ += "  (void)in;\n  (void)out;\n}\n";
  if (in_lanes()) text_ += "}\n";
}

bool Writer::uses(Code code) const {
  return std::any_of(tape_.runs.begin(), tape_.runs.end(), [code](const Run& run) { return run.code == code; });
}

std::string Writer::text() {
  text_ = "#include <math.h>\n\n";
  if (uses(Code::sign)) text_ += c_helper_sign(name_);
  if (uses(Code::stumpff)) text_ += c_helper_stumpff(name_);
  if (uses(Code::lerch)) text_ += c_helper_lerch(name_);
  if (in_lanes()) write_pack_functions();
  text_ += "void " + name_ + (in_lanes() ? "(unsigned long n, " : "(") + "const double *in, double *out);\n\n";
  const std::size_t parts = (tape_.code.size() + longest_part - 1) / longest_part;
  const std::string parameters = std::string(in_lanes() ? "unsigned long n, " : "") +
                                 "const double *restrict in, double *restrict out, " + type_ + " *restrict w";
  for (std::size_t part = 0; !single_part() && part < parts; ++part) {
    text_ += "static void " + name_ + "_part" + std::to_string(part) + "(" + parameters + ")\n{\n";
    write_part(part);
    text_ += "  (void)in;\n  (void)out;\n  (void)w;\n}\n\n";
  }
  write_entry(parts);
  return std::move(text_);
}

}  // namespace

std::string c_literal(double x) {
  if (std::isnan(x)) return "NAN";
  if (std::isinf(x)) return x > 0 ? "INFINITY" : "(-INFINITY)";
  std::array<char, 40> digits;
  std::string text(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text.front() == '-' ? "(" + text + ")" : text;
}

std::string c_function(Code code, const std::string& prefix) {
  const auto* found = std::ranges::find(c_functions, code, &CFunction::code);
  expects(found != c_functions.end(), "an operation");
  return (found->ours ? prefix : "") + std::string(found->name);
}

std::string c_operation(Code code, const std::string& function, std::uint32_t k, const std::array<std::string, 3>& of) {
  const auto& [a, b, c] = of;
  switch (code) {
    case Code::negate: return "-" + a;
    case Code::add: return a + " + " + b;
    case Code::subtract: return a + " - " + b;
    case Code::multiply: return a + " * " + b;
    case Code::divide: return a + " / " + b;
    case Code::multiply_add: return a + " * " + b + " + " + c;
    case Code::multiply_subtract: return a + " * " + b + " - " + c;
    case Code::subtract_product: return c + " - " + a + " * " + b;
    case Code::negated_product: return "-(" + a + " * " + b + ")";
    case Code::power:
    case Code::atan2: return function + "(" + a + ", " + b + ")";
    case Code::stumpff:
    case Code::lerch: return function + "(" + std::to_string(k) + ", " + b + ")";
    default: return function + "(" + a + ")";
  }
}

std::string c_source(const Tape& tape, std::string_view name) {
  if (!is_c_identifier(name)) throw InputError("\"" + std::string(name) + "\" cannot be the name of a C function");
  return Writer(tape, name, 1).text();
}

std::string c_source_of_lanes(const Tape& tape, std::string_view name, std::size_t width) {
  expects(is_c_identifier(name) && width > 1, "the name of a C function, and several points");
  return Writer(tape, name, width).text();
}

}  // namespace invar
