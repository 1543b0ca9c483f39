// See articulated.h. Spatial vectors have an angular and a linear part at the origin of the link. Zeros of axes, of
// places and of what elimination leaves fold away when the formulas are made.
#include "invar/system/articulated.h"

#include <algorithm>
#include <optional>

#include "invar/expr/lists.h"
#include "invar/system/tree_motion.h"

namespace invar {

namespace {

// torque = rotary α + coupling a,   force = couplingᵀ α + linear a;   rotary and linear are symmetric.
struct ArticulatedInertia {
  Rows rotary, coupling, linear;
};

Rows operator+(const Rows& x, const Rows& y) { return {x[0] + y[0], x[1] + y[1], x[2] + y[2]}; }

Spatial product(const ArticulatedInertia& inertia, const Spatial& x) {
  return {times(inertia.rotary, x.angular) + times(inertia.coupling, x.linear),
          times(transposed(inertia.coupling), x.angular) + times(inertia.linear, x.linear)};
}

// A freedom of a link: a turn about and a slide along an axis of it.
struct Freedom {
  std::size_t axis;
  double turn, slide;

  Expr along(const Spatial& x) const { return turn * x.angular[axis] + slide * x.linear[axis]; }  // sᵀ x
  Spatial column(const ArticulatedInertia& x) const {                                             // x s
    Spatial s;
    for (std::size_t c = 0; c < 3; ++c) {
      s.angular[c] = turn * x.rotary[c][axis] + slide * x.coupling[c][axis];
      s.linear[c] = turn * x.coupling[axis][c] + slide * x.linear[c][axis];
    }
    return s;
  }
  Spatial moved(Spatial x, const Expr& by) const {  // x + s by
    x.angular[axis] += turn * by;
    x.linear[axis] += slide * by;
    return x;
  }
};

// A freedom as it is eliminated from the inertia and the force that a link feels.
class Elimination {
 public:
  Elimination(const Freedom& freedom, const ArticulatedInertia& inertia, const Spatial& force, const Expr& tau)
      : freedom_(freedom), u_(freedom.column(inertia)), felt_(freedom.along(u_)), reciprocal_(1.0 / felt_) {
    left_ = tau - freedom.along(force);
  }

  const Expr& felt_inertia() const { return felt_; }

  // I_A - U Uᵀ/D, in which what the joint cannot transmit is zero by itself.
  ArticulatedInertia rest_of(const ArticulatedInertia& inertia) const {
    ArticulatedInertia rest = inertia;
    const Spatial part = {reciprocal_ * u_.angular, reciprocal_ * u_.linear};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        rest.coupling[a][b] = inertia.coupling[a][b] - part.angular[a] * u_.linear[b];
        if (b < a) continue;
        rest.rotary[a][b] = rest.rotary[b][a] = inertia.rotary[a][b] - part.angular[a] * u_.angular[b];
        rest.linear[a][b] = rest.linear[b][a] = inertia.linear[a][b] - part.linear[a] * u_.linear[b];
      }
    const std::size_t k = freedom_.axis;
    for (std::size_t c = 0; c < 3; ++c) {
      if (freedom_.slide == 0.0) rest.rotary[k][c] = rest.rotary[c][k] = rest.coupling[k][c] = 0.0;
      if (freedom_.turn == 0.0) rest.linear[k][c] = rest.linear[c][k] = rest.coupling[c][k] = 0.0;
    }
    return rest;
  }
  Spatial freed() const {  // U u/D
    const Expr share = reciprocal_ * left_;
    return {share * u_.angular, share * u_.linear};
  }
  // What rounding errors of the inertia grow from, as an inertia: E becomes I_A + Pᵀ E P with P = 1 - s Uᵀ/D, which
  // takes errors of I_A to those of I_A - U Uᵀ/D.
  ArticulatedInertia terms_of(const ArticulatedInertia& inertia, const ArticulatedInertia& terms) const {
    const Spatial e = freedom_.column(terms), r = {reciprocal_ * u_.angular, reciprocal_ * u_.linear};
    const Expr both = freedom_.along(e);
    const auto left = [&](const Expr& ra, const Expr& ea, const Expr& rb, const Expr& eb) {
      return both * ra * rb - ra * eb - ea * rb;
    };
    ArticulatedInertia sum = {inertia.rotary + terms.rotary, inertia.coupling + terms.coupling,
                              inertia.linear + terms.linear};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        sum.rotary[a][b] += left(r.angular[a], e.angular[a], r.angular[b], e.angular[b]);
        sum.coupling[a][b] += left(r.angular[a], e.angular[a], r.linear[b], e.linear[b]);
        sum.linear[a][b] += left(r.linear[a], e.linear[a], r.linear[b], e.linear[b]);
      }
    return sum;
  }
  // Its acceleration, which is added to that of the link.
  Expr accelerate(Spatial& own) const {
    const Expr a = reciprocal_ * (left_ - dot(u_.angular, own.angular) - dot(u_.linear, own.linear));
    own = freedom_.moved(own, a);
    return a;
  }

