// See front_factors.h.
#include "invar/program/front_factors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "invar/base/interrupt.h"
#include "invar/program/packs.h"

namespace invar {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// Where the entries of column j of L begin that are stored.
std::size_t below(const DenseFront::Pivot& pivot, std::size_t j) { return j + (pivot.size == 2 ? 2 : 1); }

}  // namespace

FrontFactors::FrontFactors(std::size_t size, std::span<const SymmetricEntry> entries)
    : size_(size), place_(entries.size()), scale_(size), local_(size) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t e) {
    const auto [low, high] = std::minmax(entries[e].row, entries[e].col);
    return index(low) * size + index(high);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || key(order[i]) != key(order[i - 1])) entries_.push_back(entries[order[i]]);
    place_[order[i]] = entries_.size() - 1;
  }
  values_.resize(entries_.size());
}

void FrontFactors::add_up(std::span<const double> values) {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t e = 0; e < values.size(); ++e) values_[place_[e]] += values[e];
}

// [D. Ruiz, RAL-TR-2001-034]; rows without an entry keep their size.
void FrontFactors::scale() {
  constexpr int sweeps = 3;
  std::fill(scale_.begin(), scale_.end(), 1.0);
  std::vector<double>& largest = work_;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    largest.assign(size_, 0.0);
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const std::size_t i = index(entries_[e].row), j = index(entries_[e].col);
      const double size = std::abs(values_[e]) * scale_[i] * scale_[j];
      largest[i] = std::max(largest[i], size);
      largest[j] = std::max(largest[j], size);
    }
    for (std::size_t i = 0; i < size_; ++i)
      if (largest[i] > 0.0) scale_[i] /= std::sqrt(largest[i]);
  }
  for (std::size_t e = 0; e < entries_.size(); ++e)
    values_[e] *= scale_[index(entries_[e].row)] * scale_[index(entries_[e].col)];
}

void FrontFactors::prepare(std::span<const double> values) {
  add_up(values);
  scale();
  if (plan_) return;
  std::vector<double> sizes(values_.size());
  std::transform(values_.begin(), values_.end(), sizes.begin(), [](double x) { return std::abs(x); });
  plan_ = plan_fronts(size_, entries_, sizes);
  children_.assign(plan_->fronts.size(), 0);
  for (const FrontPlan::Front& front : plan_->fronts)
    if (front.parent >= 0) ++children_[index(front.parent)];
}

double FrontFactors::work(std::span<const double> values) {
  if (!plan_) prepare(values);
  return plan_->work;
}

bool FrontFactors::factor(std::span<const double> values, double threshold) {
  prepare(values);
  negative_ = 0;
  rests_.clear();
  rest_names_.clear();
  rest_numbers_.clear();
  steps_.clear();
  names_.clear();
  numbers_.clear();
  pivots_.clear();
  const PivotRule rule{.threshold = threshold};
  for (std::size_t f = 0; f < plan_->fronts.size(); ++f)
    if (!pass(plan_->fronts[f], children_[f], rule)) return false;
  return true;
}

// Assembles a front, eliminates in it, and leaves the rest to its parent.
bool FrontFactors::pass(const FrontPlan::Front& front, std::size_t children, const PivotRule& rule) {
  poll_interrupt_now_and_then();
  gather(front, children);
  front_.eliminate(rule, front_names_);
  if (front.parent < 0)  // whatever is left has no better place
    for (double any : {1e-2 * rule.threshold, 0.0}) front_.eliminate({.threshold = any}, front_names_);
  negative_ += front_.negative();
  keep();
  return front.parent >= 0 || front_.eliminated() == front_.size();
}

