// Parts that Lie-group schemes share: the equations at one instant, and the end of a step. See lie.h.
#include "invar/scheme/lie.h"

namespace invar {

namespace {

std::vector<std::string> names_of(const LieBodies& bodies, const Interval& step) {
  std::vector<std::string> names;
  for (std::size_t j : bodies.joints()) names.push_back(step.constraints[j]);
  return names;
}

// Corrections are zero but for the error of the step. As unknowns they count from one, so that their equations, in
// which everything else is known, have a size that rounding can be compared with.
Exprs corrections(Interval& step, std::size_t count) {
  Exprs x = step.unknowns(Kind::correction, Exprs(count, 1.0));
  for (Expr& value : x) value = value - 1.0;
  return x;
}

// Pᵀ Gᵀ λ for the constraints of one level or all.
Exprs pull(const LieBodies& bodies, const Equations& e, const Expr& t, const Exprs& q, const Exprs& nu,
           const Exprs& lambda) {
  return bodies.along(q, at(e, e.reaction, bodies.at_point(t, q, nu, {}, lambda, {})));
}

// Constraints of joints at acceleration level with Baumgarte's terms: at the stage, or those of the start of the step
// held.
Exprs with_baumgarte(const LieBodies& bodies, const Equations& e, const Baumgarte& terms, const Interval& step,
                     const Point& stage) {
  const Node& n0 = step.n0;
  const Point held = {n0.t, n0.q, n0.v, {}, {}, {}}, &place = terms.follows_step ? held : stage;
  const Exprs value = at(e, bodies.of_joints(e.constraint), place),
              rate = at(e, bodies.of_joints(e.constraint_rate), place);
  const Expr h = step.pace;
  const Expr damping = terms.follows_step ? 1.5 / h : Expr(2.0 * terms.alpha),
             stiffness = terms.follows_step ? 1.0 / (h * h) : Expr(terms.beta * terms.beta),
             rolling = terms.follows_step ? 1.0 / h : Expr(terms.alpha);
  Exprs rows = at(e, bodies.of_joints(e.constraint_acceleration), stage);
  for (std::size_t c = 0; c < rows.size(); ++c) {
    const Level level = e.level[bodies.joints()[c]];
    if (level == Level::position)
      rows[c] += damping * rate[c] + stiffness * value[c];
    else if (level == Level::velocity)
      rows[c] += rolling * rate[c];
  }
  return rows;
}

}  // namespace

Exprs displacement(Interval& step, Residual& r, const Exprs& speed) {
  Exprs by = step.unknowns(Kind::position, Exprs(speed.size(), 1.0));
  for (std::size_t i = 0; i < by.size(); ++i) {
    by[i] = by[i] - 1.0;
    r.add("displacement " + std::to_string(i + 1), by[i] - step.h * speed[i]);
  }
  return by;
}

LieStage add_stage(const std::string& name, const LieBodies& bodies, const Equations& e, Interval& step, Residual& r,
                   const Expr& t, const Exprs& q, const Exprs& nu, const Exprs& u, const SchemeOptions& options) {
  LieStage stage;
  stage.a = step.unknowns(Kind::acceleration, Exprs(nu.size(), 0.0));
  stage.lambda = step.unknowns(Kind::multiplier, bodies.of_joints(step.n0.lambda));
  const Point point = bodies.at_point(t, q, nu, stage.a, stage.lambda, u);
  const Exprs dynamics = bodies.along(q, at(e, e.dynamics, point));
  for (std::size_t i = 0; i < dynamics.size(); ++i)
    r.add(name + ": equation of motion " + std::to_string(i + 1), dynamics[i]);
  const Exprs held = options.baumgarte ? with_baumgarte(bodies, e, *options.baumgarte, step, point)
                                       : at(e, bodies.of_joints(e.constraint_acceleration), point);
  r.add(name + ": acceleration of", names_of(bodies, step), held);
  return stage;
}

NodeProjection finish_step(const LieBodies& bodies, const Equations& e, Interval& step, Residual& r, const Exprs& q,
                           const Exprs& nu, const Exprs& lambda, const SchemeOptions& options) {
  Node& n1 = step.n1;
  n1.lambda = bodies.all_multipliers(lambda);
  Exprs q1 = q, nu1 = nu;
  NodeProjection moved = {Exprs(nu.size(), 0.0), Exprs(nu.size(), 0.0)};
  if (options.project) {
    // q ∘ map(-Pᵀ Gᵀ μ) on the positions, ν - Pᵀ Gᵀ κ on the velocities.
    Exprs position_part, all;
    std::vector<std::string> position_names;
    for (std::size_t k = 0; k < bodies.joints().size(); ++k) {
      const std::size_t j = bodies.joints()[k];
      if (e.level[j] == Level::position) position_names.push_back(step.constraints[j]);
    }
    const Exprs mu = corrections(step, position_names.size());
    std::size_t next = 0;
    for (std::size_t j : bodies.joints()) all.push_back(e.level[j] == Level::position ? mu[next++] : Expr(0.0));
    moved.position = scaled(-1.0, pull(bodies, e, n1.t, q, nu, all));
    q1 = bodies.moved(q, moved.position, options.map);
    for (std::size_t j : bodies.joints())
      if (e.level[j] == Level::position) position_part.push_back(e.constraint[j]);
    r.add("position of", position_names, at(e, position_part, bodies.at_point(n1.t, q1, nu, {}, lambda, {})));
    if (!r.stages.empty()) r.stages.push_back(r.equations.size());
    const Exprs kappa = corrections(step, bodies.joints().size());
    moved.velocity = scaled(-1.0, pull(bodies, e, n1.t, q1, nu, kappa));
    for (std::size_t i = 0; i < nu.size(); ++i) nu1[i] = nu[i] + moved.velocity[i];
    Exprs rates = bodies.of_joints(e.constraint_rate);
    // A constraint at acceleration level has no rate to keep: its correction is zero.
    Exprs rows = at(e, rates, bodies.at_point(n1.t, q1, nu1, {}, lambda, {}));
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (e.level[bodies.joints()[k]] == Level::acceleration) rows[k] = kappa[k];
    r.add("velocity of", names_of(bodies, step), rows);
    if (!r.stages.empty()) r.stages.push_back(r.equations.size());
  }
  n1.q = q1;
  n1.v = bodies.rates(q1, nu1);
  return moved;
}

}  // namespace invar
