// See reduced_interval.h.
#include "invar/task/transcription/reduced_interval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "invar/system/nodal.h"
#include "invar/tape/function.h"

namespace invar {

namespace {

// Σ_i column_i row_i
Expr along(const Exprs& column, std::span<const Expr> rows) {
  Expr sum = 0.0;
  for (std::size_t i = 0; i < column.size(); ++i) sum += column[i] * rows[i];
  return sum;
}

// Columns of the null space at q. What follows the bodies moves so that the reactions of its own constraint do no work.
std::vector<Exprs> columns_at(const Equations& e, const Exprs& q, const SparseExprs& reactions) {
  std::vector<Exprs> columns;
  for (const Exprs& column : e.nodal->null_space) columns.push_back(at(e, column, {{}, q, {}, {}, {}, {}}));
  for (const NodalMap::Follower& f : e.nodal->followers) {
    const int own = static_cast<int>(f.coordinate), of = static_cast<int>(f.constraint);
    for (Exprs& column : columns) {
      Expr change = 0.0;
      for (std::size_t i = 0; i < column.size(); ++i)
        if (i != f.coordinate) change += reactions.at(static_cast<int>(i), of) * column[i];
      column[f.coordinate] = -change / reactions.at(own, of);
    }
  }
  return columns;
}

// "dynamics" of `dynamics of "x"`
std::string equation_kind(const std::string& name) { return name.substr(0, name.find(" of \"")); }

}  // namespace

class Reduction {
 public:
  Reduction(const IntervalSymbols& s, const System& system, const JointNodes& joints)
      : s_(s), joints_(joints), n_(s.e.q.size()), m_(s.e.lambda.size()) {
    known_ = parameters(system);
    known_values_ = parameter_values(system);
  }

  std::optional<ReducedInterval> make() {
    const bool fits = s_.e.nodal && m_ > 0 && s_.carried0.empty() && !s_.info.own_unknowns &&
                      s_.multipliers.size() == m_ && split_further() &&
                      std::ranges::all_of(s_.e.level, [](Level level) { return level == Level::position; });
    if (!fits || (!s_.info.velocity_at_nodes && (!s_.residual.kinematics || !r_.stages.empty()))) return std::nullopt;
    set_nodes();
    used_.assign(s_.residual.equations.size(), false);
    if (!r_.rates) keep_kinematics();
    if (!remove_reactions(s_.multipliers, 0)) return std::nullopt;
    for (const std::size_t place : further_multipliers_)
      if (!remove_reactions(further(place, m_), m_ + place)) return std::nullopt;
    for (std::size_t i = 0; i < used_.size(); ++i)
      if (!used_[i]) zeros_.push_back(s_.residual.equations[i]);
    zeros_ = r_.put(zeros_);
    const std::size_t unknown = r_.node1.size() + r_.inside().size();
    if (r_.residual.equations.size() != unknown || !vanish(zeros_)) return std::nullopt;
    return std::move(r_);
  }

 private:
  // Further unknowns are nodes inside the step, positions and velocities, and multipliers.
  bool split_further() {
    const auto kinds = std::span(s_.symbols.kinds).last(s_.further.size());
    const auto all = [&](std::size_t first, std::size_t count, std::initializer_list<Kind> some) {
      return first + count <= kinds.size() && std::ranges::all_of(kinds.subspan(first, count), [&](int kind) {
               return std::ranges::find(some, static_cast<Kind>(kind)) != some.end();
             });
    };
    for (std::size_t i = 0; i < kinds.size();) {
      if (all(i, n_, {Kind::position}) && all(i + n_, n_, {Kind::velocity})) {
        r_.stages.push_back({m_ + i, {}});
        i += 2 * n_;
      } else if (all(i, m_, {Kind::multiplier, Kind::correction})) {
        further_multipliers_.push_back(i);
        i += m_;
      } else {
        return false;
      }
    }
    return true;
  }

  Exprs further(std::size_t first, std::size_t count) const {
    const auto begin = s_.further.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
  }

  // The first of the n rows, one for each coordinate, that contain all of these multipliers and no other does.
  std::optional<std::size_t> block_of(const SparseExprs& c) const {
    if (c.pattern.row.empty()) return std::nullopt;
    const auto [least, most] = std::ranges::minmax(c.pattern.row);
    const std::string& name = s_.residual.names[static_cast<std::size_t>(least)];
    const auto coordinate = std::ranges::find_if(
        s_.step.coordinates, [&](const std::string& x) { return name.ends_with(" of \"" + x + "\""); });
    const auto first = least - static_cast<int>(coordinate - s_.step.coordinates.begin());
    if (coordinate == s_.step.coordinates.end() || first < 0) return std::nullopt;
    const auto begin = static_cast<std::size_t>(first);
    if (static_cast<std::size_t>(most) >= begin + n_ || begin + n_ > used_.size() || used_[begin]) return std::nullopt;
    return begin;
  }

