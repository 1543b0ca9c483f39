// See singular_start.h.
#include "invar/task/inverse_structure/singular_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "invar/dae/natural_units.h"
#include "invar/dae/stages.h"
#include "invar/math/rank.h"
#include "invar/math/svd.h"
#include "invar/task/inverse_structure/impossible.h"

namespace invar {

namespace {

constexpr double far = 0.1, near = 1e-3;  // distances of probes, in natural units
constexpr double regular = 1e-9;          // reciprocal condition of J in a probe
constexpr double falls = 0.1;             // its part that is left at most from far to near; of a simple zero 0.01 is
constexpr std::uint64_t seeds = 4;

// What a probe moves away from the start.
enum class Moved { all, configuration, velocities };

struct Probe {
  Jet jet;
  double condition;
};

class Neighbourhood {
 public:
  Neighbourhood(const Dae& dae, JetEvaluator& evaluator, const Offsets& offsets, const Jet& start)
      : dae_(dae), evaluator_(evaluator), offsets_(offsets), start_(start), signature_(signature(dae)) {
    for (std::size_t j = 0; j < dae.unknowns.size(); ++j)
      if (dae.unknowns[j].kind == UnknownKind::coordinate) coordinates_.push_back(static_cast<int>(j));
    for (Derivatives& x : start_.x) x.resize(2, 0.0);
    for (std::size_t j = 0; j < dae.unknowns.size(); ++j)
      if (dae.unknowns[j].kind != UnknownKind::coordinate) start_.x[j] = {start.x[j][0]};
  }

  ~Neighbourhood() { evaluator_.disturb({}); }
  Neighbourhood(const Neighbourhood&) = delete;
  Neighbourhood& operator=(const Neighbourhood&) = delete;

  // A state near the start within the constraints; the outputs are where it has them, until the next call.
  Jet state(double distance, std::uint64_t seed, Moved moved, int orders) {
    evaluator_.disturb({});
    const Jet other = nearby(dae_, evaluator_, dae_.units, start_, distance, seed);
    Jet jet = start_;
    for (const int j : coordinates_) {
      const auto at = static_cast<std::size_t>(j);
      if (moved != Moved::velocities) jet.x[at][0] = other.x[at][0];
      jet.x[at][1] = moved == Moved::configuration ? 0.0 : other.x[at].size() > 1 ? other.x[at][1] : 0.0;
    }
    project(jet, 0);
    project(jet, 1);
    let_outputs_be(jet, moved == Moved::configuration ? 0.0 : distance, seed, orders);
    return jet;
  }

  std::optional<Probe> probe(double distance, std::uint64_t seed, Moved moved) {
    Jet jet = state(distance, seed, moved, 0);
    StagedSolver solver(evaluator_, offsets_);
    if (solver.solve(jet, 0).status != JetResult::Status::converged) return {};
    const double condition = solver.condition(jet);
    return Probe{std::move(jet), condition};
  }

  // The best conditioned of some.
  std::optional<Probe> best(double distance, Moved moved) {
    std::optional<Probe> found;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
      if (std::optional<Probe> p = probe(distance, seed, moved); p && (!found || p->condition > found->condition))
        found = std::move(p);
    return found;
  }

