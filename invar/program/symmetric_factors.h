// A = L D Lᵀ of a sparse symmetric indefinite matrix with fixed pattern, by our own fronts where these are small, and
// otherwise by MUMPS [P. R. Amestoy, I. S. Duff, J. Koster, J.-Y. L'Excellent, SIAM J. Matrix Anal. Appl. 23 (2001)
// 15]: the number of negative eigenvalues is that of D (Sylvester's law of inertia).
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "invar/program/front_factors.h"

namespace invar {

// MUMPS is not thread safe: whoever uses it, directly or by IPOPT, holds this.
std::timed_mutex& mumps_in_use();
// Waits for it, as long as nobody interrupts.
std::unique_lock<std::timed_mutex> lock_mumps();

class SymmetricFactors {
 public:
  using Entry = SymmetricEntry;  // one triangle only; entries at the same place are added
  enum class Values {
    alike,   // the first ones stand for all, and come scaled
    unlike,  // as those of a search: they say nothing about later ones
  };
  // The matrix and its factors live in one call of MUMPS after the other: hold mumps_in_use() as long as the object
  // lives.
  SymmetricFactors(std::size_t size, std::span<const Entry> entries, Values kind);
  ~SymmetricFactors();
  SymmetricFactors(const SymmetricFactors&) = delete;
  SymmetricFactors& operator=(const SymmetricFactors&) = delete;

  // `values` runs parallel to the entries; pivots are not smaller than others by more than the threshold. False if
  // there are no factors.
  bool factor(std::span<const double> values, double threshold = 1e-2);

  // After a successful factor():
  std::size_t negative_eigenvalues() const;
  void solve(std::span<double> b);  // b becomes x

 private:
  struct Mumps;
  FrontFactors fronts_;
  std::vector<Entry> entries_;
  Values kind_;
  std::unique_ptr<Mumps> mumps_;  // none where the fronts are small
};

}  // namespace invar