 private:
  Freedom freedom_;
  Spatial u_;                      // U
  Expr felt_, reciprocal_, left_;  // D, 1/D and u
};

// One link in the passes of the algorithm.
class ArticulatedLink {
 public:
  ArticulatedLink(const TreeLink& link, const Exprs& q, const Exprs& v, const Spatial& parent_velocity)
      : link_(link), motion_(link, q), rates_(v) {
    velocity = motion_.velocity(parent_velocity, v);
    const Spatial own = motion_.own_velocity(v);
    bias_ = {cross(velocity.angular, own.angular),
             cross(velocity.linear, own.angular) + cross(velocity.angular, own.linear)};
    const Vec moment = as_vec(link.moment);
    inertia = {as_rows(link.inertia), skew(moment), as_rows(link.mass * Eigen::Matrix3d::Identity())};
    force = momentum_change(moment);
    if (link.ball)
      for (std::size_t k = 0; k < 3; ++k) freedoms_.push_back({k, 1.0, 0.0});
    else
      freedoms_.push_back({static_cast<std::size_t>(link.axis), link.turn, link.slide});
  }

  // All freedoms, the last one first. `terms` are what rounding errors of the inertia grow from, if that is of
  // interest; their sizes along the freedoms are told.
  void eliminate(const Exprs& tau, ArticulatedInertia* terms = nullptr, Exprs* sizes = nullptr) {
    const Exprs of_freedoms = forces_on(tau);
    for (std::size_t k = freedoms_.size(); k-- > 0;) {
      const Elimination done(freedoms_[k], inertia, force, of_freedoms[k]);
      if (terms != nullptr) {
        sizes->push_back(freedoms_[k].along(freedoms_[k].column(*terms)));
        *terms = done.terms_of(inertia, *terms);
      }
      inertia = done.rest_of(inertia);
      force = force + done.freed();
      eliminated_.push_back(done);
      felt_.push_back(done.felt_inertia());
    }
  }
  // A freedom whose acceleration is given instead of its force.
  void lead(const Expr& acceleration) {
    led_ = acceleration;
    felt_.push_back(freedoms_.front().along(freedoms_.front().column(inertia)));
  }
  const Exprs& felt_inertias() const { return felt_; }

  // What the parent feels, once the freedoms are eliminated.
  void hand_inward(ArticulatedInertia& to, Spatial& force_on_parent) const {
    const Spatial felt = force + product(inertia, led_ ? freedoms_.front().moved(bias_, *led_) : bias_);
    const Turning& turning = motion_.turning();
    const Vec angular = turning.inward(felt.angular), linear = turning.inward(felt.linear);
    force_on_parent = force_on_parent + Spatial{angular + cross(motion_.origin(), linear), linear};
    add_shifted(inertia, to);
  }

  // Sets μ'' and the acceleration of the link.
  void accelerate(const Spatial& parent, Spatial& own, Exprs& acceleration) const {
    own = motion_.outward(parent) + bias_;
    if (led_) {
      own = freedoms_.front().moved(own, *led_);
      acceleration[link_.coordinate] = *led_;
      return;
    }
    Exprs a;
    for (std::size_t k = eliminated_.size(); k-- > 0;) a.push_back(eliminated_[k].accelerate(own));
    if (!link_.ball) {
      acceleration[link_.coordinate] = a.front();
      return;
    }
    const EulerParameters p =
        acceleration_of(motion_.parameters(), parameters_of(link_, rates_), Vec{a[0], a[1], a[2]});
    acceleration[link_.coordinate] = p.scalar;
    for (std::size_t c = 0; c < 3; ++c) acceleration[link_.coordinate + 1 + c] = link_.turn * p.vector[c];
  }