  // J in natural units.
  Matrix jacobian(const Jet& jet) {
    Matrix J = StagedSolver(evaluator_, offsets_).system_jacobian(jet);
    for (Eigen::Index i = 0; i < J.rows(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      J.row(i) *= dae_.units.equation(at, offsets_.c[at]);
      J.col(i) *= dae_.units.unknown(at, offsets_.d[at]);
    }
    return J;
  }

  // Gradients of constraints and outputs at position level, in natural units; which equations they belong to.
  Matrix gradients(const Jet& jet, std::vector<int>& equations) {
    std::vector<Derivative> rows;
    for (std::size_t i = 0; i < dae_.equations.size(); ++i)
      if (dae_.equations[i].kind != EquationKind::dynamics && order_of(i) == 0)
        rows.push_back({static_cast<int>(i), 0});
    equations.clear();
    for (const Derivative& row : rows) equations.push_back(row.index);
    return natural(jet, rows, 0);
  }

  const std::vector<int>& coordinates() const { return coordinates_; }

 private:
  int order_of(std::size_t i) const {
    return *std::max_element(signature_.order[i].begin(), signature_.order[i].end());
  }

  // Partials by coordinates (level 0) or velocities (level 1).
  Matrix natural(const Jet& jet, const std::vector<Derivative>& rows, int level) {
    std::vector<Derivative> columns;
    for (const int j : coordinates_) columns.push_back({j, level});
    Matrix A = evaluator_.array(jet, rows, columns);
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const Derivative& row = rows[static_cast<std::size_t>(i)];
      A.row(i) *= dae_.units.equation(static_cast<std::size_t>(row.index), row.order);
    }
    for (Eigen::Index j = 0; j < A.cols(); ++j)
      A.col(j) *= dae_.units.unknown(static_cast<std::size_t>(coordinates_[static_cast<std::size_t>(j)]), level);
    return A;
  }

  // The shortest way of coordinates, or of velocities, onto the constraints of that level, which are fewer than the
  // unknowns (so that math/newton.h does not apply).
  void project(Jet& jet, int level) {
    constexpr int iterations = 8;
    std::vector<Derivative> rows;
    for (std::size_t i = 0; i < dae_.equations.size(); ++i)
      if (dae_.equations[i].kind == EquationKind::constraint && order_of(i) <= level)
        rows.push_back({static_cast<int>(i), level - order_of(i)});
    if (rows.empty()) return;
    Matrix f;
    for (int k = 0; k < iterations; ++k) {
      evaluator_.residuals(jet, 1, f);
      Vector b(static_cast<Eigen::Index>(rows.size()));
      for (std::size_t i = 0; i < rows.size(); ++i)
        b[static_cast<Eigen::Index>(i)] = -f(rows[i].index, rows[i].order) *
                                          dae_.units.equation(static_cast<std::size_t>(rows[i].index), rows[i].order);
      const Matrix A = natural(jet, rows, level);
      if (!A.allFinite() || !b.allFinite()) return;
      const Vector step = least_norm(A, b);
      for (std::size_t j = 0; j < coordinates_.size(); ++j) {
        const auto at = static_cast<std::size_t>(coordinates_[j]);
        jet.x[at][static_cast<std::size_t>(level)] +=
            step[static_cast<Eigen::Index>(j)] * dae_.units.unknown(at, level);
      }
    }
  }

  // Disturbs the servo constraints so that they hold in this state; higher derivatives are moved at random.
  void let_outputs_be(const Jet& jet, double distance, std::uint64_t seed, int orders) {
    std::vector<std::vector<double>> by(dae_.equations.size());
    Matrix f;
    evaluator_.residuals(jet, 1, f);
    for (std::size_t i = 0; i < dae_.equations.size(); ++i) {
      const DaeEquation& e = dae_.equations[i];
      if (e.kind != EquationKind::servo) continue;
      std::mt19937_64 random(seed + std::hash<std::string>()(e.name));
      std::uniform_real_distribution<double> uniform(-distance, distance);
      for (int m = 0; m <= offsets_.c[i] + orders; ++m)
        by[i].push_back(m + order_of(i) <= 1 ? -f(static_cast<Eigen::Index>(i), m)
                                             : uniform(random) / dae_.units.equation(i, m));
    }
    evaluator_.disturb(std::move(by));
  }

