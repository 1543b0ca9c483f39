// See singular_path.h.
#include "invar/task/simulate/singular_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/math/decompositions.h"
#include "invar/math/svd.h"
#include "invar/system/equations.h"
#include "invar/system/state_function.h"

namespace invar {

namespace {

constexpr std::size_t most_states = 2000;
constexpr std::size_t most_constraints = 300;
// Instants to look at: fewer if the factorisation of G Gᵀ is costly.
constexpr double affordable = 1e9;
constexpr double fewest = 50.0, most = 400.0;
// A zero of σ between two states is found to the error of cubic interpolation, some 1e-6; a dip that is none rarely
// goes below a hundredth of the usual size.
constexpr double singular_below = 1e-3;
constexpr double dip_below = 0.3;

// Cubic in each piece, through states and velocities.
State between(const PassedStates& path, double t) {
  std::size_t after = 1;
  for (std::size_t last = path.count() - 1; after < last;) {
    const std::size_t middle = (after + last) / 2;
    if (path.t(middle) <= t)
      after = middle + 1;
    else
      last = middle;
  }
  const std::size_t before = after - 1;
  const double h = path.t(after) - path.t(before), s = (t - path.t(before)) / h;
  const double b1 = s * s * (3.0 - 2.0 * s), c0 = s * (1.0 - s) * (1.0 - s) * h, c1 = s * s * (s - 1.0) * h;
  const std::span<const double> q0 = path.q(before), v0 = path.v(before), q1 = path.q(after), v1 = path.v(after);
  State x{.t = t, .q = {q0.begin(), q0.end()}, .v = {v0.begin(), v0.end()}, .a = {}, .lambda = {}};
  for (std::size_t i = 0; i < x.q.size(); ++i) {
    x.q[i] = (1.0 - b1) * q0[i] + b1 * q1[i] + c0 * v0[i] + c1 * v1[i];
    x.v[i] = (1.0 - s) * v0[i] + s * v1[i];
  }
  return x;
}

class Along {
 public:
  // `gradient` has the values of the entries of G.
  Along(const Pattern& pattern, const StateFunction& gradient, const PassedStates& path,
        const std::vector<std::size_t>& samples)
      : path_(path),
        pattern_(pattern),
        value_(gradient),
        row_(Vector::Ones(pattern.rows)),
        column_(Vector::Ones(pattern.cols)),
        guess_(Vector::Ones(pattern.rows)),
        spread_(Vector::LinSpaced(pattern.rows, 0.5, 1.5).normalized()),
        entries_(pattern.size()) {
    find_gradients(samples);
    scale();
  }

  // The smallest singular value at a sample, or at t.
  double sigma_at(std::size_t sample) { return sigma(gradient(sample)); }
  double sigma(double t) { return sigma(value_(between(path_, t))); }

  Svd decomposition(double t) {
    const std::vector<double> g = value_(between(path_, t));
    const Pattern& p = pattern_;
    Matrix G = Matrix::Zero(p.rows, p.cols);
    for (std::size_t j = 0; j < static_cast<std::size_t>(p.cols); ++j)
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) G(row(k), static_cast<Eigen::Index>(j)) = entry(g, j, k);
    return svd(G);
  }

  // The least σ between two instants, by golden section.
  double lowest(double a, double b) {
    constexpr double golden = 0.6180339887498949;
    constexpr int cuts = 32;  // to 2e-7 of the interval
    double x = b - golden * (b - a), y = a + golden * (b - a), fx = sigma(x), fy = sigma(y);
    for (int i = 0; i < cuts; ++i) {
      if (fx < fy) {
        b = y, y = x, fy = fx;
        x = b - golden * (b - a), fx = sigma(x);
      } else {
        a = x, x = y, fx = fy;
        y = a + golden * (b - a), fy = sigma(y);
      }
    }
    return fx < fy ? x : y;
  }

 private:
  // At the samples, one after the other.
  void find_gradients(const std::vector<std::size_t>& samples) {
    const std::size_t width = pattern_.size();
    gradients_.resize(samples.size() * width);
    StateBlock block(value_);
    for (std::size_t k = 0; k < samples.size(); ++k) {
      block.add(path_.t(samples[k]), path_.q(samples[k]), path_.v(samples[k]));
      if (!block.is_full() && k + 1 < samples.size()) continue;
      block.evaluate();
      double* const first = gradients_.data() + (k + 1 - block.count()) * width;
      for (std::size_t i = 0; i < width; ++i) {
        const std::span<const double> values = block.values(i);
        for (std::size_t p = 0; p < values.size(); ++p) first[p * width + i] = values[p];
      }
      block.clear();
    }
  }
  std::span<const double> gradient(std::size_t sample) const {
    return std::span(gradients_).subspan(sample * pattern_.size(), pattern_.size());
  }

