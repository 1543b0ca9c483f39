// See space_time_mesh.h.
#include "invar/task/stable_inversion/space_time_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/dae/array_rank.h"

namespace invar {

namespace {

constexpr double linear_accuracy = 0.01;  // of a Newton step; the next one removes the rest

}  // namespace

SpaceTimeMesh::SpaceTimeMesh(JetEvaluator& evaluator, const Dae& dae, const Offsets& offsets, const Span& span,
                             const Jet& start, EndShapes free)
    : evaluator_(evaluator),
      dae_(dae),
      row_(offsets.partner),
      span_(span),
      first_unknown_(span.ends == MotionEnds::fixed ? 1 : 0),
      instants_(static_cast<int>(span.intervals) - first_unknown_),
      free_(std::move(free)),
      size_(evaluator.size()) {
  expects(instants_ > 2, "an instant has two neighbours");
  for (std::size_t i = 0; i < size_; ++i) {
    unknown_scale_.push_back(evaluator.units().unknown(i));
    equation_scale_.push_back(1.0);
  }
  for (std::size_t i = 0; i < size_; ++i) equation_scale_[at(row_[i])] = evaluator.units().equation(i);
  find_places();
  make_pattern();
  find_way(start);
  constexpr std::size_t large = 40;  // unknowns of an instant; with fewer, factors of the whole are found sooner
  if (span.ends == MotionEnds::fixed && size_ >= large) by_instants_.emplace(pattern_, static_cast<int>(size_));
}

// In natural units, so that pivots do not depend on how the model is measured.
bool SpaceTimeMesh::factor(std::span<const double> jac) {
  std::vector<double> values(jac.begin(), jac.end());
  for (std::size_t c = 0; c + 1 < pattern_.start.size(); ++c)
    for (int e = pattern_.start[c]; e < pattern_.start[c + 1]; ++e)
      values[at(e)] *= row_scale(at(pattern_.row[at(e)])) * column_scale(c);
  return factor_scaled(values);
}

bool SpaceTimeMesh::factor_scaled(std::span<const double> values) {
  if (by_instants_ && by_instants_->factor(values)) return true;
  by_instants_.reset();
  if (!whole_) whole_.emplace(pattern_, LinearSolver::Kind::banded);
  return whole_->factor(values);
}

bool SpaceTimeMesh::solve_linear(std::vector<double>& b, Vector unit) {
  for (std::size_t i = 0; i < b.size(); ++i) b[i] *= row_scale(i);
  for (Eigen::Index j = 0; j < unit.size(); ++j) unit[j] /= unknown_scale_[static_cast<std::size_t>(j)];
  if (!solve_scaled(b, unit)) return false;
  for (std::size_t j = 0; j < b.size(); ++j) b[j] *= column_scale(j);
  return true;
}

bool SpaceTimeMesh::solve_scaled(std::vector<double>& b, const Vector& unit) {
  if (by_instants_) {
    if (by_instants_->solve(b, unit, linear_accuracy)) return true;
    const std::vector<double> jac = by_instants_->values();
    by_instants_.reset();
    if (!factor_scaled(jac)) return false;
  }
  whole_->solve(b);
  return true;
}

int SpaceTimeMesh::neighbour(int k, int by) const {
  const int other = k + by;
  if (span_.ends == MotionEnds::periodic) return (other + instants_) % instants_;
  return other < instants_ ? other : -1;
}

void SpaceTimeMesh::find_places() {
  columns_.resize(size_);
  const std::vector<Partial>& list = evaluator_.partial_list();
  for (const Partial& p : list) {
    Column& column = columns_[at(p.unknown)];
    column.same.push_back(row_[at(p.equation)]);
    if (p.order > 0) column.beside.push_back(row_[at(p.equation)]);
  }
  for (Column& column : columns_)
    for (std::vector<int>* rows : {&column.same, &column.beside}) {
      std::sort(rows->begin(), rows->end());
      rows->erase(std::unique(rows->begin(), rows->end()), rows->end());
    }
  const auto offset = [this](const std::vector<int>& rows, int equation) {
    const int row = row_[at(equation)];
    const auto found = std::lower_bound(rows.begin(), rows.end(), row);
    return found != rows.end() && *found == row ? static_cast<int>(found - rows.begin()) : -1;
  };
  for (const Partial& p : list) {
    const Column& column = columns_[at(p.unknown)];
    const int near = offset(column.same, p.equation), far = offset(column.beside, p.equation);
    if (p.order == 0)
      places_.push_back({at(p.unknown), p.order, {-1, near, -1}});
    else
      places_.push_back({at(p.unknown), p.order, {far, near, far}});
  }
}

void SpaceTimeMesh::make_pattern() {
  const auto n = static_cast<int>(size_);
  const auto m = static_cast<int>(oscillations());
  pattern_.rows = pattern_.cols = instants_ * n + m;
  start_place_.resize(size_);
  begin_.resize(3 * at(instants_) * size_);
  for (int k = 0; k < instants_; ++k) {
    std::vector<std::pair<int, int>> order;  // instants whose equations contain those of k, ascending
    for (const int by : {-1, 0, 1})
      if (const int other = neighbour(k, by); other >= 0) order.emplace_back(other, by);
    std::sort(order.begin(), order.end());
    for (std::size_t j = 0; j < size_; ++j) {
      for (const auto& [instant, by] : order) {
        begin(k, j, by) = static_cast<int>(pattern_.row.size());
        for (const int i : by == 0 ? columns_[j].same : columns_[j].beside) pattern_.row.push_back(instant * n + i);
      }
      if (k == 0) {
        start_place_[j] = static_cast<int>(pattern_.row.size());
        if (!columns_[j].beside.empty())
          for (int i = 0; i < m; ++i) pattern_.row.push_back(instants_ * n + i);
      }
      pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
    }
  }
  for (const Column& column : columns_) free_rows_.insert(free_rows_.end(), column.beside.begin(), column.beside.end());
  std::sort(free_rows_.begin(), free_rows_.end());
  free_rows_.erase(std::unique(free_rows_.begin(), free_rows_.end()), free_rows_.end());
  for (int j = 0; j < m; ++j) {
    for (const int i : free_rows_) pattern_.row.push_back((instants_ - 1) * n + i);
    pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
  }
}

void SpaceTimeMesh::find_way(const Jet& start) {
  way_ = InstantValues::Zero(instants_, static_cast<Eigen::Index>(size_));
  Jet jet = start;
  jet.t = span_.first;
  std::vector<double> first(size_);
  const std::span<const double> f = evaluator_.series(jet, 0);
  std::copy(f.begin(), f.end(), first.begin());
  for (int k = 0; k < instants_; ++k) {
    jet.t = span_.first + static_cast<double>(k + first_unknown_) * span_.h;
    const std::span<const double> later = evaluator_.series(jet, 0);
    for (std::size_t i = 0; i < size_; ++i)
      if (evaluator_.kind(i) == EquationKind::servo) way_(k, static_cast<Eigen::Index>(i)) = later[i] - first[i];
  }
}

void SpaceTimeMesh::find_residual(const InstantValues& x, std::span<double> r) {
  for (int k = 0; k < instants_; ++k) {
    poll_interrupt();
    residual_at(x, k, r);
  }
  if (free_.count() > 0) free_residual(x, r);
}

void SpaceTimeMesh::residual_at(const InstantValues& x, int k, std::span<double> r) {
  jet_at(x, k + first_unknown_, jet_);
  const std::span<const double> f = evaluator_.series(jet_, 0);
  for (std::size_t i = 0; i < size_; ++i)
    r[at(k) * size_ + at(row_[i])] = f[i] - (1.0 - part_) * way_(k, static_cast<Eigen::Index>(i));
}

void SpaceTimeMesh::fill(const InstantValues& x, std::span<double> r, std::span<double> jac) {
  std::fill(jac.begin(), jac.end(), 0.0);
  const double first = 0.5 / span_.h, second = 1.0 / (span_.h * span_.h);
  const std::array<std::array<double, 3>, 3> factor = {
      {{0.0, 1.0, 0.0}, {-first, 0.0, first}, {second, -2.0 * second, second}}};
  Matrix by_last = Matrix::Zero(free_.count() > 0 ? x.cols() : 0, free_.count());
  for (int k = 0; k < instants_; ++k) {
    poll_interrupt();
    residual_at(x, k, r);
    const std::span<const double> varying = evaluator_.varying_series();
    for (std::size_t p = 0; p < places_.size(); ++p) {
      const Place& place = places_[p];
      const int where = evaluator_.varying_place(p);
      const double value = where == JetEvaluator::constant_partial ? evaluator_.constant_value(p) : varying[at(where)];
      if (k == instants_ - 1 && by_last.size() > 0 && place.order > 0)
        by_last.row(row_[at(evaluator_.partial_list()[p].equation)]) +=
            factor[at(place.order)][2] * value * free_.end.row(static_cast<Eigen::Index>(place.unknown));
      for (const int by : {-1, 0, 1}) {
        const int column = neighbour(k, by), offset = place.offset[at(by + 1)];
        if (offset < 0 || column < 0) continue;
        jac[at(begin(column, place.unknown, -by) + offset)] += factor[at(place.order)][at(by + 1)] * value;
      }
    }
  }
  if (free_.count() == 0) return;
  free_residual(x, r);
  fill_free(by_last, jac);
}

void SpaceTimeMesh::free_residual(const InstantValues& x, std::span<double> r) const {
  const Vector left_rest = free_.start * (x.row(1) - free_.rest).transpose();
  std::copy(left_rest.begin(), left_rest.end(), r.end() - free_.count());
}

void SpaceTimeMesh::fill_free(const Matrix& by_last, std::span<double> jac) const {
  const Eigen::Index m = free_.count();
  for (std::size_t j = 0; j < size_; ++j)
    if (!columns_[j].beside.empty())
      for (Eigen::Index i = 0; i < m; ++i)
        jac[at(start_place_[j]) + static_cast<std::size_t>(i)] = free_.start(i, static_cast<Eigen::Index>(j));
  auto place = jac.end() - m * static_cast<Eigen::Index>(free_rows_.size());
  for (Eigen::Index j = 0; j < m; ++j)
    for (const int i : free_rows_) *place++ = by_last(i, j);
}

InstantValues SpaceTimeMesh::moved(const InstantValues& x, const std::vector<double>& step, double length) const {
  InstantValues to = x;
  to.middleRows(first_unknown_, instants_) +=
      length * Eigen::Map<const InstantValues>(step.data(), instants_, x.cols());
  if (span_.ends == MotionEnds::periodic) to.row(span_.intervals) = to.row(0);
  if (free_.count() > 0) {
    const Eigen::Map<const Vector> along(step.data() + step.size() - oscillations(), free_.count());
    to.row(span_.intervals) += length * (free_.end * along).transpose();
  }
  return to;
}

Eigen::RowVectorXd units_of(const Dae& dae, const JetEvaluator& evaluator, const Eigen::RowVectorXd& largest) {
  constexpr double negligible = 1e-6;
  const NaturalUnits& natural = evaluator.units();
  const std::size_t count = dae.unknowns.size();
  const auto own = [&](std::size_t j) { return natural.unknown(j); };
  std::map<UnknownKind, double> of_kind;
  for (std::size_t j = 0; j < count; ++j) {
    double& most = of_kind[dae.unknowns[j].kind];
    most = std::max(most, largest[static_cast<Eigen::Index>(j)] / own(j));
  }
  Eigen::RowVectorXd unit = largest.cwiseMax(1e-300);
  for (std::size_t j = 0; j < count; ++j) {
    double& at_least = unit[static_cast<Eigen::Index>(j)];
    at_least = std::max(at_least, negligible * of_kind[dae.unknowns[j].kind] * own(j));
  }
  return unit;
}

SpaceTimeMesh::Iteration SpaceTimeMesh::solve(double part, InstantValues& x, const Goal& goal) {
  constexpr int max_iterations = 40;
  constexpr double rounding = 1e-7, shortest = 1.0 / 64.0, hopeless = 1e5, stays = 0.1, swift = 0.1;
  part_ = part;
  std::vector<double> r(static_cast<std::size_t>(pattern_.rows)), jac(pattern_.size()), step, next;
  const auto newton_step = [&](std::vector<double>& to) {
    to = r;
    for (double& value : to) value = -value;
    return solve_linear(to, units(x.cwiseAbs().colwise().maxCoeff()).transpose());
  };
  for (int n = 1; n <= max_iterations; ++n) {
    poll_interrupt();
    fill(x, r, jac);
    if (!factor(jac)) return {false, n};
    poll_interrupt();
    if (!newton_step(step)) return {false, n};
    const Eigen::Map<const InstantValues> change(step.data(), instants_, x.cols());
    const Eigen::RowVectorXd unit =
        units(x.cwiseAbs().colwise().maxCoeff().cwiseMax(change.cwiseAbs().colwise().maxCoeff()));
    const auto size = [&](const std::vector<double>& of) {
      const Eigen::Map<const InstantValues> all(of.data(), instants_, x.cols());
      return (all.array().rowwise() / unit.array()).matrix().norm() / std::sqrt(static_cast<double>(all.size()));
    };
    double before = size(step), after = 0.0, length = 1.0;
    if (!std::isfinite(before) || before > goal.farthest) return {false, n};
    InstantValues trial;
    const auto try_out = [&](double by) {
      trial = moved(x, step, by);
      find_residual(trial, r);
      after = newton_step(next) ? size(next) : std::numeric_limits<double>::infinity();
    };
    for (; length >= shortest; length /= 2.0) {
      try_out(length);
      if (after <= (1.0 - length / 4.0) * before || (length == 1.0 && after < rounding)) break;
      if (after > hopeless * before) return {false, n};
    }
    if (length < shortest) return {false, n};
    x = trial;
    // Where the same matrix does for the next step, too, it is taken.
    while (length == 1.0) {
      const double left = after * std::max(after / before, by_instants_ ? linear_accuracy : 0.0);
      const bool settled = after < goal.accuracy || (after < rounding && after > stays * before),
                 swiftly = after < swift * before;
      if (settled || (swiftly && left < goal.accuracy)) {
        x = moved(x, next, 1.0);
        return {true, n};
      }
      if (!swiftly) break;
      before = after;
      std::swap(step, next);
      try_out(1.0);
      if (!(after < before)) break;
      x = trial;
    }
  }
  return {false, max_iterations};
}

void SpaceTimeMesh::jet_at(const InstantValues& x, Eigen::Index k, Jet& jet) const {
  const Eigen::Index last = span_.intervals;
  const bool at_end = k == 0 || k == last, periodic = span_.ends == MotionEnds::periodic;
  const Eigen::Index earlier = k > 0 ? k - 1 : last - 1, later = k < last ? k + 1 : 1;
  jet.t = span_.first + static_cast<double>(k) * span_.h;
  jet.x.resize(size_);
  for (std::size_t j = 0; j < size_; ++j) {
    const auto c = static_cast<Eigen::Index>(j);
    if (dae_.unknowns[j].kind != UnknownKind::coordinate) {
      jet.x[j] = {x(k, c)};
      continue;
    }
    if (at_end && !periodic) {
      jet.x[j] = {x(k, c), 0.0, 0.0};
      continue;
    }
    const double before = x(earlier, c), now = x(k, c), after = x(later, c);
    jet.x[j] = {now, (after - before) / (2.0 * span_.h), ((after - now) - (now - before)) / (span_.h * span_.h)};
  }
}

}  // namespace invar
