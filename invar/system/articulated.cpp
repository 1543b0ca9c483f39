// See articulated.h. Spatial vectors have an angular and a linear part at the origin of the link. Zeros of axes, of
// places and of what elimination leaves fold away when the formulas are made.
#include "invar/system/articulated.h"

#include <optional>

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

// One link in the passes of the algorithm.
class ArticulatedLink {
 public:
  ArticulatedLink(const TreeLink& link, const Expr& q, const Expr& v, const Spatial& parent_velocity)
      : link_(link), k_(static_cast<std::size_t>(link.axis)), motion_(link, q) {
    velocity = motion_.velocity(parent_velocity, v);
    Vec spin = {0.0, 0.0, 0.0}, glide = spin;
    spin[k_] = link.turn * v;
    glide[k_] = link.slide * v;
    bias_ = {cross(velocity.angular, spin), cross(velocity.linear, spin) + cross(velocity.angular, glide)};
    const Vec moment = as_vec(link.moment);
    inertia = {as_rows(link.inertia), skew(moment), as_rows(link.mass * Eigen::Matrix3d::Identity())};
    force = momentum_change(moment);
  }

  void eliminate(const Expr& tau) {
    u_ = column(inertia);
    felt_ = along(u_);
    reciprocal_ = 1.0 / felt_;
    left_ = tau - along(force);
  }
  // A freedom whose acceleration is given instead of its force.
  void lead(const Expr& acceleration) {
    led_ = acceleration;
    felt_ = along(column(inertia));
  }
  const Expr& felt_inertia() const { return felt_; }
  Expr along_axis(const ArticulatedInertia& x) const { return along(column(x)); }  // sᵀ x s

  // What the parent feels, once the freedom is eliminated.
  void hand_inward(ArticulatedInertia& to, Spatial& force_on_parent) const {
    const ArticulatedInertia rest = led_ ? inertia : without_freedom();
    const Spatial felt = force + (led_ ? product(rest, moved(bias_, *led_)) : product(rest, bias_) + freed());
    const Turning& turning = motion_.turning();
    const Vec angular = turning.inward(felt.angular), linear = turning.inward(felt.linear);
    force_on_parent = force_on_parent + Spatial{angular + cross(motion_.origin(), linear), linear};
    add_shifted(rest, to);
  }
  // What rounding errors of the inertia grow from, of the link and of what it hands inward, as an inertia:
  // E becomes I_A + Pᵀ E P with P = 1 - s Uᵀ/D, which takes errors of I_A to those of I_A - U Uᵀ/D.
  void hand_terms(const ArticulatedInertia& terms, ArticulatedInertia& to) const {
    const Spatial e = column(terms), r = {reciprocal_ * u_.angular, reciprocal_ * u_.linear};
    const Expr both = along(e);
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
    add_shifted(sum, to);
  }

  // μ'', and the acceleration of the link.
  Expr accelerate(const Spatial& parent, Spatial& own) const {
    own = motion_.outward(parent) + bias_;
    const Expr a = led_ ? *led_ : reciprocal_ * (left_ - dot(u_.angular, own.angular) - dot(u_.linear, own.linear));
    own = moved(own, a);
    return a;
  }

  Spatial velocity, force;
  ArticulatedInertia inertia;

 private:
  Expr along(const Spatial& x) const { return link_.turn * x.angular[k_] + link_.slide * x.linear[k_]; }
  Spatial column(const ArticulatedInertia& x) const {  // x s
    Spatial s;
    for (std::size_t c = 0; c < 3; ++c) {
      s.angular[c] = link_.turn * x.rotary[c][k_] + link_.slide * x.coupling[c][k_];
      s.linear[c] = link_.turn * x.coupling[k_][c] + link_.slide * x.linear[c][k_];
    }
    return s;
  }
  Spatial moved(Spatial x, const Expr& by) const {  // x + s by
    x.angular[k_] += link_.turn * by;
    x.linear[k_] += link_.slide * by;
    return x;
  }
  Spatial freed() const {  // U u/D
    const Expr share = reciprocal_ * left_;
    return {share * u_.angular, share * u_.linear};
  }

  // v ×* I v of the bodies on the link.
  Spatial momentum_change(const Vec& moment) const {
    const Vec &w = velocity.angular, &v = velocity.linear;
    const Vec carried = cross(w, moment);
    const Vec spin = times(as_rows(link_.inertia), w) + cross(moment, v);
    return {cross(w, spin) + cross(v, carried), cross(w, link_.mass * v + carried)};
  }