  // Rows and columns are scaled alike all along the path, so that a gradient that vanishes at one instant is noticed.
  void scale() {
    std::vector<double> largest(pattern_.size(), 0.0);
    for (std::size_t at = 0; at < gradients_.size(); at += largest.size())
      for (std::size_t i = 0; i < largest.size(); ++i)
        if (const double g = gradients_[at + i]; std::isfinite(g)) largest[i] = std::max(largest[i], std::abs(g));
    for (int sweep = 0; sweep < 10; ++sweep) {  // each halves the logarithm of what is left
      divide_by_largest(largest, true);
      divide_by_largest(largest, false);
    }
  }

  // By some steps of inverse iteration with G Gᵀ.
  double sigma(std::span<const double> g) {
    const Pattern& p = pattern_;
    S_.setZero(row_.size(), row_.size());
    for (std::size_t j = 0; j < static_cast<std::size_t>(p.cols); ++j)
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
        const double x = entries_[static_cast<std::size_t>(k)] = entry(g, j, k);
        for (int l = p.start[j]; l <= k; ++l) S_(row(k), row(l)) += x * entries_[static_cast<std::size_t>(l)];
      }
    if (!S_.allFinite()) return std::numeric_limits<double>::infinity();
    factors_.compute(S_);
    if (factors_.info() != Eigen::Success) return 0.0;
    constexpr int iterations = 5;
    x_ = guess_.normalized();
    double size = 1.0;
    for (int i = 0; i < iterations; ++i) {
      factors_.solveInPlace(x_);
      size = x_.norm();
      if (!std::isfinite(size)) return 0.0;
      x_ /= size;
    }
    // Some of the last result, for speed, and of everything, so that no direction gets lost.
    guess_ = x_ + spread_;
    return 1.0 / std::sqrt(size);
  }

  Eigen::Index row(int k) const { return pattern_.row[static_cast<std::size_t>(k)]; }
  double entry(std::span<const double> g, std::size_t j, int k) const {
    return row_[row(k)] * g[static_cast<std::size_t>(k)] * column_[static_cast<Eigen::Index>(j)];
  }
  void divide_by_largest(const std::vector<double>& g, bool rows) {
    Vector& factor = rows ? row_ : column_;
    Vector size = Vector::Zero(factor.size());
    const Pattern& p = pattern_;
    for (std::size_t j = 0; j < static_cast<std::size_t>(p.cols); ++j)
      for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
        double& s = size[rows ? row(k) : static_cast<Eigen::Index>(j)];
        s = std::max(s, entry(g, j, k));
      }
    for (Eigen::Index i = 0; i < size.size(); ++i)
      if (size[i] > 0.0) factor[i] /= size[i];
  }

  const PassedStates& path_;
  const Pattern& pattern_;
  StateFunction value_;
  Vector row_, column_, guess_;
  const Vector spread_;
  std::vector<double> gradients_, entries_;
  Matrix S_;
  Eigen::LLT<Matrix, Eigen::Lower> factors_;
  Vector x_;
};

// The states that are lowest among their neighbours in σ and well below the usual, lowest first.
std::vector<std::size_t> dips(const std::vector<double>& sigma, double usual) {
  std::vector<std::size_t> list;
  for (std::size_t k = 1; k + 1 < sigma.size(); ++k)
    if (sigma[k] <= sigma[k - 1] && sigma[k] < sigma[k + 1] && sigma[k] < dip_below * usual) list.push_back(k);
  std::ranges::sort(list, {}, [&](std::size_t k) { return sigma[k]; });
  return list;
}

double median(std::vector<double> x) {
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

// The constraints that depend on each other at t: those with a share in the combinations that vanish.
Summary::SingularConfiguration describe(Along& along, const std::vector<std::string>& all, const PartNames& names,
                                        double t, double threshold) {
  constexpr double share = 0.02;
  const Svd d = along.decomposition(t);
  const auto m = static_cast<Eigen::Index>(all.size());
  Summary::SingularConfiguration found{t, 0, {}};
  Vector weight = Vector::Zero(m);
  for (Eigen::Index k = 0; k < m; ++k)
    if (k >= d.values.size() || d.values[k] < threshold || k == m - 1) {
      ++found.dependent;
      weight += d.U.col(k).cwiseAbs2();
    }
  std::vector<std::string> constraints;
  for (Eigen::Index i = 0; i < m; ++i)
    if (weight[i] > share * share * weight.maxCoeff()) constraints.push_back(all[static_cast<std::size_t>(i)]);
  found.parts = names.connections(constraints);
  return found;
}

}  // namespace