  // Adds an inertia of the link to one of the parent, about its origin in its axes:
  // H + [r]× M and J + [r]× Hᵀ + (H + [r]× M) [r]×ᵀ.
  void add_shifted(const ArticulatedInertia& own, ArticulatedInertia& to) const {
    const Turning& turning = motion_.turning();
    const ArticulatedInertia x = {turning.inward(own.rotary), turning.inward(own.coupling), turning.inward(own.linear)};
    const Rows r = skew(motion_.origin());
    const Rows coupling = x.coupling + times(r, x.linear);
    to.coupling = to.coupling + coupling;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = a; b < 3; ++b) {
        to.linear[a][b] = to.linear[b][a] = to.linear[a][b] + x.linear[a][b];
        to.rotary[a][b] = to.rotary[b][a] =
            to.rotary[a][b] + (x.rotary[a][b] + dot(r[a], x.coupling[b]) + dot(coupling[a], r[b]));
      }
  }

  Spatial velocity, force;
  ArticulatedInertia inertia;  // until freedoms are eliminated: with what is carried, but for those

 private:
  Exprs forces_on(const Exprs& tau) const {
    if (!link_.ball) return {tau[link_.coordinate]};
    const Vec torque = torque_of(motion_.parameters(), parameters_of(link_, tau));
    return {torque.begin(), torque.end()};
  }

  // v ×* I v of the bodies on the link.
  Spatial momentum_change(const Vec& moment) const {
    const Vec &w = velocity.angular, &v = velocity.linear;
    const Vec carried = cross(w, moment);
    const Vec spin = times(as_rows(link_.inertia), w) + cross(moment, v);
    return {cross(w, spin) + cross(v, carried), cross(w, link_.mass * v + carried)};
  }

  const TreeLink& link_;
  LinkMotion motion_;
  const Exprs& rates_;
  Spatial bias_;
  std::vector<Freedom> freedoms_;
  std::vector<Elimination> eliminated_;  // the last one first
  Exprs felt_;
  std::optional<Expr> led_;
};

}  // namespace

ArticulatedMotion articulated_motion(const JointTree& tree, const Exprs& q, const Exprs& v, const Exprs& force,
                                     const LedFreedoms& led) {
  std::vector<ArticulatedLink> links;
  links.reserve(tree.links.size());
  for (const TreeLink& link : tree.links)
    links.emplace_back(link, q, v, link.parent < 0 ? Spatial{} : links[static_cast<std::size_t>(link.parent)].velocity);
  for (std::size_t i = links.size(); i-- > 0;) {
    const std::size_t coordinate = tree.links[i].coordinate;
    if (!led.empty() && led[coordinate])
      links[i].lead(*led[coordinate]);
    else
      links[i].eliminate(force);
    if (tree.links[i].parent < 0) continue;
    ArticulatedLink& parent = links[static_cast<std::size_t>(tree.links[i].parent)];
    links[i].hand_inward(parent.inertia, parent.force);
  }
  Spatial ground;
  ground.linear = as_vec(-tree.gravity);
  std::vector<Spatial> acceleration(links.size());
  ArticulatedMotion result = {Exprs(q.size(), 0.0), {}};
  for (std::size_t i = 0; i < links.size(); ++i) {
    const int parent = tree.links[i].parent;
    links[i].accelerate(parent < 0 ? ground : acceleration[static_cast<std::size_t>(parent)], acceleration[i],
                        result.acceleration);
    append(result.inertia, links[i].felt_inertias());
  }
  return result;
}

Exprs inertia_terms(const JointTree& tree, const Exprs& q) {
  const Exprs rest(q.size(), 0.0);
  std::vector<ArticulatedLink> links;
  links.reserve(tree.links.size());
  for (const TreeLink& link : tree.links) links.emplace_back(link, q, rest, Spatial{});
  std::vector<ArticulatedInertia> terms;
  for (const ArticulatedLink& link : links) terms.push_back(link.inertia);
  std::vector<Exprs> sizes(links.size());
  for (std::size_t i = links.size(); i-- > 0;) {
    links[i].eliminate(rest, &terms[i], &sizes[i]);
    if (tree.links[i].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(tree.links[i].parent);
    links[i].hand_inward(links[parent].inertia, links[parent].force);
    links[i].add_shifted(terms[i], terms[parent]);
  }
  Exprs result;
  for (const Exprs& of_link : sizes) append(result, of_link);
  return result;
}

namespace {

bool describes(const JointTree& tree, const System& system) {
  return tree.kinetic == system.kinetic && tree.potential == system.potential &&
         tree.links.size() + 3 * tree.balls().size() == system.coordinates.size();
}

}  // namespace

bool is_open_tree(const System& system) {
  if (!system.tree || !describes(*system.tree, system)) return false;
  const std::vector<std::size_t> balls = system.tree->balls();
  if (system.constraints.size() != balls.size()) return false;
  const Exprs q = positions(system);
  Exprs conditions;
  for (const std::size_t ball : balls) conditions.push_back(unit_condition(q, ball));
  return std::ranges::all_of(system.constraints,
                             [&](const Constraint& c) { return std::ranges::count(conditions, c.expr) == 1; });
}

// Conditions of balls need no reactions.
Exprs tree_forces(const System& system, const Equations& e) {
  Exprs force = gradient(system.tree->other_potential, e.q);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = e.applied[i] - force[i];
  return force;
}

Exprs tree_accelerations(const System& system, const Equations& e) {
  if (!is_open_tree(system)) return {};
  return articulated_motion(*system.tree, e.q, e.v, tree_forces(system, e)).acceleration;
}

}  // namespace invar
