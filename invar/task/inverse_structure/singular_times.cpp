// See singular_times.h.
#include "invar/task/inverse_structure/singular_times.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "invar/dae/derivative_array.h"
#include "invar/dae/stages.h"
#include "invar/math/decompositions.h"
#include "invar/math/svd.h"
#include "invar/task/inverse_structure/impossible.h"

namespace invar {

namespace {

constexpr std::size_t most_samples = 400;
// Located to some 1e-10 of the interval, an instant shows a condition of that order; a regular one at least 1e-3.
constexpr double singular_below = 1e-6;
constexpr double suspicious_below = 1e-2;  // compared with neighbours

struct Sample {
  double sign;       // of det J, up to one that never changes
  double condition;  // reciprocal, estimated; the worst of the diagonal blocks, of which one is singular if J is
};

class Along {
 public:
  // Rows and columns are scaled alike all along the path, so that a row that vanishes at one instant is noticed.
  Along(const InverseStructure& s, const std::vector<Jet>& jets, const std::vector<std::size_t>& samples)
      : jets_(jets), solver_(*s.evaluator, s.formal) {
    for (const std::vector<int>& equations : s.formal.blocks) {
      blocks_.push_back({equations, {}});
      for (const int i : equations) blocks_.back().unknowns.push_back(s.formal.partner[static_cast<std::size_t>(i)]);
    }
    const auto n = static_cast<Eigen::Index>(s.dae.unknowns.size());
    Matrix largest = Matrix::Zero(n, n);
    for (std::size_t k : samples) {
      const Matrix J = solver_.system_jacobian(jets[k]);
      if (J.allFinite()) largest = largest.cwiseMax(J.cwiseAbs());
    }
    row_ = column_ = Vector::Ones(n);
    for (int sweep = 0; sweep < 10; ++sweep) {  // each halves the logarithm of what is left
      row_ = row_.cwiseProduct(
          (row_.asDiagonal() * largest * column_.asDiagonal()).rowwise().maxCoeff().unaryExpr(&scale));
      column_ = column_.cwiseProduct(
          (row_.asDiagonal() * largest * column_.asDiagonal()).colwise().maxCoeff().transpose().unaryExpr(&scale));
    }
  }

  Sample sample(const Jet& jet) {
    const Matrix J = scaled(jet);
    if (!J.allFinite()) return {0.0, 0.0};
    Sample all{1.0, 1.0};
    for (const DiagonalBlock& block : blocks_) {
      const Eigen::PartialPivLU<Matrix> lu(J(block.equations, block.unknowns));
      all.sign *= static_cast<double>(lu.permutationP().determinant());
      for (Eigen::Index i = 0; i < lu.rows(); ++i) {
        const double pivot = lu.matrixLU()(i, i);
        all.sign *= pivot > 0.0 ? 1.0 : pivot < 0.0 ? -1.0 : 0.0;
      }
      all.condition = std::min(all.condition, lu.rows() == 1 ? std::abs(lu.matrixLU()(0, 0)) : lu.rcond());
    }
    return all;
  }
  Sample sample(double t) { return sample(at(t)); }

  // The expansion of the nearest jet, with enough derivatives to be smooth between jets.
  Jet at(double t) {
    auto after = std::lower_bound(jets_.begin(), jets_.end(), t, [](const Jet& jet, double x) { return jet.t < x; });
    if (after == jets_.end()) --after;
    if (after != jets_.begin() && t - std::prev(after)->t < after->t - t) --after;
    if (after->t != expanded_.t || expanded_.x.empty()) {
      constexpr int more = 5;
      expanded_ = *after;
      if (solver_.solve(expanded_, more).status != JetResult::Status::converged) expanded_ = *after;
    }
    return shifted(expanded_, t);
  }

  double condition(double t) {
    const Matrix J = scaled(at(t));
    if (!J.allFinite()) return 0.0;
    const Vector values = svd(J).values;
    return values[values.size() - 1] / std::max(values[0], 1e-300);
  }

  // Where the sign changes between a and b.
  double bisect(double a, double b) {
    const double first = sample(a).sign;
    for (int k = 0; k < 40; ++k) {
      const double m = 0.5 * (a + b);
      (sample(m).sign == first ? a : b) = m;
    }
    return 0.5 * (a + b);
  }
  // Where the condition is worst between a and b, by the golden section.
  double worst(double a, double b) {
    constexpr double golden = 0.6180339887498949;
    for (int k = 0; k < 50; ++k) {
      const double left = b - golden * (b - a), right = a + golden * (b - a);
      if (sample(left).condition < sample(right).condition)
        b = right;
      else
        a = left;
    }
    return 0.5 * (a + b);
  }

  // Unknowns in the null space of J.
  std::vector<int> open(double t) {
    const Matrix J = scaled(at(t));
    if (!J.allFinite()) return {};
    const Vector null = svd(J).V.rightCols(1).cwiseAbs();
    std::vector<int> unknowns;
    for (Eigen::Index j = 0; j < null.size(); ++j)
      if (null[j] > 0.2 * null.maxCoeff()) unknowns.push_back(static_cast<int>(j));
    return unknowns;
  }

