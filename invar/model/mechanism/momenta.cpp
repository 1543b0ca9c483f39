// See momenta.h. "Does not notice" is decided by numbers, at a few random points.
#include "invar/model/mechanism/momenta.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <unordered_map>

#include "invar/expr/derivative.h"
#include "invar/expr/symbol_places.h"
#include "invar/model/mechanism/frame.h"
#include "invar/system/equations.h"
#include "invar/system/state_function.h"

namespace invar {

namespace {

// A sum that ought to vanish, and the sum of the sizes of its terms.
struct Candidate {
  std::string what;  // "gravity", `constraint "slew.x"`
  Expr sum, size;

  void add(const Expr& a, const Expr& b) {
    if (a.is_constant(0.0) || b.is_constant(0.0)) return;
    sum += a * b;
    size += abs(a * b);
  }
};

// Which of these do not vanish at random points?
std::vector<bool> which_stay(const System& s, const std::vector<Candidate>& list) {
  constexpr int points = 4;
  constexpr double cancelled = 1e-10;  // of the terms, which random directors can make large
  Exprs formulas;
  for (const Candidate& c : list) formulas.insert(formulas.end(), {c.sum, c.size});
  // Given functions of time count with any value.
  Exprs from, to;
  for (const Expr& x : symbols(formulas))
    if (x.kind() == SymbolKind::reference) from.push_back(x), to.push_back(0.37 + 0.21 * x.order());
  StateFunction evaluate(s, substitute(formulas, from, to));
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  std::vector<bool> stays(list.size(), false);
  for (int k = 0; k < points; ++k) {
    State state{.t = uniform(random), .q = {}, .v = {}, .a = {}, .lambda = {}};
    for (auto* part : {&state.q, &state.v, &state.a})
      for (std::size_t i = 0; i < s.coordinates.size(); ++i) part->push_back(uniform(random));
    const std::vector<double> value = evaluate(state);
    for (std::size_t i = 0; i < list.size(); ++i)
      stays[i] = stays[i] || std::abs(value[2 * i]) > cancelled * value[2 * i + 1];
  }
  return stays;
}

// The first of them, or their number.
std::size_t first_that_stays(const System& s, const std::vector<Candidate>& list) {
  const std::vector<bool> stays = which_stay(s, list);
  return static_cast<std::size_t>(std::find(stays.begin(), stays.end(), true) - stays.begin());
}

Vec unit(std::size_t axis) {
  Vec e = {0.0, 0.0, 0.0};
  e[axis] = 1.0;
  return e;
}

// How coordinates that come with a constraint of their own change with those of the bodies.
void move_along(const Assembly& a, Exprs& delta) {
  const System& s = a.system;
  const SymbolPlaces q(positions(s));
  std::vector<Candidate> changes;
  std::vector<std::pair<std::size_t, Expr>> owners;  // with the slopes along themselves
  for (const Augmentation& named : a.augmented) {
    if (!named.massless) continue;
    const Expr& f = s.constraints[named.constraint].expr;
    Exprs x = symbols({&f, 1});
    std::erase_if(x, [&](const Expr& symbol) { return !q.contains(symbol); });
    const Exprs g = gradient(f, x);
    changes.push_back({"", 0.0, 0.0});
    owners.emplace_back(q.of(at(named.coordinate)), 1.0);
    for (std::size_t k = 0; k < x.size(); ++k)
      if (q.of(x[k]) == owners.back().first)
        owners.back().second = g[k];
      else
        changes.back().add(g[k], delta[q.of(x[k])]);
  }
  if (changes.empty()) return;
  const std::vector<bool> stays = which_stay(s, changes);
  for (std::size_t k = 0; k < owners.size(); ++k)
    if (stays[k]) delta[owners[k].first] = -1.0 * changes[k].sum / owners[k].second;
}

// A shift along an axis, or a turn about it, of all bodies.
Exprs motion_of_space(const Assembly& a, std::size_t axis, bool turn) {
  const System& s = a.system;
  Exprs delta(s.coordinates.size(), 0.0);
  const Vec e = unit(axis);
  for (const RigidBody& body : s.bodies) {
    const auto n = static_cast<std::size_t>(body.dimension);
    for (std::size_t i = 0; i < body.size() / n; ++i) {
      Vec x = {0.0, 0.0, 0.0};
      for (std::size_t c = 0; c < n; ++c) x[c] = at(s.coordinates[body.first + n * i + c]);
      const Vec change = turn ? cross(e, x) : i == 0 ? e : Vec{0.0, 0.0, 0.0};
      for (std::size_t c = 0; c < n; ++c) delta[body.first + n * i + c] = change[c];
    }
  }
  move_along(a, delta);
  return delta;
}

// The three components of a vector that turns with space change as e × x, which is zero where x is.
void turn_with_space(const System& s, std::size_t axis, std::vector<Candidate>& rows) {
  std::unordered_map<std::string, Expr> by_name;
  for (const Constraint& c : s.constraints) by_name.emplace(c.name, c.expr);
  auto find = [&](const std::string& name) {
    const auto found = by_name.find(name);
    return found == by_name.end() ? Expr(0.0) : found->second;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& name = s.constraints[i].name;
    if (s.constraints[i].level != Level::position || name.size() < 2 || name[name.size() - 2] != '.' ||
        name.back() < 'x' || name.back() > 'z')
      continue;
    const std::string stem = name.substr(0, name.size() - 1);
    const Vec change = cross(unit(axis), Vec{find(stem + "x"), find(stem + "y"), find(stem + "z")});
    rows[i].add(-1.0, change[static_cast<std::size_t>(name.back() - 'x')]);
  }
}

std::vector<Candidate> candidates(const System& s, const SparseExprs& G, const Exprs& delta,
                                  std::optional<std::size_t> turned_about) {
  std::vector<Candidate> list;
  const Exprs q = positions(s);
  Candidate potential{"gravity or a spring", 0.0, 0.0}, forces{"a force", 0.0, 0.0};
  const Exprs g = gradient(s.potential, q);
  for (std::size_t i = 0; i < q.size(); ++i) {
    potential.add(g[i], delta[i]);
    forces.add(s.forces[i], delta[i]);
  }
  list.push_back(potential);
  list.push_back(forces);
  for (const Input& u : s.inputs) {
    Candidate input{"input \"" + u.name + "\"", 0.0, 0.0};
    for (std::size_t i = 0; i < q.size(); ++i) input.add(u.direction[i], delta[i]);
    list.push_back(input);
  }
  std::vector<Candidate> rows;
  for (const Constraint& c : s.constraints) rows.push_back({"constraint \"" + c.name + "\"", 0.0, 0.0});
  for (std::size_t j = 0; j < q.size(); ++j)
    for (int k = G.pattern.start[j]; k < G.pattern.start[j + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k);
      rows[static_cast<std::size_t>(G.pattern.row[place])].add(G.value[place], delta[j]);
    }
  if (turned_about) turn_with_space(s, *turned_about, rows);
  list.insert(list.end(), rows.begin(), rows.end());
  return list;
}

// Formulas of which another answer would be given with other values of their parameters.
void note_what_parameters_decide(System s, const std::vector<Candidate>& list, std::size_t noticed, Exprs& decided) {
  Exprs formulas;
  for (const Candidate& c : list) formulas.push_back(c.sum);
  const Exprs all = symbols(formulas);
  if (std::ranges::none_of(all, [](const Expr& x) { return x.kind() == SymbolKind::parameter; })) return;
  double value = 0.37;
  for (Parameter& p : s.parameters) p.value = value += 0.618;
  if (first_that_stays(s, list) != noticed) decided.insert(decided.end(), formulas.begin(), formulas.end());
}

}  // namespace

void add_momenta(const Mechanism& mechanism, Assembly& assembly) {
  System& s = assembly.system;
  const Exprs p = gradient(s.kinetic, velocities(s));
  const SparseExprs G = equations(s).gradient;
  for (const bool turn : {false, true})
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (mechanism.dimension == 2 && (axis == 2) != turn) continue;
      const Exprs delta = motion_of_space(assembly, axis, turn);
      Expr momentum = 0.0;
      for (std::size_t i = 0; i < p.size(); ++i)
        if (!p[i].is_constant(0.0)) momentum += p[i] * delta[i];
      const std::vector<Candidate> all = candidates(s, G, delta, turn ? std::optional(axis) : std::nullopt);
      const std::size_t noticed = first_that_stays(s, all);
      note_what_parameters_decide(s, all, noticed, assembly.decided);
      const std::string who = noticed < all.size() ? all[noticed].what : "";
      s.momenta.push_back({(turn ? "angular_momentum." : "momentum.") + std::string(axis_names[axis]), momentum,
                           who.empty() ? "" : who + " changes it"});
    }
}

}  // namespace invar