  void set_nodes() {
    r_.rates = s_.info.velocity_at_nodes;
    r_.plain.assign(2 * n_, std::nullopt);
    r_.from_ = joined(s_.x0, s_.x1);
    for (Exprs* node : {&r_.node0, &r_.node1}) append(r_.to_, set_node(*node));
    for (ReducedInterval::Stage& stage : r_.stages) {
      append(r_.from_, further(stage.first - m_, 2 * n_));
      append(r_.to_, set_node(stage.symbols));
    }
  }

  // Configurations at the nodes and inside the step, and in its middle.
  std::vector<Exprs> configurations() const {
    std::vector<Exprs> all;
    for (auto q = r_.to_.begin(); q != r_.to_.end(); q += 2 * std::ssize(s_.e.q))
      all.emplace_back(q, q + std::ssize(s_.e.q));
    all.insert(all.begin(), mean(all[0], all[1]));
    return all;
  }

  // q and v of a node.
  Exprs set_node(Exprs& node) {
    const Exprs& mu = joints_.coordinates();
    const std::size_t speeds = r_.rates ? mu.size() : joints_.independent().size();
    for (std::size_t i = 0; i < mu.size() + speeds; ++i) node.push_back(s_.graph.parameter(fmt::format("node {}", i)));
    const Exprs places(node.begin(), node.begin() + std::ssize(mu)), rates(node.begin() + std::ssize(mu), node.end());
    Exprs x = substitute(joints_.image(), mu, places);
    append(x, r_.rates ? directional(x, places, rates) : combined(rates));
    for (std::size_t i = 0; i < x.size(); ++i) r_.plain[i] = std::nullopt;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (const auto found = std::ranges::find(node, x[i]); found != node.end())
        r_.plain[i] = static_cast<std::size_t>(found - node.begin());
    return x;
  }

