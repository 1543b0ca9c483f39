// A tape as stand-alone C99: numbers and operations only, the same bits as the interpreter.
//
// C compilers take more than linear time in the length of a function. So a long tape becomes several functions, and the
// values that pass from one to the next live in an array, at the place of their register.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "invar/base/error.h"
#include "invar/tape/c_helpers.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

constexpr std::size_t longest_part = 1000;  // measured: 4000 doubles the time, 250 saves a third

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

// Digits that a C compiler reads back as the same number.
std::string literal(double x) {
  if (std::isnan(x)) return "NAN";
  if (std::isinf(x)) return x > 0 ? "INFINITY" : "(-INFINITY)";
  std::array<char, 40> digits;
  std::string text(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), x).ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text.front() == '-' ? "(" + text + ")" : text;
}

class Writer {
 public:
  Writer(const Tape& tape, std::string_view name);
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
  std::string slot(std::uint32_t reg) const { return "w[" + std::to_string(reg - tape_.first_result()) + "]"; }
  std::string variable(std::uint32_t i) const { return "v" + std::to_string(i); }

  const Tape& tape_;
  std::string name_;
  std::string text_;
  std::vector<bool> crosses_;                           // instruction whose value a later part uses
  std::vector<std::vector<std::uint32_t>> outputs_of_;  // by instruction
  std::vector<std::uint32_t> writer_;                   // of every register, so far
};

Writer::Writer(const Tape& tape, std::string_view name) : tape_(tape), name_(name) {
  crosses_.resize(tape.code.size());
  outputs_of_.resize(tape.code.size());
  find_lives();
  writer_.assign(tape.register_count, no_index);
}

void Writer::find_lives() {
  writer_.assign(tape_.register_count, no_index);
  for (std::uint32_t i = 0; i < tape_.code.size(); ++i) {
    const Instruction& instruction = tape_.code[i];
    const bool family = instruction.operation() == Code::stumpff || instruction.operation() == Code::lerch;
    const std::array registers = {family ? 0 : instruction.a, instruction.b, instruction.c};
    for (int k = 0; k < operand_count(instruction.operation()); ++k) {
      const std::uint32_t from = writer_[registers[static_cast<std::size_t>(k)]];
      if (from != no_index && part_of(from) != part_of(i)) crosses_[from] = true;
    }
    writer_[instruction.to] = i;
  }
  for (std::uint32_t k = 0; k < tape_.outputs.size(); ++k)
    if (const std::uint32_t from = writer_[tape_.outputs[k]]; from != no_index) outputs_of_[from].push_back(k);
}

std::string Writer::operand(std::uint32_t reg, std::size_t part) const {
  if (reg < tape_.first_input()) return literal(tape_.constants[reg]);
  if (reg < tape_.first_result()) return "in[" + std::to_string(reg - tape_.first_input()) + "]";
  return part_of(writer_[reg]) == part ? variable(writer_[reg]) : slot(reg);
}

