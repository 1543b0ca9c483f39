// See natural_units.h.
#include "invar/dae/natural_units.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "invar/math/matrix.h"

namespace invar {

namespace {

constexpr double noise = 1e-12;            // of the terms: what is below is left of them by rounding
constexpr double small = 1e-9;             // of others in natural units: is likely to be noise too
constexpr double largest_by_noise = 1e25;  // a rounding error over the least that is taken for noise
constexpr double weak = 0.3;               // weight of what only hints at a size

// Least squares for y = (log e, log s) with conditions a·y = b; from a factor of e on errors count with their first
// power (Huber), so that a few that do not fit do little.
class LogFit {
 public:
  explicit LogFit(std::size_t size) : size_(size), y_(Vector::Zero(static_cast<Eigen::Index>(size))) {}

  // Σ factor y = -log(value)
  void bring_to_one(double value, double weight, std::vector<std::pair<std::size_t, double>> terms) {
    if (value > 0.0 && std::isfinite(value)) rows_.push_back({std::move(terms), -std::log(value), weight});
  }

  const Vector& solve() {
    constexpr int passes = 30;
    constexpr double ridge = 1e-10, far = 1.0;  // a factor of e
    for (int pass = 0; pass < passes; ++pass) {
      std::vector<Eigen::Triplet<double>> entries;
      Vector b = Vector::Zero(y_.size());
      for (std::size_t i = 0; i < size_; ++i) entries.emplace_back(static_cast<int>(i), static_cast<int>(i), ridge);
      for (const Row& row : rows_) {
        double off = -row.value;
        for (const auto& [i, factor] : row.terms) off += factor * y_[static_cast<Eigen::Index>(i)];
        const double weight = row.weight / (pass == 0 ? 1.0 : std::max(1.0, std::abs(off) / far));
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
    add_loads_and_references();
  }

  void add_partials(const Jet& jet) {
    Matrix p;
    evaluator_.partials(jet, 0, p);
    for (std::size_t k = 0; k < partial_.size(); ++k)
      if (const double size = std::abs(p(static_cast<Eigen::Index>(k), 0)); std::isfinite(size))
        partial_[k] = std::max(partial_[k], size);
  }

  // First from partials and given values, then without what is noise in these units and with loads and references.
  NaturalUnits fit() const { return fit_without_noise(fit_without_noise({}, false), true); }

 private:
  NaturalUnits fit_without_noise(const NaturalUnits& units, bool all) const {
    LogFit fit(2 * n_);
    const std::vector<double> partials = all ? cleaned(units) : partial_;
    for (std::size_t k = 0; k < partials.size(); ++k) {
      const Partial& p = evaluator_.partial_list()[k];
      fit.bring_to_one(partials[k] * std::pow(time_, -p.order), 1.0,
                       {{static_cast<std::size_t>(p.equation), 1.0}, {n_ + static_cast<std::size_t>(p.unknown), 1.0}});
    }
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t r = 0; r < std::min<std::size_t>(2, start_.x[j].size()); ++r)
        fit.bring_to_one(std::abs(start_.x[j][r]) * std::pow(time_, r), weak, {{n_ + j, -1.0}});
    const auto given = [&](const std::vector<double>& size, double weight) {
      double largest = 0.0;
      for (std::size_t i = 0; i < n_; ++i) largest = std::max(largest, size[i] * units.equation(i));
      for (std::size_t i = 0; i < n_; ++i)
        if (size[i] * units.equation(i) > small * largest) fit.bring_to_one(size[i], weight, {{i, 1.0}});
    };
    if (all) {
      given(load_, weak);
      given(change_, 1.0);
    }
    const Vector unit = fit.solve().array().exp();
    const auto half = static_cast<std::ptrdiff_t>(n_);
    return {{unit.begin(), unit.begin() + half}, {unit.begin() + half, unit.end()}, time_};
  }

  // Partials without those that are small both in their equation and among those of their unknown. Where most terms of
  // an equation are noise, its unit follows them, and what is not noise has become as large as noise is small: by
  // rounding errors, so not larger without bounds.
  std::vector<double> cleaned(const NaturalUnits& units) const {
    const std::vector<Partial>& list = evaluator_.partial_list();
    std::vector<double> size(partial_), in_equation(n_, 0.0), of_unknown(n_, 0.0);
    for (std::size_t k = 0; k < size.size(); ++k) {
      const auto i = static_cast<std::size_t>(list[k].equation), j = static_cast<std::size_t>(list[k].unknown);
      size[k] *= units.equation(i) * units.unknown(j, list[k].order);
      in_equation[i] = std::max(in_equation[i], size[k]);
      of_unknown[j] = std::max(of_unknown[j], size[k]);
    }
    std::vector<double> kept(partial_);
    for (std::size_t k = 0; k < size.size(); ++k) {
      const double row = in_equation[static_cast<std::size_t>(list[k].equation)],
                   column = of_unknown[static_cast<std::size_t>(list[k].unknown)], larger = std::max(row, column);
      const bool by_noise = larger > 1.0 / small && larger < largest_by_noise;
      if (size[k] < small * std::min(row, column) || (by_noise && size[k] < small * larger)) kept[k] = 0.0;
    }
    return kept;
  }

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
    set_time();
  }

