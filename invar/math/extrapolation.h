// Where the unknowns of a step are likely to be, from those of steps before.
//
// The next of a sequence of vectors, guessed by the polynomial through the last ones:
//
//   x_{n+1} ≈ x_n + ∇x_n + … + ∇ᵏx_n,      which was wrong by ∇ᵏ⁺¹x_n at x_n.
//
// Entries of one kind have one degree, up to five: the one that would have served x_n best. Where that is none, as
// after a jump, there is no guess.
//
// Values at the stages of a step, at the instants t0 + c_i h, guessed by the polynomial through those of the last step
// and its start, whatever the size of either [E. Hairer, G. Wanner, Solving ODEs II, sec. IV.8].
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace invar {

class Extrapolation {
 public:
  // The kind of every entry.
  explicit Extrapolation(std::vector<int> kind = {})
      : kind_(std::move(kind)), degree_(kind_.empty() ? 0 : *std::ranges::max_element(kind_) + 1) {
    for (std::vector<double>& d : difference_) d.resize(kind_.size());
    for (std::vector<double>& e : error_) e.resize(degree_.size());
  }

  void forget() { known_ = 0; }

  void add(std::span<const double> x) {
    for (std::vector<double>& e : error_) std::ranges::fill(e, 0.0);
    for (std::size_t j = 0; j < kind_.size(); ++j) {
      double next = x[j];
      for (std::size_t k = 0; k < known_; ++k) {
        next -= std::exchange(difference_[k][j], next);
        double& error = error_[k][kind_[j]];
        error = std::max(error, std::abs(next));
      }
      if (known_ < most) difference_[known_][j] = next;
    }
    for (std::size_t g = 0; g < degree_.size(); ++g) {
      degree_[g] = 0;
      for (std::size_t k = 1; k < known_; ++k)
        if (error_[k][g] < error_[degree_[g]][g]) degree_[g] = k;
    }
    known_ = std::min(known_ + 1, most);
  }

  // Entries of kinds for which there is none stay as they are. False if these are all.
  bool guess(std::span<double> x) const {
    if (known_ < 3 || std::ranges::all_of(degree_, [](std::size_t d) { return d == 0; })) return false;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const std::size_t degree = degree_[kind_[j]];
      if (degree == 0) continue;
      x[j] = difference_[0][j];
      for (std::size_t k = 1; k <= degree; ++k) x[j] += difference_[k][j];
    }
    return true;
  }

 private:
  static constexpr std::size_t most = 6;  // vectors that count
  std::vector<int> kind_;
  std::vector<std::size_t> degree_;                   // by kind
  std::array<std::vector<double>, most> difference_;  // ∇ᵏx_n
  std::array<std::vector<double>, most> error_;       // of each degree by kind, at x_n
  std::size_t known_ = 0;
};

class StagePolynomial {
 public:
  StagePolynomial() = default;
  // c_i, and the places of the unknowns of each stage, the same unknown in the same order. The last stage is the end.
  StagePolynomial(std::vector<double> nodes, std::vector<std::vector<std::size_t>> unknowns)
      : nodes_(std::move(nodes)), unknowns_(std::move(unknowns)), weight_(nodes_.size() + 1) {
    const std::size_t size = unknowns_.empty() ? 0 : unknowns_.front().size();
    start_.resize(size);
    value_.resize(size * nodes_.size());
  }

  void forget() { known_ = has_start_ = false; }

  // What was found for the step from t0 on.
  void keep(double t0, double h, std::span<const double> x) {
    if (nodes_.empty()) return;
    if (known_ && is_same(t0, t0_ + h_)) {
      for (std::size_t k = 0; k < start_.size(); ++k) start_[k] = value_[unknowns_.back()[k]];
      has_start_ = true;
    } else if (!known_ || !is_same(t0, t0_)) {
      has_start_ = false;
    }
    std::ranges::copy(x, value_.begin());
    t0_ = t0;
    h_ = h;
    known_ = true;
  }

  // False if nothing is known that is near.
  bool guess(double t0, double h, std::span<double> x) {
    constexpr double farthest = 4.0;  // of the last steps
    const double from = (t0 - t0_) / h_, to = from + h / h_;
    if (!known_ || !(from > -rounding) || !(from < 1.0 + rounding) || !(to > 0.0) || to > farthest) return false;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      set_weights(from + nodes_[i] * h / h_);
      for (std::size_t k = 0; k < start_.size(); ++k) {
        double sum = has_start_ ? weight_.back() * start_[k] : 0.0;
        for (std::size_t j = 0; j < nodes_.size(); ++j) sum += weight_[j] * value_[unknowns_[j][k]];
        x[unknowns_[i][k]] = sum;
      }
    }
    return true;
  }

 private:
  static constexpr double rounding = 1e-6;
  bool is_same(double t, double other) const { return std::abs(t - other) <= rounding * std::abs(h_); }

  // Lagrange's polynomials of the stages and, last, of the start.
  void set_weights(double place) {
    const std::size_t points = nodes_.size() + (has_start_ ? 1 : 0);
    const auto at = [this](std::size_t j) { return j < nodes_.size() ? nodes_[j] : 0.0; };
    for (std::size_t j = 0; j < points; ++j) {
      weight_[j] = 1.0;
      for (std::size_t k = 0; k < points; ++k)
        if (k != j) weight_[j] *= (place - at(k)) / (at(j) - at(k));
    }
  }

  std::vector<double> nodes_;
  std::vector<std::vector<std::size_t>> unknowns_;
  std::vector<double> weight_, start_, value_;
  double t0_ = 0.0, h_ = 1.0;
  bool known_ = false, has_start_ = false;
};

}  // namespace invar