void FrontFactors::gather(const FrontPlan::Front& front, std::size_t children) {
  const std::span<const Rest> rests = std::span(rests_).last(children);
  front_names_.clear();
  for (const Rest& r : rests) {
    const auto from = rest_names_.begin() + std::ptrdiff_t(r.name);
    front_names_.insert(front_names_.end(), from, from + std::ptrdiff_t(r.summed));
  }
  front_names_.insert(front_names_.end(), front.pivots.begin(), front.pivots.end());
  const std::size_t summed = front_names_.size();
  front_names_.insert(front_names_.end(), front.border.begin(), front.border.end());
  for (std::size_t i = 0; i < front_names_.size(); ++i) local_[index(front_names_[i])] = static_cast<int>(i);
  front_.reset(front_names_.size(), summed);
  const auto here = [&](int name) { return index(local_[index(name)]); };
  for (const std::size_t e : front.entries) front_.at(here(entries_[e].row), here(entries_[e].col)) += values_[e];
  for (const Rest& r : rests) {
    const double* number = rest_numbers_.data() + r.number;
    const int* const name = rest_names_.data() + r.name;
    rest_places_.resize(r.size);
    for (std::size_t i = 0; i < r.size; ++i) rest_places_[i] = here(name[i]);
    for (std::size_t j = 0; j < r.size; ++j)
      for (std::size_t i = j; i < r.size; ++i) front_.at(rest_places_[i], rest_places_[j]) += *number++;
  }
  if (children == 0) return;
  rest_names_.resize(rests.front().name);
  rest_numbers_.resize(rests.front().number);
  rests_.resize(rests_.size() - children);
}

void FrontFactors::keep() {
  const std::size_t n = front_.size(), done = front_.eliminated();
  Eliminated step{n, done, names_.size(), numbers_.size(), 0, pivots_.size()};
  names_.insert(names_.end(), front_names_.begin(), front_names_.end());
  pivots_.insert(pivots_.end(), front_.pivots().begin(), front_.pivots().end());
  for (std::size_t j = 0; j < done; ++j)
    numbers_.insert(numbers_.end(), front_.column(j) + below(front_.pivots()[j], j), front_.column(j) + n);
  step.end = numbers_.size();
  steps_.push_back(step);
  rests_.push_back({rest_names_.size(), rest_numbers_.size(), n - done, front_.summed() - done});
  rest_names_.insert(rest_names_.end(), front_names_.begin() + std::ptrdiff_t(done), front_names_.end());
  for (std::size_t j = done; j < n; ++j)
    rest_numbers_.insert(rest_numbers_.end(), front_.column(j) + j, front_.column(j) + n);
}

void FrontFactors::solve(std::span<double> b) {
  for (std::size_t i = 0; i < size_; ++i) b[i] *= scale_[i];
  work_.resize(std::max(work_.size(), size_));
  for (const Eliminated& step : steps_) go_forward(step, b);
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) go_back(*step, b);
  for (std::size_t i = 0; i < size_; ++i) b[i] *= scale_[i];
}

// x = D⁻¹ L⁻¹ b
void FrontFactors::go_forward(const Eliminated& s, std::span<double> b) {
  double* const x = work_.data();
  const int* const name = names_.data() + s.name;
  const DenseFront::Pivot* const pivot = pivots_.data() + s.pivot;
  for (std::size_t i = 0; i < s.size; ++i) x[i] = b[index(name[i])];
  const double* l = numbers_.data() + s.number;
  for (std::size_t j = 0; j < s.count; ++j) {
    const std::size_t first = below(pivot[j], j);
    if (x[j] != 0.0) subtract<1>(x + first, 0, s.size - first, {x[j]}, {l});
    l += s.size - first;
  }
  for (std::size_t j = 0; j < s.count; ++j) {
    const DenseFront::Pivot& p = pivot[j];
    if (p.size == 1) x[j] *= p.first;
    if (p.size != 2) continue;
    const double one = x[j], two = x[j + 1];
    x[j] = p.first * one + p.beside * two;
    x[j + 1] = p.beside * one + p.second * two;
  }
  for (std::size_t i = 0; i < s.size; ++i) b[index(name[i])] = x[i];
}

// b = L⁻ᵀ x
void FrontFactors::go_back(const Eliminated& s, std::span<double> b) {
  double* const x = work_.data();
  const int* const name = names_.data() + s.name;
  for (std::size_t i = 0; i < s.size; ++i) x[i] = b[index(name[i])];
  const double* l = numbers_.data() + s.end;
  for (std::size_t j = s.count; j-- > 0;) {
    const std::size_t first = below(pivots_[s.pivot + j], j);
    l -= s.size - first;
    x[j] -= product(l, x + first, s.size - first);
  }
  for (std::size_t i = 0; i < s.count; ++i) b[index(name[i])] = x[i];
}

}  // namespace invar
