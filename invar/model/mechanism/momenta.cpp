// See momenta.h. "Does not notice" is decided by numbers, at a few random points.
#include "invar/model/mechanism/momenta.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <unordered_map>

#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/expr/symbol_places.h"
#include "invar/model/mechanism/frame.h"
#include "invar/system/state_function.h"

namespace invar {

namespace {

constexpr std::size_t nowhere = SymbolPlaces::none;

// A shift of space along an axis, or a turn about it.
struct MotionOfSpace {
  std::size_t axis;
  bool turn;

  // e × x, or e for a place that is shifted; in formulas or numbers.
  template <class T>
  std::array<T, 3> change(const std::array<T, 3>& x, bool is_place) const {
    std::array<T, 3> d = {T(0.0), T(0.0), T(0.0)};
    if (turn) {
      d[(axis + 1) % 3] = -x[(axis + 2) % 3];
      d[(axis + 2) % 3] = x[(axis + 1) % 3];
    } else if (is_place) {
      d[axis] = T(1.0);
    }
    return d;
  }
  // δq of the coordinates of all bodies, zero for others.
  template <class T>
  std::vector<T> of_bodies(const System& s, const std::vector<T>& q) const {
    std::vector<T> delta(q.size(), T(0.0));
    for (const RigidBody& body : s.bodies) {
      const auto n = static_cast<std::size_t>(body.dimension);
      for (std::size_t i = 0; i < body.size() / n; ++i) {
        std::array<T, 3> x = {T(0.0), T(0.0), T(0.0)};
        std::copy_n(q.begin() + static_cast<std::ptrdiff_t>(body.first + n * i), n, x.begin());
        const std::array<T, 3> d = change(x, i == 0);
        std::copy_n(d.begin(), n, delta.begin() + static_cast<std::ptrdiff_t>(body.first + n * i));
      }
    }
    return delta;
  }
};

// A sum that ought to vanish, and the sum of the sizes of its terms.
struct VanishingSum {
  double value = 0.0, size = 0.0;

  void add(double a, double b) {
    if (a == 0.0 || b == 0.0) return;
    value += a * b;
    size += std::abs(a * b);
  }
  bool stays() const {
    constexpr double cancelled = 1e-10;  // of the terms, which random directors can make large
    return std::abs(value) > cancelled * size;
  }
};

// All that may notice a motion of space: the weight, the other potential, which may be much larger, the forces, inputs
// and constraints, in this order. Each is a sum of slopes times δq.
class SpaceSlopes {
  static constexpr std::size_t first_input = 3;

 public:
  explicit SpaceSlopes(const Assembly& a)
      : system_(a.system), owner_(first_input + a.system.inputs.size() + a.system.constraints.size(), nowhere) {
    const System& s = system_;
    add(0, gradient(s.weight, positions(s)));
    add(1, gradient(a.other_potential, positions(s)));
    add(2, s.forces);
    for (std::size_t k = 0; k < s.inputs.size(); ++k) add(first_input + k, s.inputs[k].direction);
    add_constraints();
    const SymbolPlaces q(positions(s));
    for (const Augmentation& named : a.augmented)
      if (named.massless) owner_[of_constraint(named.constraint)] = q.of(at(named.coordinate));
    find_vectors();
    points_ = points(s);
    if (std::ranges::any_of(symbols(formulas_), [](const Expr& x) { return x.kind() == SymbolKind::parameter; })) {
      System other = s;
      double value = 0.37;
      for (Parameter& p : other.parameters) p.value = value += 0.618;
      with_other_parameters_ = points(other);
    }
  }

  // The first that notices, or their number.
  std::size_t first(const MotionOfSpace& motion) const { return first(motion, points_); }

  std::string name(std::size_t observer) const {
    const std::size_t inputs = system_.inputs.size();
    if (observer < first_input) return observer < 2 ? "gravity or a spring" : "a force";
    if (observer < first_input + inputs) return "input \"" + system_.inputs[observer - first_input].name + "\"";
    return "constraint \"" + system_.constraints[observer - first_input - inputs].name + "\"";
  }
  std::size_t count() const { return owner_.size(); }