std::string Writer::operation(const Instruction& i, std::size_t part) const {
  const auto operand_of = [&](std::uint32_t reg) { return operand(reg, part); };
  const auto a = [&] { return operand_of(i.a); };
  const auto b = [&] { return operand_of(i.b); };
  const auto c = [&] { return operand_of(i.c); };
  const auto call = [&](std::string_view function) { return std::string(function) + "(" + a() + ")"; };
  switch (i.operation()) {
    case Code::negate: return "-" + a();
    case Code::add: return a() + " + " + b();
    case Code::subtract: return a() + " - " + b();
    case Code::multiply: return a() + " * " + b();
    case Code::divide: return a() + " / " + b();
    case Code::multiply_add: return a() + " * " + b() + " + " + c();
    case Code::multiply_subtract: return a() + " * " + b() + " - " + c();
    case Code::subtract_product: return c() + " - " + a() + " * " + b();
    case Code::negated_product: return "-(" + a() + " * " + b() + ")";
    case Code::power: return "pow(" + a() + ", " + b() + ")";
    case Code::sqrt: return call("sqrt");
    case Code::exp: return call("exp");
    case Code::log: return call("log");
    case Code::sin: return call("sin");
    case Code::cos: return call("cos");
    case Code::tan: return call("tan");
    case Code::asin: return call("asin");
    case Code::acos: return call("acos");
    case Code::atan: return call("atan");
    case Code::atan2: return "atan2(" + a() + ", " + b() + ")";
    case Code::sinh: return call("sinh");
    case Code::cosh: return call("cosh");
    case Code::tanh: return call("tanh");
    case Code::abs: return call("fabs");
    case Code::sign: return call(name_ + "_sign");
    case Code::stumpff: return name_ + "_stumpff(" + std::to_string(i.a) + ", " + b() + ")";
    case Code::lerch: return name_ + "_lerch(" + std::to_string(i.a) + ", " + b() + ")";
    case Code::constant:
    case Code::symbol: break;
  }
  throw ContractViolation("c_source: not an operation");
}

void Writer::write_instruction(std::uint32_t i) {
  const Instruction& instruction = tape_.code[i];
  text_ += "  const double " + variable(i) + " = " + operation(instruction, part_of(i)) + ";\n";
  for (const std::uint32_t k : outputs_of_[i]) text_ += "  out[" + std::to_string(k) + "] = " + variable(i) + ";\n";
  if (crosses_[i]) text_ += "  " + slot(instruction.to) + " = " + variable(i) + ";\n";
  writer_[instruction.to] = i;
}

void Writer::write_part(std::size_t part) {
  const std::size_t first = part * longest_part;
  const std::size_t last = std::min(first + longest_part, tape_.code.size());
  for (std::size_t i = first; i < last; ++i) write_instruction(static_cast<std::uint32_t>(i));
}

void Writer::write_entry(std::size_t parts) {
  text_ += "void " + name_ + "(const double *restrict in, double *restrict out)\n{\n";
  if (single_part()) {
    write_part(0);
  } else {
    text_ += "  double w[" + std::to_string(tape_.register_count - tape_.first_result()) + "];\n";
    for (std::size_t part = 0; part < parts; ++part)
      text_ += "  " + name_ + "_part" + std::to_string(part) + "(in, out, w);\n";
  }
  for (std::size_t k = 0; k < tape_.outputs.size(); ++k)
    if (tape_.outputs[k] < tape_.first_result())
      text_ += "  out[" + std::to_string(k) + "] = " + operand(tape_.outputs[k], 0) + ";\n";
  text_ += "  (void)in;\n  (void)out;\n}\n";
}

std::string Writer::text() {
  const auto uses = [&](Code code) {
    return std::any_of(tape_.runs.begin(), tape_.runs.end(), [code](const Run& run) { return run.code == code; });
  };
  text_ = "#include <math.h>\n\n";
  if (uses(Code::sign)) text_ += c_helper_sign(name_);
  if (uses(Code::stumpff)) text_ += c_helper_stumpff(name_);
  if (uses(Code::lerch)) text_ += c_helper_lerch(name_);
  text_ += "void " + name_ + "(const double *in, double *out);\n\n";
  const std::size_t parts = (tape_.code.size() + longest_part - 1) / longest_part;
  for (std::size_t part = 0; !single_part() && part < parts; ++part) {
    text_ += "static void " + name_ + "_part" + std::to_string(part) +
             "(const double *restrict in, double *restrict out, double *restrict w)\n{\n";
    write_part(part);
    text_ += "  (void)in;\n  (void)out;\n  (void)w;\n}\n\n";
  }
  write_entry(parts);
  return std::move(text_);
}

}  // namespace

std::string c_source(const Tape& tape, std::string_view name) {
  if (!is_c_identifier(name)) throw InputError("\"" + std::string(name) + "\" cannot be the name of a C function");
  return Writer(tape, name).text();
}

}  // namespace invar
