// Sums of products over neighbouring numbers, four at a time: the same order of operations on every processor.
#pragma once

#include <array>
#include <cstddef>

namespace invar {

using Pack [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
inline constexpr std::size_t numbers_in_pack = sizeof(Pack) / sizeof(double);

// to −= Σ factor·l from one place to another.
template <std::size_t count>
[[gnu::always_inline]] inline void subtract(double* to, std::size_t from, std::size_t end,
                                            const std::array<double, count>& factor,
                                            const std::array<const double*, count>& l) {
  std::size_t i = from;
  for (; i + numbers_in_pack <= end; i += numbers_in_pack) {
    Pack sum = factor[0] * *reinterpret_cast<const Pack*>(l[0] + i);
    for (std::size_t k = 1; k < count; ++k) sum += factor[k] * *reinterpret_cast<const Pack*>(l[k] + i);
    *reinterpret_cast<Pack*>(to + i) -= sum;
  }
  for (; i < end; ++i) {
    double sum = factor[0] * l[0][i];
    for (std::size_t k = 1; k < count; ++k) sum += factor[k] * l[k][i];
    to[i] -= sum;
  }
}

inline double product(const double* a, const double* b, std::size_t count) {
  Pack sums = {};
  std::size_t i = 0;
  for (; i + numbers_in_pack <= count; i += numbers_in_pack)
    sums += *reinterpret_cast<const Pack*>(a + i) * *reinterpret_cast<const Pack*>(b + i);
  double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace invar
