// The interpreter for blocks of points: every instruction acts on a block of values at once, by vector instructions.
//
// Wide blocks spread the cost of decoding and of scattered memory; the points that do not fill one go through narrower
// ones.
#include <algorithm>
#include <cstdint>

#include "invar/expr/special.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

// The compiler splits a pack into what the processor has.
using Pack [[gnu::vector_size(64), gnu::aligned(alignof(double)), gnu::may_alias]] = double;
using Bits [[gnu::vector_size(64), gnu::aligned(alignof(double)), gnu::may_alias]] = std::uint64_t;
constexpr std::size_t pack_size = sizeof(Pack) / sizeof(double);
constexpr std::uint64_t without_sign = 0x7fffffffffffffff;

// Operations that have no vector instruction.
[[gnu::noinline]] void run_each(const Instruction& i, std::size_t width, double* registers) {
  double* const to = registers + i.to * width;
  const double* const b = registers + i.b * width;
  const Code code = i.operation();
  for (std::size_t lane = 0; lane < width; ++lane) {
    if (code == Code::stumpff)
      to[lane] = special::stumpff(static_cast<int>(i.a), b[lane]);
    else if (code == Code::lerch)
      to[lane] = special::lerch(static_cast<int>(i.a), b[lane]);
    else
      to[lane] = evaluate(as_op(code), registers[i.a * width + lane], b[lane]);
  }
}

template <std::size_t width>
inline void run_block(const Tape& tape, double* registers) {
  constexpr std::size_t packs = width / pack_size;
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
      case Code::abs: each([](To to, In a, In, In) { to = (Pack)((Bits)a & without_sign); }); break;  // NOLINT: bits
      default:
        for (; i != end; ++i) run_each(*i, width, registers);
    }
  }
}

// A full block has a size that the compiler knows, which is much faster.
template <std::size_t width>
inline void copy_block(const double* from, std::size_t used, double* to) {
  if (used < width) {
    std::copy_n(from, used, to);
    return;
  }
#pragma GCC unroll 4
  for (std::size_t p = 0; p < width / pack_size; ++p)
    reinterpret_cast<Pack*>(to)[p] = reinterpret_cast<const Pack*>(from)[p];
}

// The points from `first` to before `last` in blocks of `width`.
template <std::size_t width>
inline void run_points(const Tape& tape, std::size_t n, std::size_t first, std::size_t last, const double* in,
                       double* out, double* registers) {
  if (first >= last) return;
  for (std::size_t i = 0; i < tape.constants.size(); ++i) std::fill_n(registers + i * width, width, tape.constants[i]);
  for (; first < last; first += width) {
    const std::size_t used = std::min(width, last - first);
    for (std::size_t i = 0; i < tape.input_count; ++i) {
      const double* const from = in + i * n + first;
      double* const to = registers + (tape.first_input() + i) * width;
      copy_block<width>(from, used, to);
      if (used < width) std::fill(to + used, to + width, from[used - 1]);
    }
    run_block<width>(tape, registers);
    for (std::size_t i = 0; i < tape.outputs.size(); ++i)
      copy_block<width>(registers + tape.outputs[i] * width, used, out + i * n + first);
  }
}

}  // namespace

// Sanitizers are not ready yet when the loader chooses between the clones, and clang-tidy wants them declared first.
#if defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__clang_analyzer__)
[[gnu::target_clones("avx512f", "avx2", "default"), gnu::flatten]]
#endif
void run_lanes(const Tape& tape, std::size_t n, const double* in, double* out, double* registers) {
  constexpr std::size_t half = lane_count / 2, quarter = lane_count / 4;
  static_assert(quarter % pack_size == 0);
  const std::size_t whole = n - n % lane_count;
  const std::size_t middle = whole + (n - whole) / half * half;
  run_points<lane_count>(tape, n, 0, whole, in, out, registers);
  run_points<half>(tape, n, whole, middle, in, out, registers);
  run_points<quarter>(tape, n, middle, n, in, out, registers);
}

}  // namespace invar