  // How named coordinates that come with a constraint of their own change with those of the bodies, as formulas; only
  // where the kinetic energy has a slope p along their rates.
  void move_along(const MotionOfSpace& motion, const Exprs& p, Exprs& delta) const {
    const std::vector<bool> moves = moved_owners(motion, points_);
    std::unordered_map<std::size_t, std::pair<Expr, Expr>> sums;  // by observer: of the others, and the owner's slope
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      const auto [observer, coordinate] = terms_[k];
      const std::size_t owner = owner_[observer];
      if (owner == nowhere || !moves[observer] || p[owner].is_constant(0.0)) continue;
      auto& [others, own] = sums[observer];
      if (coordinate == owner)
        own = formulas_[k];
      else
        others += formulas_[k] * delta[coordinate];
    }
    for (const auto& [observer, sum] : sums) delta[owner_[observer]] = -1.0 * sum.first / sum.second;
  }

  // Formulas of which another answer would be given with other values of their parameters.
  Exprs decided_by_parameters(const MotionOfSpace& motion) const {
    if (with_other_parameters_.empty() || first(motion, with_other_parameters_) == first(motion)) return {};
    const std::vector<double> delta = moved(motion, points_[0], moved_owners(motion, points_));
    Exprs decided;
    for (std::size_t k = 0; k < terms_.size(); ++k)
      if (delta[terms_[k].coordinate] != 0.0 || owner_[terms_[k].observer] != nowhere) decided.push_back(formulas_[k]);
    return decided;
  }

 private:
  struct Term {
    std::size_t observer, coordinate;
  };
  struct Point {
    std::vector<double> q, slope;  // a slope per term, then the values of the constraints
  };

  std::size_t of_constraint(std::size_t c) const { return first_input + system_.inputs.size() + c; }
  void add(std::size_t observer, const Exprs& slopes) {
    for (std::size_t i = 0; i < slopes.size(); ++i) add(observer, i, slopes[i]);
  }
  void add(std::size_t observer, std::size_t coordinate, const Expr& slope) {
    if (slope.is_constant(0.0)) return;
    terms_.push_back({observer, coordinate});
    formulas_.push_back(slope);
  }

  // Gradients of the constraints, each along what its level is about: q, v or a.
  void add_constraints() {
    const System& s = system_;
    const std::size_t n = s.coordinates.size();
    Exprs f, x;
    for (const Constraint& c : s.constraints) f.push_back(c.expr);
    for (const Exprs& part : {positions(s), velocities(s), accelerations(s)}) append(x, part);
    const SparseExprs G = jacobian(f, x);
    for (std::size_t j = 0; j < x.size(); ++j)
      for (int k = G.pattern.start[j]; k < G.pattern.start[j + 1]; ++k) {
        const auto c = static_cast<std::size_t>(G.pattern.row[static_cast<std::size_t>(k)]);
        if (j / n == static_cast<std::size_t>(s.constraints[c].level))
          add(of_constraint(c), j % n, G.value[static_cast<std::size_t>(k)]);
      }
  }

  // Constraints NAME.x, NAME.y, NAME.z are the components of a vector, which turns with space.
  void find_vectors() {
    std::unordered_map<std::string, std::size_t> by_name;
    for (std::size_t c = 0; c < system_.constraints.size(); ++c) by_name.emplace(system_.constraints[c].name, c);
    for (std::size_t c = 0; c < system_.constraints.size(); ++c) {
      const std::string& name = system_.constraints[c].name;
      if (system_.constraints[c].level != Level::position || name.size() < 2 || name[name.size() - 2] != '.' ||
          name.back() < 'x' || name.back() > 'z')
        continue;
      Component component{c, static_cast<std::size_t>(name.back() - 'x'), {}};
      for (std::size_t i = 0; i < 3; ++i) {
        const auto found = by_name.find(name.substr(0, name.size() - 1) + axis_names[i]);
        component.vector[i] = found == by_name.end() ? nowhere : found->second;
      }
      components_.push_back(component);
    }
  }

  // Given functions of time count with any value.
  static std::vector<Point> evaluated(const System& s, Exprs formulas) {
    constexpr int points = 4;
    Exprs from, to;
    for (const Expr& x : symbols(formulas))
      if (x.kind() == SymbolKind::reference) from.push_back(x), to.push_back(0.37 + 0.21 * x.order());
    if (!from.empty()) formulas = substitute(formulas, from, to);
    StateFunction evaluate(s, formulas);
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform(-2.0, 2.0);
    std::vector<Point> all;
    for (int k = 0; k < points; ++k) {
      State state{.t = uniform(random), .q = {}, .v = {}, .a = {}, .lambda = {}};
      for (auto* part : {&state.q, &state.v, &state.a})
        for (std::size_t i = 0; i < s.coordinates.size(); ++i) part->push_back(uniform(random));
      all.push_back({state.q, evaluate(state)});
    }
    return all;
  }
  std::vector<Point> points(const System& with_values) const {
    Exprs formulas = formulas_;
    for (const Constraint& c : system_.constraints) formulas.push_back(c.expr);
    return evaluated(with_values, std::move(formulas));
  }

