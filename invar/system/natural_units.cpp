// See natural_units.h.
#include "invar/system/natural_units.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "invar/math/matrix.h"
#include "invar/system/dae.h"
#include "invar/system/jet.h"

namespace invar {

namespace {

constexpr double noise = 1e-12;  // of the terms: what is below is left of them by rounding
constexpr double weak = 0.3;     // weight of what only hints at a size

// Least squares for y = (log e, log s, log τ) with conditions a·y = b; those that do not fit count less and less.
class LogFit {
 public:
  explicit LogFit(std::size_t size) : size_(size), y_(Vector::Zero(static_cast<Eigen::Index>(size))) {}

  // Σ factor y = -log(value)
  void bring_to_one(double value, double weight, std::vector<std::pair<std::size_t, double>> terms) {
    if (value > 0.0 && std::isfinite(value)) rows_.push_back({std::move(terms), -std::log(value), weight});
  }

  const Vector& solve() {
    constexpr int passes = 6;
    constexpr double ridge = 1e-10, far = 4.0;  // e⁴: nearly two decades off
    for (int pass = 0; pass < passes; ++pass) {
      std::vector<Eigen::Triplet<double>> entries;
      Vector b = Vector::Zero(y_.size());
      for (std::size_t i = 0; i < size_; ++i) entries.emplace_back(static_cast<int>(i), static_cast<int>(i), ridge);
      for (const Row& row : rows_) {
        double off = -row.value;
        for (const auto& [i, factor] : row.terms) off += factor * y_[static_cast<Eigen::Index>(i)];
        const double weight = pass == 0 ? row.weight : row.weight / (1.0 + off * off / (far * far));
        for (const auto& [i, factor] : row.terms) {
          b[static_cast<Eigen::Index>(i)] += weight * factor * row.value;
          for (const auto& [j, other] : row.terms)
            entries.emplace_back(static_cast<int>(i), static_cast<int>(j), weight * factor * other);
        }
      }
      Eigen::SparseMatrix<double> N(y_.size(), y_.size());
      N.setFromTriplets(entries.begin(), entries.end());
      const Vector y = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(N).solve(b);
      if (!y.allFinite()) break;
      y_ = y;
    }
    return y_;
  }

 private:
  struct Row {
    std::vector<std::pair<std::size_t, double>> terms;
    double value, weight;
  };
  std::size_t size_;
  std::vector<Row> rows_;
  Vector y_;
};

// Largest sizes met at some jets.
class Sizes {
 public:
  Sizes(const Dae& dae, JetEvaluator& evaluator, const Jet& start, double until)
      : dae_(dae),
        evaluator_(evaluator),
        start_(start),
        until_(until),
        n_(dae.unknowns.size()),
        partial_(evaluator.partial_list().size(), 0.0) {
    add_partials(start);
    add_loads_and_references();
  }

  void add_partials(const Jet& jet) {
    Matrix p;
    evaluator_.partials(jet, 0, p);
    for (std::size_t k = 0; k < partial_.size(); ++k)
      if (const double size = std::abs(p(static_cast<Eigen::Index>(k), 0)); std::isfinite(size))
        partial_[k] = std::max(partial_[k], size);
  }

  NaturalUnits fit() const {
    const std::size_t time = 2 * n_;
    LogFit fit(2 * n_ + 1);
    for (std::size_t k = 0; k < partial_.size(); ++k) {
      const Partial& p = evaluator_.partial_list()[k];
      fit.bring_to_one(partial_[k], 1.0,
                       {{static_cast<std::size_t>(p.equation), 1.0},
                        {n_ + static_cast<std::size_t>(p.unknown), 1.0},
                        {time, -p.order}});
    }
    for (std::size_t i = 0; i < n_; ++i) {
      fit.bring_to_one(load_[i], weak, {{i, 1.0}});
      fit.bring_to_one(change_[i], 1.0, {{i, 1.0}});
      fit.bring_to_one(rate_[i], 1.0, {{i, 1.0}, {time, 1.0}});
    }
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t r = 0; r < std::min<std::size_t>(2, start_.x[j].size()); ++r)
        fit.bring_to_one(std::abs(start_.x[j][r]), weak, {{n_ + j, -1.0}, {time, static_cast<double>(r)}});
    constexpr double parts = 6.0;  // a motion from rest to rest has about this many characteristic times
    fit.bring_to_one(until_ / parts, weak, {{time, -1.0}});
    const Vector unit = fit.solve().array().exp();
    const auto half = static_cast<std::ptrdiff_t>(n_);
    return {{unit.begin(), unit.begin() + half}, {unit.begin() + half, unit.begin() + 2 * half}, unit[unit.size() - 1]};
  }