 private:
  static double scale(double x) { return x > 0.0 ? 1.0 / std::sqrt(x) : 1.0; }
  Matrix scaled(const Jet& jet) { return row_.asDiagonal() * solver_.system_jacobian(jet) * column_.asDiagonal(); }

  struct DiagonalBlock {
    std::vector<int> equations, unknowns;
  };
  const std::vector<Jet>& jets_;
  StagedSolver solver_;
  Jet expanded_;
  std::vector<DiagonalBlock> blocks_;
  Vector row_, column_;
};

std::vector<std::size_t> samples(const std::vector<Jet>& jets) {
  const std::size_t stride = (jets.size() + most_samples - 1) / most_samples;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < jets.size(); k += stride) places.push_back(k);
  if (places.back() + 1 != jets.size()) places.push_back(jets.size() - 1);
  return places;
}

// Instants worth a closer look, located.
std::vector<double> candidates(Along& path, const std::vector<Jet>& jets, const std::vector<std::size_t>& place) {
  std::vector<Sample> sample;
  for (std::size_t k : place) sample.push_back(path.sample(jets[k]));
  std::vector<double> list;
  for (std::size_t k = 0; k < place.size(); ++k) {
    const double t = jets[place[k]].t;
    const bool is_last = k + 1 == place.size();
    if (!is_last && sample[k].sign * sample[k + 1].sign < 0.0) list.push_back(path.bisect(t, jets[place[k + 1]].t));
    const double before = k > 0 ? sample[k - 1].condition : sample[k].condition,
                 after = is_last ? sample[k].condition : sample[k + 1].condition;
    if (sample[k].condition > std::min(before, after)) continue;
    if (k == 0 || is_last)
      list.push_back(t);
    else if (sample[k].condition < suspicious_below * std::max(before, after) || sample[k].condition < singular_below)
      list.push_back(path.worst(jets[place[k - 1]].t, jets[place[k + 1]].t));
  }
  return list;
}

std::vector<std::string> vanishing(const InverseStructure& s, const std::vector<Jet>& jets, const Jet& at) {
  constexpr double zero = 1e-4;
  std::vector<std::string> names;
  for (std::size_t j = 0; j < s.dae.unknowns.size(); ++j) {
    if (s.dae.unknowns[j].kind != UnknownKind::multiplier) continue;
    double largest = 0.0;
    for (const Jet& jet : jets) largest = std::max(largest, std::abs(jet.x[j][0]));
    if (std::abs(at.x[j][0]) < zero * largest) names.push_back(s.dae.unknowns[j].name);
  }
  return names;
}

}  // namespace

std::vector<SingularTime> singular_times(const InverseStructure& s, const std::vector<Jet>& jets) {
  if (s.hidden || jets.empty()) return {};
  const std::vector<std::size_t> places = samples(jets);
  Along path(s, jets, places);
  std::vector<double> found = candidates(path, jets, places);
  std::erase_if(found, [&](double t) { return path.condition(t) > singular_below; });
  if (s.singular_start) found.push_back(jets.front().t);
  std::sort(found.begin(), found.end());
  const double same = 1e-3 * (jets.back().t - jets.front().t);
  std::vector<SingularTime> list;
  for (double t : found) {
    if (!list.empty() && t - list.back().t <= same) continue;
    std::vector<std::string> coordinates, others;
    for (int j : path.open(t)) {
      const DaeUnknown& x = s.dae.unknowns[static_cast<std::size_t>(j)];
      (x.kind == UnknownKind::coordinate ? coordinates : others).push_back(x.name);
    }
    list.push_back({t, coordinates.empty() ? others : coordinates, vanishing(s, jets, path.at(t))});
  }
  return list;
}

std::optional<double> structure_lost(const InverseStructure& s, const std::vector<Jet>& jets) {
  constexpr std::size_t most = 40;
  if (!s.hidden) return {};
  StagedSolver solver(*s.evaluator, s.formal);
  for (std::size_t k = 0; k < jets.size(); k += 1 + jets.size() / most)
    if (solver.condition(jets[k]) > singular_below) return jets[k].t;
  return {};
}

// Instants at which the same multipliers vanish are told together.
std::string in_words(const std::vector<SingularTime>& times) {
  std::string text;
  for (std::size_t first = 0, end = 0; first < times.size(); first = end) {
    std::string list;
    std::vector<std::string> open, why;
    while (end < times.size() && times[end].vanishing == times[first].vanishing) ++end;
    for (std::size_t k = first; k < end; ++k) {
      list += fmt::format("{}{:.4g}", k == first ? "" : k + 1 == end ? " and " : ", ", times[k].t);
      for (const std::string& name : times[k].open)
        if (std::find(open.begin(), open.end(), name) == open.end()) open.push_back(name);
    }
    const std::vector<std::string>& zero = times[first].vanishing;
    if (!zero.empty()) why.push_back(fmt::format("{} {} zero", listed(zero), zero.size() == 1 ? "is" : "are"));
    if (!open.empty()) why.push_back(fmt::format("{} {} left open", listed(open), open.size() == 1 ? "is" : "are"));
    text += fmt::format("{}t = {} s{}", first == 0 ? "" : "; ", list,
                        why.empty() ? std::string() : fmt::format(" ({})", fmt::join(why, ", ")));
  }
  return text;
}

}  // namespace invar
