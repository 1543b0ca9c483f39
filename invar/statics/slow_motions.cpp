// See slow_motions.h.
#include "invar/statics/slow_motions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "invar/base/interrupt.h"
#include "invar/math/spectra/spectrum.h"

namespace invar {

namespace {

constexpr Eigen::Index krylov_vectors = 100, look_every = 10;  // and when its eigenvalues are looked at
constexpr double as_before = 1e-7;                             // of an eigenvalue, from one look to the next
constexpr Eigen::Index enough_motions = 24;                    // eigenvalues

// (x, v) in units of x, and of x times a rate.
class PairMap {
 public:
  explicit PairMap(const SmallMotions& motions) : motions_(motions), n_(motions.unit.size()) {}

  Eigen::Index size() const { return 2 * n_; }
  Vector operator()(const Vector& pair) const {
    const Vector x = pair.head(n_).cwiseProduct(motions_.unit), v = rate_ * pair.tail(n_).cwiseProduct(motions_.unit);
    Vector next(2 * n_);
    next.head(n_) = motions_.push(-motions_.damping(x) - motions_.mass(v)).cwiseQuotient(motions_.unit);
    next.tail(n_) = pair.head(n_) / rate_;
    return next;
  }
  // With which the halves of slow motions have about the same length: of x and push(M x).
  void find_rate(const Vector& start) {
    Vector x = start;
    for (int k = 0; k < 3; ++k) {
      const Vector next = motions_.push(motions_.mass(x.cwiseProduct(motions_.unit))).cwiseQuotient(motions_.unit);
      const double ratio = next.norm() / x.norm();
      if (!(ratio > 0.0) || !std::isfinite(ratio)) return;
      rate_ = 1.0 / std::sqrt(ratio);
      x = next / next.norm();
    }
  }

 private:
  const SmallMotions& motions_;
  Eigen::Index n_;
  double rate_ = 1.0;
};

// Those that stand in both, slowest first.
SlowMotions in_both(const Spectrum& before, const Spectrum& now) {
  SlowMotions found;
  std::vector<std::size_t> order;
  double largest = 0.0;
  for (const std::complex<double>& z : now.values) largest = std::max(largest, std::abs(z));
  constexpr double none = 1e-13;  // of the largest 1/s: what has no mass does not move slowly
  for (std::size_t k = 0; k < now.values.size(); ++k) {
    const std::complex<double> z = now.values[k];
    const bool same = std::ranges::any_of(
        before.values, [z](const auto& other) { return std::abs(other - z) <= as_before * std::abs(z); });
    if (same && std::abs(z) > none * largest) order.push_back(k);
  }
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) { return std::abs(now.values[k]); });
  for (const std::size_t k : order) {
    const std::complex<double> s = 1.0 / now.values[k];
    const double relative = now.uncertainty[k] / std::abs(now.values[k]) * (as_before / entry_error);
    found.values.push_back(s);
    found.uncertainty.push_back(std::abs(s) * (as_before + relative));
  }
  return found;
}

}  // namespace

SlowMotions slowest_motions(const SmallMotions& motions) {
  PairMap map(motions);
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  Vector next(map.size());
  for (double& value : next) value = normal(random);
  map.find_rate(next.head(motions.unit.size()));
  for (int k = 0; k < 3; ++k) next = map(next).normalized();
  const Eigen::Index most = std::min(krylov_vectors, map.size());
  Matrix V(map.size(), most + 1), H = Matrix::Zero(most + 1, most);
  V.col(0) = next;
  Spectrum before;
  SlowMotions found;
  for (Eigen::Index k = 0; k < most && next.allFinite(); ++k) {
    poll_interrupt();
    next = map(V.col(k));
    for (int pass = 0; pass < 2; ++pass) {
      const Vector along = V.leftCols(k + 1).transpose() * next;
      next -= V.leftCols(k + 1) * along;
      H.col(k).head(k + 1) += along;
    }
    const double length = next.norm();
    H(k + 1, k) = length;
    const bool all = !(length > std::numeric_limits<double>::epsilon() * H.col(k).norm());
    if ((k + 1) % look_every == 0 || k + 1 == most || all) {
      const Spectrum now = spectrum(H.topLeftCorner(k + 1, k + 1));
      found = in_both(all ? now : before, now);
      if (all || static_cast<Eigen::Index>(found.values.size()) >= enough_motions) break;
      before = now;
    }
    V.col(k + 1) = next / length;
  }
  return found;
}

}  // namespace invar