  // Of the changes of the references, the median; without any a part of the whole time.
  void set_time() {
    constexpr double parts = 6.0;  // a motion from rest to rest takes about this many characteristic times
    std::vector<double> times;
    for (std::size_t i = 0; i < n_; ++i)
      if (change_[i] > 0.0 && rate_[i] > 0.0) times.push_back(change_[i] / rate_[i]);
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    if (!times.empty()) std::nth_element(times.begin(), middle, times.end());
    time_ = times.empty() || !(*middle > 0.0) || !std::isfinite(*middle) ? until_ / parts : *middle;
  }

  const Dae& dae_;
  JetEvaluator& evaluator_;
  const Jet& start_;
  double until_, time_ = 1.0;
  std::size_t n_;
  std::vector<double> partial_, load_, change_, rate_;
};

}  // namespace

namespace {

// Calls change(j, order, part) with random parts between -1 and 1 that belong to the name of the unknown.
template <class Change>
void for_each_part(const Dae& dae, const JetEvaluator& evaluator, std::uint64_t seed, const Change& change) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j) {
    std::seed_seq name(dae.unknowns[j].name.begin(), dae.unknowns[j].name.end());
    std::array<std::uint32_t, 1> own;
    name.generate(own.begin(), own.end());
    std::mt19937_64 random(seed + own[0]);
    for (int r = 0; r <= evaluator.highest(j); ++r) change(j, r, uniform(random));
  }
}

// Every value off by a part of itself, so that nothing cancels by chance and leaves noise.
Jet off_by_parts(const Dae& dae, const JetEvaluator& evaluator, const Jet& jet, double part, std::uint64_t seed) {
  Jet other = jet;
  for_each_part(dae, evaluator, seed, [&](std::size_t j, int r, double random) {
    if (static_cast<std::size_t>(r) < other.x[j].size()) other.x[j][static_cast<std::size_t>(r)] *= 1.0 + part * random;
  });
  return other;
}

}  // namespace

Jet nearby(const Dae& dae, const JetEvaluator& evaluator, const NaturalUnits& units, const Jet& jet, double distance,
           std::uint64_t seed) {
  Jet other = jet;
  for_each_part(dae, evaluator, seed, [&](std::size_t j, int r, double random) {
    const auto order = static_cast<std::size_t>(r);
    if (other.x[j].size() <= order) other.x[j].resize(order + 1, 0.0);
    other.x[j][order] += distance * units.unknown(j, r) * random;
  });
  return other;
}

NaturalUnits natural_units(const Dae& dae, JetEvaluator& evaluator, const Jet& start, double until) {
  constexpr double some = 0.1, not_far = 0.3;
  Sizes sizes(dae, evaluator, start, until);
  for (const std::uint64_t seed : {1U, 2U}) sizes.add_partials(off_by_parts(dae, evaluator, start, some, seed));
  const NaturalUnits at_start = sizes.fit();
  // What vanishes at the start alone has a size all the same.
  for (const std::uint64_t seed : {1U, 2U}) sizes.add_partials(nearby(dae, evaluator, at_start, start, not_far, seed));
  return sizes.fit();
}

}  // namespace invar