  // All entries of a vector of which the independent ones are given.
  Exprs combined(const Exprs& independent) const {
    Exprs all(n_, 0.0);
    const Matrix& b = joints_.combination();
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < independent.size(); ++j)
        if (const double factor = b(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)); factor != 0.0)
          all[i] += factor * independent[j];
    return all;
  }

  void keep_kinematics() {
    const std::size_t first = *s_.residual.kinematics;
    Exprs kept, all;
    for (const std::size_t i : joints_.independent()) {
      kept.push_back(s_.residual.equations[first + i]);
      r_.residual.names.push_back(s_.residual.names[first + i]);
    }
    for (std::size_t i = 0; i < n_; ++i) {
      all.push_back(s_.residual.equations[first + i]);
      used_[first + i] = true;
    }
    append(zeros_, difference(all, combined(kept)));
    append(r_.residual.equations, r_.put(kept));
  }

  bool remove_reactions(const Exprs& lambda, std::size_t place) {
    const SparseExprs whole = jacobian(s_.residual.equations, lambda);
    const std::optional<std::size_t> first = block_of(whole);
    if (!first) return false;
    const std::span<const Expr> block = std::span(s_.residual.equations).subspan(*first, n_);
    SparseExprs c = jacobian(block, lambda);
    c.value = r_.put(c.value);
    Exprs rest = r_.put(substitute(block, lambda, Exprs(lambda.size(), 0.0)));
    for (const Exprs& q : configurations()) {
      std::vector<Exprs> columns = columns_at(s_.e, q, c);
      if (!free_of_reactions(columns, c)) continue;
      const auto begin = s_.residual.names.begin() + static_cast<std::ptrdiff_t>(*first);
      const std::size_t row = r_.residual.equations.size();
      for (std::size_t k = 0; k < columns.size(); ++k)
        r_.residual.add(fmt::format("{} of \"freedom {}\"", equation_kind(*begin), k + 1), along(columns[k], rest));
      std::fill_n(used_.begin() + static_cast<std::ptrdiff_t>(*first), n_, true);
      r_.reactions.push_back(
          {place, {begin, begin + std::ssize(rest)}, std::move(c), std::move(rest), row, std::move(columns)});
      return true;
    }
    return false;
  }

  bool free_of_reactions(const std::vector<Exprs>& columns, const SparseExprs& c) const {
    Exprs work;
    for (const Exprs& column : columns)
      for (int j = 0; j < c.pattern.cols; ++j) {
        Expr sum = 0.0;
        for (int k = c.pattern.start[static_cast<std::size_t>(j)]; k < c.pattern.start[static_cast<std::size_t>(j) + 1];
             ++k)
          sum += column[static_cast<std::size_t>(c.pattern.row[static_cast<std::size_t>(k)])] *
                 c.value[static_cast<std::size_t>(k)];
        work.push_back(sum);
      }
    return vanish(work);
  }

  // At points chosen at random, with the values of the parameters.
  bool vanish(const Exprs& formulas) const {
    constexpr double cancelled = 1e-11;  // of the largest intermediate value
    constexpr int points = 3;
    const Exprs inputs = symbols(formulas), all = joined(ordered(formulas), formulas);
    const Function function(inputs, all);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> in(inputs.size()), out(all.size());
    Scratch scratch;
    for (int k = 0; k < points; ++k) {
      for (std::size_t i = 0; i < inputs.size(); ++i) in[i] = value_of(inputs[i], uniform(random));
      function(in, out, scratch);
      const auto size = [](double a, double b) { return std::abs(a) < std::abs(b); };
      const double largest = std::abs(*std::ranges::max_element(out, size));
      for (const double x : std::span(out).last(formulas.size()))
        if (!(std::abs(x) <= cancelled * largest)) return false;
    }
    return true;
  }

  // Nodes near the start, one near the other; time and steps of size one.
  double value_of(const Expr& symbol, double random) const {
    if (const auto known = std::ranges::find(known_, symbol); known != known_.end())
      return known_values_[static_cast<std::size_t>(known - known_.begin())];
    std::vector<const Exprs*> nodes = {&r_.node0, &r_.node1};
    for (const ReducedInterval::Stage& stage : r_.stages) nodes.push_back(&stage.symbols);
    for (const Exprs* node : nodes)
      if (const auto found = std::ranges::find(*node, symbol); found != node->end()) {
        const auto i = static_cast<std::size_t>(found - node->begin());
        return i < joints_.start().size() ? joints_.start()[i] + 0.5 * random : random;
      }
    return 1.0 + 0.5 * random;
  }

  const IntervalSymbols& s_;
  const JointNodes& joints_;
  const std::size_t n_, m_;
  Exprs known_;
  std::vector<double> known_values_;
  ReducedInterval r_{};
  std::vector<std::size_t> further_multipliers_;  // first of each list
  std::vector<bool> used_;                        // rows of the scheme
  Exprs zeros_;
};

std::optional<ReducedInterval> ReducedInterval::of(const IntervalSymbols& s, const System& system,
                                                   const JointNodes& joints) {
  return Reduction(s, system, joints).make();
}

Exprs ReducedInterval::last_node() const {
  const auto begin = to_.begin() + std::ssize(plain);
  return {begin, begin + std::ssize(plain)};
}

Exprs ReducedInterval::inside() const {
  Exprs all;
  for (const Stage& stage : stages) append(all, stage.symbols);
  return all;
}

Exprs ReducedInterval::weights_of_scheme(const Exprs& weights) const {
  Exprs all(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(reactions.front().first_row));
  for (const Reactions& of : reactions) {
    Exprs rows(of.rest.size(), 0.0);
    for (std::size_t k = 0; k < of.columns.size(); ++k)
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += of.columns[k][i] * weights[of.first_row + k];
    append(all, rows);
  }
  return all;
}

std::vector<std::string> ReducedInterval::names_in_scheme() const {
  std::vector<std::string> all(residual.names.begin(),
                               residual.names.begin() + static_cast<std::ptrdiff_t>(reactions.front().first_row));
  for (const Reactions& of : reactions) all.insert(all.end(), of.names.begin(), of.names.end());
  return all;
}

Exprs ReducedInterval::momenta_at_end(const IntervalSymbols& s) const {
  const Exprs x = last_node();
  const auto middle = x.begin() + std::ssize(x) / 2;
  const Point end{s.step.n1.t, {x.begin(), middle}, {middle, x.end()}, {}, {}, s.u};
  SparseExprs reactions = jacobian(s.e.reaction, s.e.lambda);
  reactions.value = at(s.e, reactions.value, end);
  const Exprs p = at(s.e, s.e.momentum, end);
  Exprs rows;
  for (const Exprs& column : columns_at(s.e, end.q, reactions)) rows.push_back(along(column, p));
  return rows;
}

}  // namespace invar
