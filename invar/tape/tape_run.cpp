// The interpreter: one point through the tape.
#include <cmath>

#include "invar/expr/special.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

template <class Operation>
inline void each(std::span<const Instruction> code, double* r, Operation f) {
  for (const Instruction& i : code) r[i.to] = f(i);
}

}  // namespace

void run(const Tape& tape, double* r) {
  using I = const Instruction&;
  const Instruction* next = tape.code.data();
  for (const Run& run : tape.runs) {
    const std::span code(next, run.length);
    next += run.length;
    switch (run.code) {
      case Code::negate: each(code, r, [r](I i) { return -r[i.a]; }); break;
      case Code::add: each(code, r, [r](I i) { return r[i.a] + r[i.b]; }); break;
      case Code::subtract: each(code, r, [r](I i) { return r[i.a] - r[i.b]; }); break;
      case Code::multiply: each(code, r, [r](I i) { return r[i.a] * r[i.b]; }); break;
      case Code::divide: each(code, r, [r](I i) { return r[i.a] / r[i.b]; }); break;
      case Code::multiply_add: each(code, r, [r](I i) { return r[i.a] * r[i.b] + r[i.c]; }); break;
      case Code::multiply_subtract: each(code, r, [r](I i) { return r[i.a] * r[i.b] - r[i.c]; }); break;
      case Code::subtract_product: each(code, r, [r](I i) { return r[i.c] - r[i.a] * r[i.b]; }); break;
      case Code::negated_product: each(code, r, [r](I i) { return -(r[i.a] * r[i.b]); }); break;
      case Code::sqrt: each(code, r, [r](I i) { return std::sqrt(r[i.a]); }); break;
      case Code::abs: each(code, r, [r](I i) { return std::abs(r[i.a]); }); break;
      case Code::stumpff: each(code, r, [r](I i) { return special::stumpff(static_cast<int>(i.a), r[i.b]); }); break;
      case Code::lerch: each(code, r, [r](I i) { return special::lerch(static_cast<int>(i.a), r[i.b]); }); break;
      default: each(code, r, [r](I i) { return evaluate(as_op(i.operation()), r[i.a], r[i.b]); }); break;
    }
  }
}

}  // namespace invar
