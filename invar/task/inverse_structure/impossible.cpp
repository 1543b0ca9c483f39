// See impossible.h.
#include "invar/task/inverse_structure/impossible.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/math/svd.h"

namespace invar {

namespace {

std::vector<std::string> names_of(const Dae& dae, const std::vector<int>& equations, EquationKind kind) {
  std::vector<std::string> names;
  for (int i : equations) {
    const DaeEquation& e = dae.equations[static_cast<std::size_t>(i)];
    if (e.kind == kind) names.push_back(e.name);
  }
  return names;
}

std::vector<std::string> unknowns_of(const Dae& dae, const std::vector<int>& unknowns) {
  std::vector<std::string> names;
  for (int j : unknowns) names.push_back(dae.unknowns[static_cast<std::size_t>(j)].name);
  return names;
}

std::vector<std::string> inputs_of(const Dae& dae) {
  std::vector<std::string> names;
  for (const DaeUnknown& x : dae.unknowns)
    if (x.kind == UnknownKind::input) names.push_back(x.name);
  return names;
}

// `output "a"` and `output "b"` become `outputs "a" and "b"`.
std::string outputs_in_words(const std::vector<std::string>& names) {
  std::vector<std::string> bare;
  for (const std::string& name : names) bare.push_back(name.substr(std::string("output \"").size()));
  for (std::string& name : bare) name.pop_back();
  return fmt::format("{} {}", bare.size() == 1 ? "output" : "outputs", listed(bare));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

[[noreturn]] void refuse_unreachable(const Dae& dae, const std::string& output, const char* why) {
  const std::vector<std::string> inputs = inputs_of(dae);
  throw InputError(fmt::format("cannot be inverted: {} is out of reach of {} {}: {}", output,
                               inputs.size() == 1 ? "input" : "inputs", listed(inputs), why));
}

// Equations that an unmatched one leads to along alternating paths, itself included, and the unknowns on the way.
struct Overdetermined {
  std::vector<int> equations, unknowns;
};

Overdetermined overdetermined(const Signature& signature, const Offsets& offsets, int unmatched) {
  std::vector<int> equation_of(signature.order.size(), -1);
  for (std::size_t i = 0; i < offsets.partner.size(); ++i)
    if (offsets.partner[i] >= 0) equation_of[static_cast<std::size_t>(offsets.partner[i])] = static_cast<int>(i);
  Overdetermined part{{unmatched}, {}};
  for (std::size_t next = 0; next < part.equations.size(); ++next) {
    const std::vector<int>& row = signature.order[static_cast<std::size_t>(part.equations[next])];
    for (std::size_t j = 0; j < row.size(); ++j) {
      const int unknown = static_cast<int>(j);
      if (row[j] == Signature::absent ||
          std::find(part.unknowns.begin(), part.unknowns.end(), unknown) != part.unknowns.end())
        continue;
      part.unknowns.push_back(unknown);
      part.equations.push_back(equation_of[j]);
    }
  }
  std::sort(part.equations.begin(), part.equations.end());
  std::sort(part.unknowns.begin(), part.unknowns.end());
  return part;
}

// Which equations have rows in the array that depend on each other.
class LeftNullSpace {
 public:
  LeftNullSpace(JetEvaluator& evaluator, const Offsets& offsets, const Jet& jet, int k)
      : shape_(array_shape(offsets, k, evaluator.units())), equations_(static_cast<Eigen::Index>(offsets.c.size())) {
    const Matrix null = left_null_space(evaluator.array(jet, shape_.rows, shape_.columns));
    joins_ = Matrix::Zero(equations_, equations_);
    const Matrix P = null * null.transpose();
    for (Eigen::Index a = 0; a < P.rows(); ++a)
      for (Eigen::Index b = 0; b < P.cols(); ++b) {
        double& joint =
            joins_(shape_.rows[static_cast<std::size_t>(a)].index, shape_.rows[static_cast<std::size_t>(b)].index);
        joint = std::max(joint, std::abs(P(a, b)));
      }
  }

  // Everything that P joins to this equation, itself included; nothing if its rows are independent of all others.
  std::vector<int> together_with(int equation) const {
    constexpr double joined_above = 1e-3;
    if (joins_(equation, equation) < joined_above) return {};
    std::vector<int> part = {equation};
    for (std::size_t next = 0; next < part.size(); ++next)
      for (Eigen::Index i = 0; i < equations_; ++i)
        if (joins_(part[next], i) > joined_above &&
            std::find(part.begin(), part.end(), static_cast<int>(i)) == part.end())
          part.push_back(static_cast<int>(i));
    std::sort(part.begin(), part.end());
    return part;
  }

 private:
  // A poor unit of time makes rows look dependent that are not, hardly the other way round: the highest rank counts.
  Matrix left_null_space(const Matrix& A) const {
    Matrix null = Matrix::Identity(A.rows(), A.rows());
    for (const double tau : {1.0, 0.1, 0.3, 3.0, 10.0}) {
      const ArrayScale scale = array_scale(A, shape_, tau);
      const Svd parts = svd(scale.row.asDiagonal() * A * scale.column.asDiagonal());
      Eigen::Index rank = 0;
      while (rank < parts.values.size() && parts.values[rank] > array_rank_tolerance * parts.values[0]) ++rank;
      if (A.rows() - rank < null.cols()) null = parts.U.rightCols(A.rows() - rank);
    }
    return null;
  }

  ArrayShape shape_;
  Eigen::Index equations_;
  Matrix joins_;  // largest entry of P between the rows of two equations
};

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back("\"" + name + "\"");
  return joined(quoted);
}

// Equations i and unknowns i belong together: the dynamics of a coordinate, the constraint of a multiplier. What stands
// in an equation influences what belongs to it.
void require_influence(const Dae& dae, const Signature& signature) {
  const std::size_t n = dae.unknowns.size();
  std::vector<bool> reached(n, false);
  for (std::size_t j = 0; j < n; ++j) reached[j] = dae.unknowns[j].kind == UnknownKind::input;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (reached[i] || dae.equations[i].kind == EquationKind::servo) continue;
      for (std::size_t j = 0; j < n && !reached[i]; ++j)
        reached[i] = reached[j] && signature.order[i][j] != Signature::absent;
      moved = moved || reached[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (dae.equations[i].kind != EquationKind::servo) continue;
    bool influenced = false;
    for (std::size_t j = 0; j < n; ++j)
      influenced = influenced || (reached[j] && signature.order[i][j] != Signature::absent);
    if (!influenced) refuse_unreachable(dae, dae.equations[i].name, "no mass, force or constraint joins it to them");
  }
}

void refuse_structure(const Dae& dae, const Signature& signature, const Offsets& offsets) {
  const Overdetermined part = overdetermined(signature, offsets, offsets.unmatched_equations.front());
  const std::vector<std::string> outputs = names_of(dae, part.equations, EquationKind::servo),
                                 fixed = names_of(dae, part.equations, EquationKind::constraint),
                                 moving = names_of(dae, part.equations, EquationKind::dynamics);
  std::vector<std::string> others = fixed;
  others.insert(others.end(), moving.begin(), moving.end());
  const std::string who = outputs.empty() ? joined(others) : outputs_in_words(outputs);
  if (part.unknowns.empty()) throw InputError(fmt::format("cannot be inverted: {} contains no coordinate", who));
  std::string why = outputs.size() > 1 ? " depend on each other: they" : " cannot be prescribed: it";
  if (!others.empty()) why += fmt::format("{} {}", others.size() > 1 ? "," : " and", joined(others));
  if (outputs.empty()) why.clear();
  throw InputError(fmt::format("cannot be inverted: {}{} are {} equations for {} alone, while {} no task", who, why,
                               part.equations.size(), listed(unknowns_of(dae, part.unknowns)),
                               listed(unknowns_of(dae, offsets.unmatched_unknowns)) +
                                   (offsets.unmatched_unknowns.size() == 1 ? " has" : " have")));
}

void refuse_array(const Dae& dae, const Offsets& offsets, const ArrayVerdict& verdict, JetEvaluator& evaluator,
                  const Jet& jet) {
  const bool contradiction = verdict.status == ArrayVerdict::Status::inconsistent;
  for (int k = 0; k <= verdict.k; ++k) {
    const LeftNullSpace space(evaluator, offsets, jet, k);
    for (std::size_t i = 0; i < dae.equations.size(); ++i) {
      if (dae.equations[i].kind != EquationKind::servo) continue;
      const std::vector<int> part = space.together_with(static_cast<int>(i));
      const std::vector<std::string> outputs = names_of(dae, part, EquationKind::servo),
                                     constraints = names_of(dae, part, EquationKind::constraint);
      if (outputs.empty()) continue;
      if (outputs.size() > 1)
        throw InputError(fmt::format(
            "cannot be inverted: {} depend on each other{}", outputs_in_words(outputs),
            contradiction ? ", and their trajectories contradict that" : ", so they do not determine the inputs"));
      if (names_of(dae, part, EquationKind::dynamics).empty() && !constraints.empty())
        throw InputError(fmt::format("cannot be inverted: {} is fixed by {} already", outputs[0], joined(constraints)));
      refuse_unreachable(dae, outputs[0],
                         contradiction ? "it moves by itself, and not along its trajectory"
                                       : "whatever they do, its motion is the same");
    }
  }
  std::vector<std::string> names;
  for (int i : verdict.contradicting_equations) names.push_back(dae.equations[static_cast<std::size_t>(i)].name);
  if (contradiction)
    throw InputError(fmt::format(
        "cannot be inverted: no motion follows these trajectories, since {} contradict each other", joined(names)));
  std::vector<std::string> open;
  for (const Derivative& z : verdict.undetermined)
    open.push_back(dae.unknowns[static_cast<std::size_t>(z.index)].name +
                   std::string(static_cast<std::size_t>(z.order), '\''));
  throw InputError(fmt::format("cannot be inverted: the outputs do not determine {}", listed(open)));
}

}  // namespace invar