  // I_A - U Uᵀ/D, in which what the joint cannot transmit is zero by itself.
  ArticulatedInertia without_freedom() const {
    ArticulatedInertia rest = inertia;
    const Spatial part = {reciprocal_ * u_.angular, reciprocal_ * u_.linear};
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) {
        rest.coupling[a][b] = inertia.coupling[a][b] - part.angular[a] * u_.linear[b];
        if (b < a) continue;
        rest.rotary[a][b] = rest.rotary[b][a] = inertia.rotary[a][b] - part.angular[a] * u_.angular[b];
        rest.linear[a][b] = rest.linear[b][a] = inertia.linear[a][b] - part.linear[a] * u_.linear[b];
      }
    for (std::size_t c = 0; c < 3; ++c) {
      if (link_.slide == 0.0) rest.rotary[k_][c] = rest.rotary[c][k_] = rest.coupling[k_][c] = 0.0;
      if (link_.turn == 0.0) rest.linear[k_][c] = rest.linear[c][k_] = rest.coupling[c][k_] = 0.0;
    }
    return rest;
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

  const TreeLink& link_;
  std::size_t k_;
  LinkMotion motion_;
  Spatial bias_;
  Spatial u_;                      // U
  Expr felt_, reciprocal_, left_;  // D, 1/D and u
  std::optional<Expr> led_;
};

}  // namespace

ArticulatedMotion articulated_motion(const JointTree& tree, const Exprs& q, const Exprs& v, const Exprs& force,
                                     const LedFreedoms& led) {
  std::vector<ArticulatedLink> links;
  links.reserve(tree.links.size());
  for (const TreeLink& link : tree.links)
    links.emplace_back(link, q[link.coordinate], v[link.coordinate],
                       link.parent < 0 ? Spatial{} : links[static_cast<std::size_t>(link.parent)].velocity);
  for (std::size_t i = links.size(); i-- > 0;) {
    const std::size_t coordinate = tree.links[i].coordinate;
    if (!led.empty() && led[coordinate])
      links[i].lead(*led[coordinate]);
    else
      links[i].eliminate(force[coordinate]);
    if (tree.links[i].parent < 0) continue;
    ArticulatedLink& parent = links[static_cast<std::size_t>(tree.links[i].parent)];
    links[i].hand_inward(parent.inertia, parent.force);
  }
  Spatial ground;
  ground.linear = as_vec(-tree.gravity);
  std::vector<Spatial> acceleration(links.size());
  ArticulatedMotion result = {Exprs(q.size(), 0.0), Exprs(q.size(), 0.0)};
  for (std::size_t i = 0; i < links.size(); ++i) {
    const int parent = tree.links[i].parent;
    result.acceleration[tree.links[i].coordinate] =
        links[i].accelerate(parent < 0 ? ground : acceleration[static_cast<std::size_t>(parent)], acceleration[i]);
    result.inertia[tree.links[i].coordinate] = links[i].felt_inertia();
  }
  return result;
}

Exprs inertia_terms(const JointTree& tree, const Exprs& q) {
  std::vector<ArticulatedLink> links;
  links.reserve(tree.links.size());
  for (const TreeLink& link : tree.links) links.emplace_back(link, q[link.coordinate], 0.0, Spatial{});
  std::vector<ArticulatedInertia> terms;
  for (const ArticulatedLink& link : links) terms.push_back(link.inertia);
  Exprs result(q.size(), 0.0);
  for (std::size_t i = links.size(); i-- > 0;) {
    links[i].eliminate(0.0);
    result[tree.links[i].coordinate] = links[i].along_axis(terms[i]);
    if (tree.links[i].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(tree.links[i].parent);
    links[i].hand_inward(links[parent].inertia, links[parent].force);
    links[i].hand_terms(terms[i], terms[parent]);
  }
  return result;
}

Exprs tree_forces(const System& system, const Equations& e) {
  if (!system.tree) return {};
  const JointTree& tree = *system.tree;
  if (tree.links.size() != e.q.size() || tree.kinetic != system.kinetic || tree.potential != system.potential)
    return {};
  Exprs force = gradient(tree.other_potential, e.q);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] = e.applied[i] - force[i] - e.reaction[i];
  return force;
}

Exprs tree_accelerations(const System& system, const Equations& e) {
  const Exprs force = tree_forces(system, e);
  return force.empty() ? Exprs{} : articulated_motion(*system.tree, e.q, e.v, force).acceleration;
}

}  // namespace invar
