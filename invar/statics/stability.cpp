// See stability.h.
#include "invar/statics/stability.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "invar/math/eigen_pairs.h"
#include "invar/math/rank.h"
#include "invar/math/spectra/pencil.h"
#include "invar/math/spectra/spectrum.h"
#include "invar/math/svd.h"

namespace invar {

namespace {

constexpr double noise = 1e-10;        // of the terms of an entry: it is zero
constexpr double rounding = 1e-13;     // of the largest stiffness: what eigenvalues and sums of terms are accurate to
constexpr int other_places = 3;        // that cannot be told from this one
constexpr double coordinates = 1e-15;  // of the size of the system: what places are known to
constexpr double spreads = 10.0;       // times what is seen at so few places
constexpr double slow = 1e-10;         // of the fastest eigenvalue: zero but for rounding
constexpr double moves = 0.5;          // smallest mass in the metric of the masses, unless something is massless

// All that follows is about one place.
struct Linear {
  Matrix Z;        // velocities that the constraints allow
  Matrix places;   // displacements, without those of steady coordinates
  Matrix K, D, M;  // in y
  Matrix K_terms, D_terms;
  std::vector<Matrix> K_doubt;  // by how much K differs at places that cannot be told from this one
  Matrix slip;  // velocities that a displacement asks for, where constraints at velocity level are not at rest
  bool holonomic = true;
  double rate = 1.0;  // unit of 1/time
};

Matrix rows_of(const Matrix& all, const Statics& statics, bool position) {
  Matrix some(all.rows(), all.cols());
  Eigen::Index count = 0;
  for (Eigen::Index c = 0; c < all.rows(); ++c)
    if ((statics.level(static_cast<int>(c)) == Level::position) == position) some.row(count++) = all.row(c);
  return some.topRows(count);
}

// Where rounding, or the forces that are left, could as well have put it, with the multipliers that belong there.
std::vector<Matrix> doubts(Statics& statics, const StaticPoint& p, const Matrix& K) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const double count = static_cast<double>(std::max<Eigen::Index>(1, K.rows()));
  const double part = std::max(coordinates, p.imbalance) * p.size / std::sqrt(count);
  std::vector<Matrix> list;
  for (int k = 0; k < other_places; ++k) {
    Vector y(K.rows());
    for (double& value : y) value = part * normal(random);
    const State s = p.moved(y);
    const StaticPoint other = statics.at(s.q, s.v);
    if (other.is_finite) list.push_back(statics.stiffness(other) - K);
  }
  return list;
}

Linear linearise(Statics& statics, const SteadyCoordinates& steady, const StaticPoint& p) {
  Linear l;
  l.Z = p.free;
  l.K = statics.stiffness(p);
  l.D = statics.damping(p);
  l.M = statics.mass(p);
  l.K_terms = statics.stiffness_terms(p);
  l.D_terms = statics.damping_terms(p);
  l.K_doubt = doubts(statics, p, l.K);
  const Matrix holding = rows_of(p.directions, statics, true), rolling = rows_of(p.directions, statics, false);
  l.holonomic = rolling.rows() == 0;
  Matrix apart(holding.rows() + static_cast<Eigen::Index>(steady.all.size()), holding.cols());
  apart.topRows(holding.rows()) = holding;
  for (std::size_t k = 0; k < steady.all.size(); ++k)
    apart.row(holding.rows() + static_cast<Eigen::Index>(k)) = p.L.row(static_cast<Eigen::Index>(steady.all[k]));
  l.places = null_space(apart);
  l.slip = Matrix::Zero(l.Z.rows(), l.places.cols());
  if (!l.holonomic) {
    const Matrix asked = rows_of(statics.condition_stiffness(p), statics, false) * l.places;
    Matrix all(holding.rows() + rolling.rows(), holding.cols()), right = Matrix::Zero(all.rows(), l.places.cols());
    all << holding, rows_of(statics.condition_damping(p), statics, false);
    right.bottomRows(rolling.rows()) = -asked;
    for (Eigen::Index j = 0; j < right.cols(); ++j) l.slip.col(j) = least_norm(all, right.col(j));
  }
  l.rate = std::sqrt((l.Z.transpose() * l.K * l.Z).norm());
  if (l.rate == 0.0) l.rate = (l.Z.transpose() * l.D * l.Z).norm();
  if (l.rate == 0.0) l.rate = 1.0;
  return l;
}

// E x' = A x for x = (displacement, velocity), in units of the rate.
Spectrum eigenvalues(const Linear& l) {
  const Eigen::Index n = l.places.cols(), f = l.Z.cols();
  const Matrix Z_t = l.Z.transpose(), P_t = l.places.transpose();
  Matrix E = Matrix::Identity(n + f, n + f), A(n + f, n + f);
  E.bottomRightCorner(f, f) = Z_t * l.M * l.Z;
  const Matrix drift = P_t * l.slip;
  A.topLeftCorner(n, n) = drift / l.rate;
  A.topRightCorner(n, f) = P_t * l.Z;
  A.bottomLeftCorner(f, n) = -Z_t * (l.K * l.places + l.D * l.slip + l.M * l.slip * drift) / (l.rate * l.rate);
  A.bottomRightCorner(f, f) = -Z_t * (l.D * l.Z + l.M * l.slip * (P_t * l.Z)) / l.rate;
  Spectrum s = spectrum(ordinary_part(E, A).F);
  for (auto& value : s.values) value *= l.rate;
  double fastest = 0.0;
  for (const auto& value : s.values) fastest = std::max(fastest, std::abs(value));
  for (double& u : s.uncertainty) u = std::max(u * l.rate, slow * fastest);
  return s;
}

// Of a direction y, what may have been added to its stiffness: by rounding of the terms and of the elimination, and by
// the place.
double blur(const Linear& l, double largest, const Vector& y) {
  double spread = 0.0;
  for (const Matrix& doubt : l.K_doubt) spread = std::max(spread, (doubt * y).norm());
  return rounding * std::max(largest, y.cwiseAbs().dot(l.K_terms * y.cwiseAbs())) + spreads * spread;
}

struct Shape {
  bool symmetric = true, dissipative = true, gyroscopic = false, damped = false;
};

Shape shape_of(const Linear& l) {
  Shape s;
  const Matrix K = l.Z.transpose() * l.K * l.Z, D = l.Z.transpose() * l.D * l.Z;
  const Matrix spread = l.Z.cwiseAbs();
  const Matrix K_noise = noise * spread.transpose() * l.K_terms * spread;
  const Matrix D_noise = noise * spread.transpose() * l.D_terms * spread;
  s.symmetric = ((K - K.transpose()).cwiseAbs().array() <= 2.0 * K_noise.array()).all();
  s.gyroscopic = !((D - D.transpose()).cwiseAbs().array() <= 2.0 * D_noise.array()).all();
  s.damped = !(D.cwiseAbs().array() <= D_noise.array()).all();
  if (s.damped) {
    const Vector rates = symmetric_eigen(0.5 * (D + D.transpose())).values;
    s.dissipative = rates[0] >= -1e-9 * rates.cwiseAbs().maxCoeff();
  }
  return s;
}

void sort_into(Stability& result, std::vector<std::complex<double>> values) {
  std::ranges::sort(values, [](const auto& a, const auto& b) {
    return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  });
  result.eigenvalues = std::move(values);
}

void find_frequency(Stability& result, double smallest) {
  for (const auto& s : result.eigenvalues) {
    const double f = std::abs(s.imag()) / (2.0 * std::numbers::pi);
    if (f > smallest && (result.lowest_frequency == 0.0 || f < result.lowest_frequency)) result.lowest_frequency = f;
  }
}

// Directions without stiffness of any kind.
Matrix open_directions(const Linear& l) {
  if (l.places.cols() == 0) return Matrix(l.places.rows(), 0);
  const Svd parts = svd(l.Z.transpose() * l.K * l.places);
  std::vector<Vector> found;
  for (Eigen::Index k = 0; k < parts.V.cols(); ++k) {
    const Vector y = l.places * parts.V.col(k);
    const double value = k < parts.values.size() ? parts.values[k] : 0.0;
    if (value <= blur(l, parts.values[0], y)) found.push_back(y);
  }
  Matrix open(l.places.rows(), static_cast<Eigen::Index>(found.size()));
  for (std::size_t k = 0; k < found.size(); ++k) open.col(static_cast<Eigen::Index>(k)) = found[k];
  return open;
}

// A symmetric stiffness, with friction or without.
void judge_by_energy(const Linear& l, const Shape& shape, Stability& result) {
  result.by_energy = true;
  result.kind = StabilityKind::stable;
  if (l.places.cols() == 0) return;
  const Matrix K = l.places.transpose() * l.K * l.places, M = l.places.transpose() * l.M * l.places;
  const bool massless = symmetric_eigen(M).values[0] < moves;
  const SymmetricEigen parts =
      symmetric_eigen(0.5 * (K + K.transpose()), massless ? Matrix(Matrix::Identity(K.rows(), K.cols())) : M);
  std::vector<std::complex<double>> values;
  const double largest = parts.values.cwiseAbs().maxCoeff();
  bool falls = false, rises = true;
  for (Eigen::Index k = 0; k < K.cols(); ++k) {
    const Vector y = l.places * parts.vectors.col(k);
    const double value = parts.values[k], zero = blur(l, largest, y);
    if (value < -zero && !falls) result.downhill = y;
    falls = falls || value < -zero;
    rises = rises && value > zero;
    const std::complex<double> s = std::abs(value) <= zero ? 0.0 : std::sqrt(std::complex<double>(-value, 0.0));
    values.insert(values.end(), {s, -s});
  }
  result.kind = falls ? StabilityKind::unstable : rises ? StabilityKind::stable : StabilityKind::indifferent;
  if (!shape.damped && !massless) {
    sort_into(result, std::move(values));
    return;
  }
  const Spectrum s = eigenvalues(l);
  bool dies_out = true;
  for (std::size_t k = 0; k < s.values.size(); ++k) dies_out = dies_out && s.values[k].real() < -3.0 * s.uncertainty[k];
  if (result.kind == StabilityKind::stable && dies_out) result.kind = StabilityKind::asymptotic;
  sort_into(result, s.values);
}

void judge_by_eigenvalues(const Linear& l, std::size_t conserved, Stability& result) {
  const Spectrum s = eigenvalues(l);
  std::size_t zeros = 0, growing = 0, dying = 0;
  for (std::size_t k = 0; k < s.values.size(); ++k) {
    const double doubt = 3.0 * s.uncertainty[k];
    if (std::abs(s.values[k]) <= doubt)
      ++zeros;
    else if (s.values[k].real() > doubt)
      ++growing;
    else if (s.values[k].real() < -doubt)
      ++dying;
  }
  sort_into(result, s.values);
  result.kind = growing > 0                                      ? StabilityKind::unstable
                : zeros > conserved || result.open.cols() > 0    ? StabilityKind::indifferent
                : dying + zeros == s.values.size() && zeros == 0 ? StabilityKind::asymptotic
                                                                 : StabilityKind::first_order;
}

}  // namespace

Stability judge_stability(Statics& statics, const SteadyCoordinates& steady, const StaticPoint& p) {
  Stability result;
  const Linear l = linearise(statics, steady, p);
  result.open = open_directions(l);
  const Shape shape = shape_of(l);
  const bool at_rest = std::ranges::all_of(p.state.v, [](double v) { return v == 0.0; });
  if (l.holonomic && at_rest && shape.symmetric && shape.dissipative && !shape.gyroscopic)
    judge_by_energy(l, shape, result);
  else
    judge_by_eigenvalues(l, steady.all.size() - steady.unknown.size(), result);
  if (result.kind == StabilityKind::unstable && !result.eigenvalues.empty())
    result.growth = std::max(0.0, result.eigenvalues.back().real());
  find_frequency(result, 1e-9 * l.rate);
  return result;
}

}  // namespace invar
