// The interpreter for a block of points: every instruction acts on lane_count values at once, by vector instructions.
#include <algorithm>

#include "invar/expr/special.h"
#include "invar/expr/tape.h"

namespace invar {

namespace {

// The compiler splits a pack into what the processor has.
using Pack [[gnu::vector_size(64), gnu::aligned(alignof(double)), gnu::may_alias]] = double;
constexpr std::size_t packs = lane_count * sizeof(double) / sizeof(Pack);
static_assert(packs * sizeof(Pack) == lane_count * sizeof(double));

// Operations that have no vector instruction.
[[gnu::noinline]] void run_each(const Instruction& i, double* registers) {
  double* const to = registers + i.to * lane_count;
  const double* const b = registers + i.b * lane_count;
  const Code code = i.operation();
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (code == Code::stumpff)
      to[lane] = special::stumpff(static_cast<int>(i.a), b[lane]);
    else if (code == Code::lerch)
      to[lane] = special::lerch(static_cast<int>(i.a), b[lane]);
    else
      to[lane] = evaluate(as_op(code), registers[i.a * lane_count + lane], b[lane]);
  }
}

inline void run_block(const Tape& tape, double* registers) {
  Pack* const r = reinterpret_cast<Pack*>(registers);
  const Instruction* i = tape.code.data();
  for (const Run& run : tape.runs) {
    const Instruction* const end = i + run.length;
    const auto each = [&i, end, r](auto operation) {
      for (; i != end; ++i) {
        Pack* const to = r + i->to * packs;
        const Pack *const a = r + i->a * packs, *const b = r + i->b * packs, *const c = r + i->c * packs;
#pragma GCC unroll 4
        for (std::size_t p = 0; p < packs; ++p) operation(to[p], a[p], b[p], c[p]);
      }
    };
    using To = Pack&;
    using In = const Pack&;
    switch (run.code) {
      case Code::negate: each([](To to, In a, In, In) { to = -a; }); break;
      case Code::add: each([](To to, In a, In b, In) { to = a + b; }); break;
      case Code::subtract: each([](To to, In a, In b, In) { to = a - b; }); break;
      case Code::multiply: each([](To to, In a, In b, In) { to = a * b; }); break;
      case Code::divide: each([](To to, In a, In b, In) { to = a / b; }); break;
      case Code::multiply_add: each([](To to, In a, In b, In c) { to = a * b + c; }); break;
      case Code::multiply_subtract: each([](To to, In a, In b, In c) { to = a * b - c; }); break;
      case Code::subtract_product: each([](To to, In a, In b, In c) { to = c - a * b; }); break;
      case Code::negated_product: each([](To to, In a, In b, In) { to = -(a * b); }); break;
      default:
        for (; i != end; ++i) run_each(*i, registers);
    }
  }
}

// A full block has a size that the compiler knows, which is much faster.
inline void copy_block(const double* from, std::size_t used, double* to) {
  if (used < lane_count) {
    std::copy_n(from, used, to);
    return;
  }
#pragma GCC unroll 4
  for (std::size_t p = 0; p < packs; ++p) reinterpret_cast<Pack*>(to)[p] = reinterpret_cast<const Pack*>(from)[p];
}

}  // namespace

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
[[gnu::target_clones("avx512f", "avx2", "default"), gnu::flatten]]
#endif
void run_lanes(const Tape& tape, std::size_t n, const double* in, double* out, double* registers) {
  for (std::size_t first = 0; first < n; first += lane_count) {
    const std::size_t used = std::min(lane_count, n - first);
    for (std::size_t i = 0; i < tape.input_count; ++i) {
      const double* const from = in + i * n + first;
      double* const to = registers + (tape.first_input() + i) * lane_count;
      copy_block(from, used, to);
      std::fill(to + used, to + lane_count, from[used - 1]);
    }
    run_block(tape, registers);
    for (std::size_t i = 0; i < tape.outputs.size(); ++i)
      copy_block(registers + tape.outputs[i] * lane_count, used, out + i * n + first);
  }
}

}  // namespace invar
