// The next of a sequence of vectors, guessed from those before by the polynomial through the last ones:
//
//   x_{n+1} ≈ x_n + ∇x_n + … + ∇ᵏx_n,      which was wrong by ∇ᵏ⁺¹x_n at x_n.
//
// Entries of one kind have one degree, up to five: the one that would have served x_n best. Where that is none, as
// after a jump, there is no guess.
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

}  // namespace invar
