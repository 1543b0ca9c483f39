// See loads.h.
#include "invar/model/mechanism/loads.h"

#include "invar/base/error.h"
#include "invar/expr/derivative.h"

namespace invar {

Vec velocity_of(const Vec& x) {
  const Exprs rate = ddt(Exprs(x.begin(), x.end()));
  return {rate[0], rate[1], rate[2]};
}

const Body* Loads::body(int k) const { return k == ground ? nullptr : &m_.bodies[static_cast<std::size_t>(k)]; }

Frame Loads::frame(int k) const { return k == ground ? ground_frame() : out_.frames[static_cast<std::size_t>(k)]; }

void Loads::weigh(const Expr& mass, const Vec& place) {
  const Expr energy = -(mass * dot(constant(m_.gravity), place));
  out_.system.potential += energy;
  out_.system.weight += energy;
}

Expr Loads::constrain(const std::string& part, const NamedExpr& condition, Level level) {
  out_.system.add_constraint(condition.name, condition.expr, level);
  out_.constraints_of[part].push_back(condition.name);
  return at(out_.system.constraints.back().multiplier);
}

void Loads::push(Exprs& direction, const Vec& point, const Vec& force) const {
  const Exprs q = positions(out_.system);
  const SparseExprs of_point = jacobian(Exprs(point.begin(), point.end()), q);
  for (std::size_t j = 0; j < q.size(); ++j)
    for (int k = of_point.pattern.start[j]; k < of_point.pattern.start[j + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k);
      direction[j] += of_point.value[place] * force[static_cast<std::size_t>(of_point.pattern.row[place])];
    }
}

// In the plane only about z.
void Loads::twist(Exprs& direction, int body_index, const Vec& torque) const {
  if (body_index == ground) return;
  const RigidBody& rigid = out_.system.bodies[static_cast<std::size_t>(body_index)];
  if (rigid.point) throw InputError("a point mass takes no torque");
  const std::array<Vec, 3> contra = frame(body_index).contravariant();
  const auto n = static_cast<std::size_t>(dimension());
  for (std::size_t i = 0; i < n; ++i) {
    const Vec on_director = 0.5 * cross(torque, contra[i]);
    for (std::size_t c = 0; c < n; ++c) direction[rigid.first + n * (i + 1) + c] += on_director[c];
  }
}

void Loads::twist_between(int a, int b, const Vec& torque) {
  twist(b, torque);
  twist(a, -1.0 * torque);
}

Vec Loads::spin(int body_index) const {
  Vec omega = {0.0, 0.0, 0.0};
  if (body_index == ground) return omega;
  const Frame f = frame(body_index);
  const std::array<Vec, 3> contra = f.contravariant();
  for (std::size_t i = 0; i < 3; ++i) omega = omega + 0.5 * cross(contra[i], velocity_of(f.d[i]));
  return omega;
}

void Loads::finish() {
  const Exprs g = gradient(dissipation_, velocities(out_.system));
  for (std::size_t i = 0; i < g.size(); ++i) out_.system.forces[i] -= g[i];
}

}  // namespace invar