  // By observer: does its owner move with the bodies?
  std::vector<bool> moved_owners(const MotionOfSpace& motion, const std::vector<Point>& points) const {
    std::vector<bool> moves(owner_.size(), false);
    for (const Point& at : points) {
      const std::vector<VanishingSum> sums = of_others(motion.of_bodies(system_, at.q), at);
      for (std::size_t i = 0; i < sums.size(); ++i) moves[i] = moves[i] || sums[i].stays();
    }
    return moves;
  }
  // Of observers with an owner: what the other coordinates add.
  std::vector<VanishingSum> of_others(const std::vector<double>& delta, const Point& at) const {
    std::vector<VanishingSum> sums(owner_.size());
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      const auto [observer, coordinate] = terms_[k];
      if (owner_[observer] != nowhere && owner_[observer] != coordinate)
        sums[observer].add(at.slope[k], delta[coordinate]);
    }
    return sums;
  }
  // δq of all coordinates.
  std::vector<double> moved(const MotionOfSpace& motion, const Point& at, const std::vector<bool>& moves) const {
    std::vector<double> delta = motion.of_bodies(system_, at.q);
    const std::vector<VanishingSum> sums = of_others(delta, at);
    for (std::size_t k = 0; k < terms_.size(); ++k) {
      const auto [observer, coordinate] = terms_[k];
      if (owner_[observer] == coordinate && moves[observer]) delta[coordinate] = -sums[observer].value / at.slope[k];
    }
    return delta;
  }

  std::size_t first(const MotionOfSpace& motion, const std::vector<Point>& points) const {
    const std::vector<bool> moves = moved_owners(motion, points);
    std::size_t found = owner_.size();
    for (const Point& at : points) {
      const std::vector<double> delta = moved(motion, at, moves);
      std::vector<VanishingSum> sums(owner_.size());
      for (std::size_t k = 0; k < terms_.size(); ++k)
        sums[terms_[k].observer].add(at.slope[k], delta[terms_[k].coordinate]);
      if (motion.turn) turn_vectors(motion, at, sums);
      const auto stays = std::ranges::find_if(sums, &VanishingSum::stays);
      found = std::min(found, static_cast<std::size_t>(stays - sums.begin()));
    }
    return found;
  }
  // The components of such a vector change as e × x, which is zero where x is.
  void turn_vectors(const MotionOfSpace& motion, const Point& at, std::vector<VanishingSum>& sums) const {
    for (const Component& part : components_) {
      std::array<double, 3> x = {0.0, 0.0, 0.0};
      for (std::size_t i = 0; i < 3; ++i)
        if (part.vector[i] != nowhere) x[i] = at.slope[terms_.size() + part.vector[i]];
      sums[of_constraint(part.constraint)].add(-1.0, motion.change(x, false)[part.axis]);
    }
  }

  struct Component {
    std::size_t constraint, axis;
    std::array<std::size_t, 3> vector;  // constraints
  };
  const System& system_;
  std::vector<std::size_t> owner_;  // by observer: the coordinate that has this constraint for itself
  std::vector<Term> terms_;
  Exprs formulas_;  // of the slopes
  std::vector<Component> components_;
  std::vector<Point> points_, with_other_parameters_;  // the latter where a slope contains parameters
};

}  // namespace

void add_momenta(const Mechanism& mechanism, Assembly& assembly) {
  System& s = assembly.system;
  const Exprs p = gradient(s.kinetic, velocities(s)), q = positions(s);
  const SpaceSlopes slopes(assembly);
  for (const bool turn : {false, true})
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (mechanism.dimension == 2 && (axis == 2) != turn) continue;
      const MotionOfSpace motion = {axis, turn};
      Exprs delta = motion.of_bodies(s, q);
      slopes.move_along(motion, p, delta);
      Expr momentum = 0.0;
      for (std::size_t i = 0; i < p.size(); ++i)
        if (!p[i].is_constant(0.0)) momentum += p[i] * delta[i];
      const std::size_t noticed = slopes.first(motion);
      append(assembly.decided, slopes.decided_by_parameters(motion));
      s.momenta.push_back({(turn ? "angular_momentum." : "momentum.") + std::string(axis_names[axis]), momentum,
                           noticed < slopes.count() ? slopes.name(noticed) + " changes it" : ""});
    }
}

}  // namespace invar
