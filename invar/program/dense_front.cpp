// See dense_front.h.
#include "invar/program/dense_front.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "invar/program/packs.h"

namespace invar {

void DenseFront::reset(std::size_t size, std::size_t summed) {
  n_ = size;
  summed_ = summed;
  done_ = negative_ = 0;
  if (a_.size() < size * size) a_.resize(size * size);
  for (std::size_t j = 0; j < size; ++j)
    std::fill_n(a_.begin() + static_cast<std::ptrdiff_t>(j * size + j), size - j, 0.0);
  if (products_.size() < size * summed) products_.resize(size * summed);
  pivots_.clear();
}

DenseFront::Column DenseFront::look(std::size_t c) const {
  Column result;
  const auto consider = [&](std::size_t i, double value) {
    result.largest = std::max(result.largest, std::abs(value));
    if (i < summed_ && std::abs(value) > result.largest_summed) {
      result.largest_summed = std::abs(value);
      result.partner = i;
    }
  };
  for (std::size_t j = done_; j < c; ++j) consider(j, a_[c + j * n_]);
  const double* column = a_.data() + c * n_;
  for (std::size_t i = c + 1; i < summed_; ++i) consider(i, column[i]);
  for (std::size_t i = std::max(c + 1, summed_); i < n_; ++i)
    result.largest = std::max(result.largest, std::abs(column[i]));
  return result;
}

double DenseFront::largest_beside(std::size_t c, std::size_t other) const {
  double most = 0.0;
  for (std::size_t i = done_; i < n_; ++i)
    if (i != c && i != other) most = std::max(most, std::abs(entry(i, c)));
  return most;
}

// |D⁻¹| times the largest entries of the two columns is at most the inverse of the threshold.
bool DenseFront::stable_pair(std::size_t c, std::size_t r, const PivotRule& rule) const {
  const double cc = entry(c, c), rr = entry(r, r), beside = entry(r, c);
  const double det = std::abs(cc * rr - beside * beside);
  const double most = std::max({std::abs(cc), std::abs(rr), std::abs(beside)});
  constexpr double cancelled = 1e-12;  // what rounding may leave of a determinant that is none
  if (!(most > rule.zero) || !(det > cancelled * most * most)) return false;
  const double gc = largest_beside(c, r), gr = largest_beside(r, c);
  return std::max(std::abs(rr) * gc + std::abs(beside) * gr, std::abs(beside) * gc + std::abs(cc) * gr) *
             rule.threshold <=
         det;
}

void DenseFront::swap(std::size_t k, std::size_t r, std::span<int> names) {
  if (k == r) return;
  if (k > r) std::swap(k, r);
  std::swap(names[k], names[r]);
  for (std::size_t j = 0; j < k; ++j) std::swap(a_[k + j * n_], a_[r + j * n_]);
  std::swap(a_[k + k * n_], a_[r + r * n_]);
  for (std::size_t i = k + 1; i < r; ++i) std::swap(a_[i + k * n_], a_[r + i * n_]);
  for (std::size_t i = r + 1; i < n_; ++i) std::swap(a_[i + k * n_], a_[i + r * n_]);
}

// A pivot is taken out of the columns that may give further ones; the others follow at once.
void DenseFront::eliminate_one() {
  const std::size_t k = done_;
  double* const l = a_.data() + k * n_;
  double* const w = products_.data() + k * n_;
  const double inverse = 1.0 / l[k];
  negative_ += l[k] < 0.0;
  for (std::size_t i = k + 1; i < n_; ++i) {
    w[i] = l[i];
    l[i] *= inverse;
  }
  for (std::size_t j = k + 1; j < summed_; ++j)
    if (w[j] != 0.0) subtract<1>(a_.data() + j * n_, j, n_, {w[j]}, {l});
  pivots_.push_back({1, inverse, 0.0, 0.0});
  done_ += 1;
}

void DenseFront::eliminate_two() {
  const std::size_t k = done_;
  double* const l1 = a_.data() + k * n_;
  double* const l2 = l1 + n_;
  double* const w1 = products_.data() + k * n_;
  double* const w2 = w1 + n_;
  const double a = l1[k], b = l1[k + 1], c = l2[k + 1], det = a * c - b * b;
  negative_ += det < 0.0 ? 1 : a + c < 0.0 ? 2 : 0;
  const double first = c / det, beside = -b / det, second = a / det;
  for (std::size_t i = k + 2; i < n_; ++i) {
    w1[i] = l1[i];
    w2[i] = l2[i];
    l1[i] = first * w1[i] + beside * w2[i];
    l2[i] = beside * w1[i] + second * w2[i];
  }
  for (std::size_t j = k + 2; j < summed_; ++j)
    if (w1[j] != 0.0 || w2[j] != 0.0) subtract<2>(a_.data() + j * n_, j, n_, {w1[j], w2[j]}, {l1, l2});
  pivots_.push_back({2, first, beside, second});
  pivots_.push_back({0, 0.0, 0.0, 0.0});
  done_ += 2;
}

// All pivots from the first on, taken out of what is not eliminated here.
#if defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__clang_analyzer__)
[[gnu::target_clones("avx2", "default")]]
#endif
void DenseFront::update_border(std::size_t first) {
  for (std::size_t j = summed_; j < n_; ++j) {
    double* const to = a_.data() + j * n_;
    std::size_t k = first;
    const auto l = [&](std::size_t i) { return a_.data() + i * n_; };
    const auto w = [&](std::size_t i) { return products_[j + i * n_]; };
    for (; k + 4 <= done_; k += 4)
      subtract<4>(to, j, n_, {w(k), w(k + 1), w(k + 2), w(k + 3)}, {l(k), l(k + 1), l(k + 2), l(k + 3)});
    for (; k < done_; ++k) subtract<1>(to, j, n_, {w(k)}, {l(k)});
  }
}

bool DenseFront::try_pivot(std::size_t c, const PivotRule& rule, std::span<int> names) {
  const Column column = look(c);
  const double diagonal = std::abs(entry(c, c));
  if (diagonal > rule.zero && diagonal >= rule.threshold * column.largest) {
    swap(done_, c, names);
    eliminate_one();
    return true;
  }
  if (!(column.largest_summed > 0.0) || !stable_pair(c, column.partner, rule)) return false;
  std::size_t r = column.partner;
  swap(done_, c, names);
  if (r == done_) r = c;
  swap(done_ + 1, r, names);
  eliminate_two();
  return true;
}

void DenseFront::eliminate(const PivotRule& rule, std::span<int> names) {
  const std::size_t first = done_;
  std::size_t refused = 0;  // one after the other: then none is left
  std::size_t next = done_;
  while (done_ < summed_ && refused < summed_ - done_) {
    if (next >= summed_ || next < done_) next = done_;
    const std::size_t before = done_;
    refused = try_pivot(next, rule, names) ? 0 : refused + 1;
    next = done_ > before ? std::max(next + 1, done_) : next + 1;
  }
  update_border(first);
}

}  // namespace invar