  const Dae& dae_;
  JetEvaluator& evaluator_;
  const Offsets& offsets_;
  Jet start_;
  Signature signature_;
  std::vector<int> coordinates_;
};

std::vector<std::string> names(const Dae& dae, const std::vector<int>& unknowns) {
  std::vector<std::string> list;
  for (const int j : unknowns) list.push_back(dae.unknowns[static_cast<std::size_t>(j)].name);
  return list;
}

// Places whose entries stand out.
std::vector<int> prominent(const Vector& v) {
  constexpr double stands_out = 0.1;
  std::vector<int> places;
  for (Eigen::Index i = 0; i < v.size(); ++i)
    if (std::abs(v[i]) > stands_out * v.cwiseAbs().maxCoeff()) places.push_back(static_cast<int>(i));
  return places;
}

std::string output_name(const DaeEquation& e) {
  const std::size_t first = std::string("output \"").size();
  return e.name.substr(first, e.name.size() - first - 1);
}

// `outputs "x" and "y"`, and constraints if they take part.
std::string equations_in_words(const Dae& dae, const std::vector<int>& equations) {
  std::vector<std::string> outputs, others;
  for (const int i : equations) {
    const DaeEquation& e = dae.equations[static_cast<std::size_t>(i)];
    if (e.kind == EquationKind::servo) outputs.push_back(output_name(e));
    if (e.kind == EquationKind::constraint) others.push_back(e.name);
  }
  std::string text;
  for (const std::string& name : others) text += (text.empty() ? "" : ", ") + name;
  if (outputs.empty()) return text;
  return fmt::format("{}{}{} {}", text, text.empty() ? "" : " and ", outputs.size() == 1 ? "output" : "outputs",
                     listed(outputs));
}

// Outputs that the coordinates cannot move independently at the start, though they can nearby.
std::string lost_direction(const Dae& dae, Neighbourhood& around, const Jet& start, const Jet& probe) {
  constexpr double vanishes = 1e-7, clearly = 1e-5;  // the guess may be off by rounding of its digits
  std::vector<int> equations;
  const Matrix here = around.gradients(start, equations), there = around.gradients(probe, equations);
  if (here.size() == 0 || here.rows() > here.cols() || !here.allFinite() || !there.allFinite()) return {};
  const Svd at_start = svd(here), nearby_svd = svd(there);
  const Eigen::Index last = here.rows() - 1;
  if (at_start.values[last] > vanishes * at_start.values[0] || nearby_svd.values[last] < clearly * nearby_svd.values[0])
    return {};
  std::string combination;
  std::vector<std::string> outputs;
  const Vector left = at_start.U.col(last);
  double largest = 0.0;
  for (const int place : prominent(left)) {
    const auto i = static_cast<std::size_t>(equations[static_cast<std::size_t>(place)]);
    if (dae.equations[i].kind != EquationKind::servo) continue;
    outputs.push_back(output_name(dae.equations[i]));
    const double factor = left[place] * dae.units.equation(i);
    if (largest == 0.0) largest = factor;
    combination += fmt::format("{}{:.3g} {}", combination.empty() ? "" : " + ", factor / largest, outputs.back());
  }
  if (outputs.empty()) return {};
  std::vector<int> moving;
  for (const int place : prominent(nearby_svd.V.col(last)))
    moving.push_back(around.coordinates()[static_cast<std::size_t>(place)]);
  return fmt::format("in this configuration no velocity moves {}, which {} can move nearby",
                     outputs.size() == 1 ? fmt::format("output \"{}\"", outputs[0])
                                         : fmt::format("the combination {} of the outputs", combination),
                     listed(names(dae, moving)));
}

constexpr const char* elsewhere =
    "begin in another configuration, with [initial] values and trajectories away from this one";

// Which equations leave which unknowns open, by the null vectors of J next to the start.
SingularDegree by_null_vectors(const Dae& dae, Neighbourhood& around, const Probe& close, bool standstill) {
  const Svd parts = svd(around.jacobian(close.jet));
  const std::vector<int> equations = prominent(parts.U.rightCols(1)), unknowns = prominent(parts.V.rightCols(1));
  std::vector<int> inputs, coordinates;
  for (const int j : unknowns) {
    const UnknownKind kind = dae.unknowns[static_cast<std::size_t>(j)].kind;
    if (kind == UnknownKind::input) inputs.push_back(j);
    if (kind == UnknownKind::coordinate) coordinates.push_back(j);
  }
  const std::string who = equations_in_words(dae, equations),
                    open = listed(names(dae, coordinates.empty() ? unknowns : coordinates));
  if (standstill)
    return {fmt::format("at standstill {} left open by {}, though not in motion",
                        open + (coordinates.size() == 1 ? " is" : " are"), who.empty() ? "the equations" : who),
            {},
            "begin the trajectories with a small speed, and give [initial] velocities that fit"};
  if (!inputs.empty() && !who.empty())
    return {fmt::format("{} {} no grip on {} in this configuration", inputs.size() == 1 ? "input" : "inputs",
                        listed(names(dae, inputs)) + (inputs.size() == 1 ? " has" : " have"), who),
            {},
            elsewhere};
  return {fmt::format("in this configuration {} left open by {}", open + (coordinates.size() == 1 ? " is" : " are"),
                      who.empty() ? "the equations" : who),
          {},
          elsewhere};
}

std::string kind_nearby(int index, int freedom) {
  return fmt::format("nearby the index is {}, {}", index,
                     freedom == 0   ? std::string("and nothing is left to integrate")
                     : freedom == 1 ? std::string("with 1 state of internal dynamics")
                                    : fmt::format("with {} states of internal dynamics", freedom));
}

}  // namespace

std::string in_words(const SingularDegree& singular) {
  return fmt::format("the relative degree is singular at the start, t = 0: {}; {}; {}", singular.why, singular.nearby,
                     singular.what_to_do);
}

StartVerdict judge_start(const Dae& dae, JetEvaluator& evaluator, const Offsets& offsets, const Jet& guess) {
  Neighbourhood around(dae, evaluator, offsets, guess);
  const std::optional<Probe> there = around.best(far, Moved::all);
  if (!there || there->condition < regular) return {};
  std::optional<Probe> close = around.best(near, Moved::all);
  if (!close) return {};
  if (close->condition > falls * there->condition) return {{}, std::move(close->jet)};
  const std::optional<Probe> resting = around.best(far, Moved::configuration),
                             moving = around.best(far, Moved::velocities);
  const bool standstill = moving && moving->condition > regular && !(resting && resting->condition > regular);
  SingularDegree singular = by_null_vectors(dae, around, *close, standstill);
  singular.nearby = kind_nearby(offsets.index, offsets.degrees_of_freedom);
  if (!standstill)
    if (const std::string lost = lost_direction(dae, around, guess, there->jet); !lost.empty()) {
      singular.why = lost;
      singular.undecided = true;
    }
  return {singular, {}};
}

SingularDegree differs_nearby(const Dae& dae, JetEvaluator& evaluator, const Offsets& offsets, const Jet& start,
                              const ArrayVerdict& verdict) {
  constexpr int enough = 2;
  Neighbourhood around(dae, evaluator, offsets, start);
  std::optional<ArrayVerdict> other;
  int differing = 0;
  for (std::uint64_t seed = 1; seed <= seeds && differing < enough; ++seed) {
    Jet jet = around.state(far, seed, Moved::all, verdict.k + 1);
    const ArrayVerdict found = analyse_array(evaluator, offsets, dae, jet, verdict.k);
    if (found.status != ArrayVerdict::Status::determined) continue;
    if (found.k == verdict.k && found.degrees_of_freedom == verdict.degrees_of_freedom) return {};
    other = found;
    ++differing;
  }
  if (differing < enough) return {};
  return {fmt::format("there the index is {}", verdict.index), kind_nearby(other->index, other->degrees_of_freedom),
          elsewhere};
}

}  // namespace invar