void PassedStates::pass(double t, std::span<const double> q, std::span<const double> v) {
  if (passed_++ % stride_ != 0) return;
  width_ = 1 + q.size() + v.size();
  numbers_.push_back(t);
  numbers_.insert(numbers_.end(), q.begin(), q.end());
  numbers_.insert(numbers_.end(), v.begin(), v.end());
  if (count() < most_states) return;
  const std::size_t kept = (count() + 1) / 2;
  for (std::size_t k = 1; k < kept; ++k)
    std::copy_n(numbers_.begin() + static_cast<std::ptrdiff_t>(2 * k * width_), width_,
                numbers_.begin() + static_cast<std::ptrdiff_t>(k * width_));
  numbers_.resize(kept * width_);
  stride_ *= 2;
}

bool PassedStates::is_full() const { return count() + 1 >= most_states; }

void PassedStates::forget_after(double t) {
  while (count() > 0 && this->t(count() - 1) > t) numbers_.resize(numbers_.size() - width_);
}

struct SingularSearch::Formulas {
  std::vector<std::string> constraints;
  Pattern pattern;
  StateFunction gradient;
};

SingularSearch::SingularSearch(const System& system, std::span<const Reference> references) {
  const std::size_t m = system.constraints.size();
  if (m == 0 || m >= most_constraints || m > system.coordinates.size()) return;
  std::vector<std::string> names;
  for (const Constraint& c : system.constraints) names.push_back(c.name);
  const SparseExprs G = equations(system).gradient;
  formulas_ = std::make_shared<const Formulas>(Formulas{names, G.pattern, StateFunction(system, G.value, references)});
}

std::vector<Summary::SingularConfiguration> SingularSearch::operator()(const PassedStates& path,
                                                                       std::span<const double> parameters,
                                                                       const PartNames& names) const {
  if (!formulas_ || path.count() < 3) return {};
  const std::size_t m = formulas_->constraints.size();
  const double wanted = std::clamp(affordable / std::pow(static_cast<double>(m), 3), fewest, most);
  const std::size_t stride = static_cast<std::size_t>(std::ceil(static_cast<double>(path.count()) / wanted));
  std::vector<std::size_t> samples;
  for (std::size_t k = 0; k < path.count(); k += stride) samples.push_back(k);
  if (samples.size() < 3) return {};

  StateFunction gradient = formulas_->gradient;
  gradient.set_parameters(parameters);
  Along along(formulas_->pattern, gradient, path, samples);
  std::vector<double> sigma;
  for (std::size_t k = 0; k < samples.size(); ++k) sigma.push_back(along.sigma_at(k));
  const double usual = median(sigma);
  std::vector<Summary::SingularConfiguration> found;
  std::vector<std::size_t> candidates = dips(sigma, usual);
  candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(wanted / 10.0)));
  for (const std::size_t k : candidates) {
    const double t = along.lowest(path.t(samples[k - 1]), path.t(samples[k + 1]));
    if (along.sigma(t) < singular_below * usual)
      found.push_back(describe(along, formulas_->constraints, names, t, 10.0 * singular_below * usual));
  }
  std::ranges::sort(found, {}, &Summary::SingularConfiguration::t);
  return found;
}

std::vector<Summary::SingularConfiguration> singular_configurations(const System& system, const PassedStates& path,
                                                                    std::span<const Reference> references,
                                                                    const PartNames& names) {
  return SingularSearch(system, references)(path, parameter_values(system), names);
}

std::vector<std::string> in_words(const std::vector<Summary::SingularConfiguration>& found, const PartNames& names) {
  constexpr std::size_t readable = 4;
  std::vector<std::string> list;
  std::vector<bool> told(found.size(), false);
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (told[k]) continue;
    std::vector<std::string> times;
    for (std::size_t l = k; l < found.size(); ++l)
      if (found[l].parts == found[k].parts) {
        told[l] = true;
        times.push_back(fmt::format("{:.4g}", found[l].t));
      }
    const std::size_t shown = std::min(times.size(), readable);
    list.push_back(fmt::format(
        "singular configuration met at t = {}{} s: {} dependent there, {} more degree{} of freedom for an "
        "instant, so that the motion may branch",
        fmt::join(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
        shown < times.size() ? fmt::format(" and {} times more until t = {}", times.size() - shown, times.back()) : "",
        names.in_words(found[k].parts) + (found[k].parts.size() == 1 ? " becomes" : " become"), found[k].dependent,
        found[k].dependent == 1 ? "" : "s"));
  }
  return list;
}

}  // namespace invar
