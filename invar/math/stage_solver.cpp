// See stage_solver.h. [Re −Im; Im Re] stands for a complex matrix, column by column the upper rows first.
#include "invar/math/stage_solver.h"

#include <Eigen/LU>
#include <algorithm>
#include <map>

#include "invar/base/error.h"
#include "invar/math/eigen_pairs.h"

namespace invar {
namespace {

struct Where {
  int stage = -1, place = -1;
};

std::vector<Where> where(const std::vector<std::vector<std::size_t>>& by_stage, std::size_t size) {
  std::vector<Where> result(size);
  for (std::size_t i = 0; i < by_stage.size(); ++i)
    for (std::size_t k = 0; k < by_stage[i].size(); ++k)
      result[by_stage[i][k]] = {static_cast<int>(i), static_cast<int>(k)};
  return result;
}

}  // namespace

StageSolver::StageSolver(const Pattern& pattern, const CoupledStages& stages) : stages_(stages) {
  find_entries(pattern);
  a_.resize(pattern_.size());
  b_.resize(pattern_.size());
  result_.resize(static_cast<std::size_t>(pattern.cols));
  find_systems();
}

StageSolver StageSolver::another() const {
  StageSolver result;
  result.stages_ = stages_;
  result.pattern_ = pattern_;
  result.entries_ = entries_;
  result.a_ = a_, result.b_ = b_, result.result_ = result_;
  for (const System& s : systems_)
    result.systems_.push_back({s.eigenvalue, s.from, s.to, s.solver.another(), s.values, s.right});
  return result;
}

void StageSolver::find_entries(const Pattern& pattern) {
  const std::size_t s = stages_.unknowns.size();
  const std::vector<Where> row = where(stages_.equations, static_cast<std::size_t>(pattern.rows)),
                           col = where(stages_.unknowns, static_cast<std::size_t>(pattern.cols));
  std::map<std::pair<int, int>, Entry> found;  // by column and row
  for (int j = 0; j < pattern.cols; ++j)
    for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e) {
      const Where r = row[static_cast<std::size_t>(pattern.row[e])], c = col[static_cast<std::size_t>(j)];
      expects(r.stage >= 0 && c.stage >= 0, "a stage for every unknown and equation");
      Entry& entry = found[{c.place, r.place}];
      entry.own.resize(s, -1);
      entry.other.resize(s, -1);
      const auto i = static_cast<std::size_t>(r.stage), k = static_cast<std::size_t>(c.stage);
      if (i == k) entry.own[i] = e;
      if (k == (i + 1) % s) entry.other[i] = e;
    }
  const int n = pattern.cols / static_cast<int>(s);
  pattern_.rows = pattern_.cols = n;
  for (auto& [at, entry] : found) {
    while (static_cast<int>(pattern_.start.size()) <= at.first)
      pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
    pattern_.row.push_back(at.second);
    entries_.push_back(std::move(entry));
  }
  while (static_cast<int>(pattern_.start.size()) <= n) pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
}

void StageSolver::find_systems() {
  const EigenPairs pairs = eigen_pairs(stages_.weight);
  const Eigen::MatrixXcd inverse = pairs.vectors.inverse();
  for (Eigen::Index k = 0; k < pairs.values.size(); ++k) {
    const std::complex<double> value = pairs.values[k];
    if (value.imag() < 0.0) continue;
    const bool real = value.imag() == 0.0;
    System system{value, {}, {}, LinearSolver(real ? pattern_ : doubled(), LinearSolver::Kind::automatic), {}, {}};
    for (Eigen::Index i = 0; i < pairs.values.size(); ++i) {
      system.from.push_back(inverse(k, i));
      system.to.push_back((real ? 1.0 : 2.0) * pairs.vectors(i, k));
    }
    system.values.resize((real ? 1 : 4) * pattern_.size());
    system.right.resize(static_cast<std::size_t>((real ? 1 : 2) * pattern_.cols));
    systems_.push_back(std::move(system));
  }
}

Pattern StageSolver::doubled() const {
  Pattern result;
  result.rows = result.cols = 2 * pattern_.cols;
  for (int half = 0; half < 2; ++half)
    for (int j = 0; j < pattern_.cols; ++j) {
      for (const int below : {0, pattern_.cols})
        for (int e = pattern_.start[j]; e < pattern_.start[j + 1]; ++e) result.row.push_back(pattern_.row[e] + below);
      result.start.push_back(static_cast<int>(result.row.size()));
    }
  return result;
}

bool StageSolver::factor(std::span<const double> values) {
  const std::size_t s = stages_.unknowns.size();
  const auto at = [values](int place) { return place < 0 ? 0.0 : values[static_cast<std::size_t>(place)]; };
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    double a = 0.0, b = 0.0;
    for (std::size_t i = 0; i < s; ++i) {
      const auto row = static_cast<Eigen::Index>(i), other = static_cast<Eigen::Index>((i + 1) % s);
      const double here = at(entries_[e].other[i]) / stages_.weight(row, other);
      a += at(entries_[e].own[i]) - stages_.weight(row, row) * here;
      b += here;
    }
    a_[e] = a / static_cast<double>(s);
    b_[e] = b / static_cast<double>(s);
  }
  return std::ranges::all_of(systems_, [this](System& system) { return factor(system); });
}

bool StageSolver::factor(System& system) const {
  const double re = system.eigenvalue.real(), im = system.eigenvalue.imag();
  if (system.is_real()) {
    for (std::size_t e = 0; e < a_.size(); ++e) system.values[e] = a_[e] + re * b_[e];
    return system.solver.factor(system.values);
  }
  double* const left = system.values.data();
  double* const right = left + 2 * a_.size();
  for (int j = 0; j < pattern_.cols; ++j) {
    const int first = pattern_.start[j], count = pattern_.start[j + 1] - first;
    for (int k = 0; k < count; ++k) {
      const auto e = static_cast<std::size_t>(first + k);
      const int upper = 2 * first + k, lower = upper + count;
      left[upper] = right[lower] = a_[e] + re * b_[e];
      left[lower] = im * b_[e];
      right[upper] = -im * b_[e];
    }
  }
  return system.solver.factor(system.values);
}

void StageSolver::solve(std::span<double> b) {
  std::ranges::fill(result_, 0.0);
  const auto n = static_cast<std::size_t>(pattern_.cols);
  for (System& system : systems_) {
    std::ranges::fill(system.right, 0.0);
    for (std::size_t i = 0; i < stages_.equations.size(); ++i)
      for (std::size_t k = 0; k < n; ++k) {
        const double value = b[stages_.equations[i][k]];
        system.right[k] += system.from[i].real() * value;
        if (!system.is_real()) system.right[n + k] += system.from[i].imag() * value;
      }
    system.solver.solve(system.right);
    for (std::size_t i = 0; i < stages_.unknowns.size(); ++i)
      for (std::size_t k = 0; k < n; ++k) {
        double& x = result_[stages_.unknowns[i][k]];
        x += system.to[i].real() * system.right[k];
        if (!system.is_real()) x -= system.to[i].imag() * system.right[n + k];
      }
  }
  std::ranges::copy(result_, b.begin());
}

double StageSolver::factor_work() const {
  double sum = 0.0;
  for (const System& system : systems_) sum += system.solver.factor_work();
  return sum;
}

double StageSolver::solve_work() const {
  double sum = 0.0;
  for (const System& system : systems_)
    sum += static_cast<double>(system.solver.factor_entries() + 4 * stages_.unknowns.size() * system.right.size());
  return sum;
}

}  // namespace invar