 private:
  // At rest: what the equations contain besides the unknowns' own terms, and how it changes with time alone.
  void add_loads_and_references() {
    constexpr int instants = 24;
    load_.assign(n_, 0.0);
    change_ = rate_ = load_;
    Jet rest = start_;
    for (std::size_t j = 0; j < n_; ++j)
      rest.x[j] = {dae_.unknowns[j].kind == UnknownKind::coordinate ? start_.x[j][0] : 0.0};
    Matrix p, f, first;
    evaluator_.partials(rest, 0, p);
    std::vector<double> terms(n_, 0.0);
    for (std::size_t k = 0; k < partial_.size(); ++k) {
      const Partial& partial = evaluator_.partial_list()[k];
      if (partial.order == 0)
        terms[static_cast<std::size_t>(partial.equation)] +=
            std::abs(p(static_cast<Eigen::Index>(k), 0) * rest.x[static_cast<std::size_t>(partial.unknown)][0]);
    }
    for (int k = 0; k <= instants; ++k) {
      rest.t = start_.t + (until_ - start_.t) * k / instants;
      evaluator_.residuals(rest, 1, f);
      if (k == 0) first = f;
      for (std::size_t i = 0; i < n_; ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const auto keep = [&](std::vector<double>& largest, double x) {
          if (std::isfinite(x) && std::abs(x) > noise * terms[i]) largest[i] = std::max(largest[i], std::abs(x));
        };
        if (k == 0 && dae_.equations[i].kind == EquationKind::dynamics) keep(load_, f(row, 0));
        keep(change_, f(row, 0) - first(row, 0));
        if (change_[i] > 0.0) keep(rate_, f(row, 1));
      }
    }
  }

  const Dae& dae_;
  JetEvaluator& evaluator_;
  const Jet& start_;
  double until_;
  std::size_t n_;
  std::vector<double> partial_, load_, change_, rate_;
};

}  // namespace

double NaturalUnits::unknown(std::size_t j, int order) const {
  return (j < unknowns_.size() ? unknowns_[j] : 1.0) * std::pow(time_, -order);
}

double NaturalUnits::equation(std::size_t i, int order) const {
  return (i < equations_.size() ? equations_[i] : 1.0) * std::pow(time_, order);
}

Jet nearby(const Dae& dae, const JetEvaluator& evaluator, const NaturalUnits& units, const Jet& jet, double distance,
           std::uint64_t seed) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Jet other = jet;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j) {
    std::seed_seq name(dae.unknowns[j].name.begin(), dae.unknowns[j].name.end());
    std::array<std::uint32_t, 1> own;
    name.generate(own.begin(), own.end());
    std::mt19937_64 random(seed + own[0]);
    for (int r = 0; r <= evaluator.highest(j); ++r) {
      const auto order = static_cast<std::size_t>(r);
      if (other.x[j].size() <= order) other.x[j].resize(order + 1, 0.0);
      other.x[j][order] += distance * units.unknown(j, r) * uniform(random);
    }
  }
  return other;
}

NaturalUnits natural_units(const Dae& dae, JetEvaluator& evaluator, const Jet& start, double until) {
  Sizes sizes(dae, evaluator, start, until);
  const NaturalUnits at_start = sizes.fit();
  // What vanishes at the start alone has a size all the same.
  constexpr double not_far = 0.3;
  for (const std::uint64_t seed : {1U, 2U}) sizes.add_partials(nearby(dae, evaluator, at_start, start, not_far, seed));
  return sizes.fit();
}

}  // namespace invar
