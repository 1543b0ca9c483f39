// See beam_error.h.
#include "invar/model/flexible/beam_error.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace invar {
namespace {

Matrix3 cross_matrix(const Vector3& w) {
  Matrix3 m;
  m << 0.0, -w.z(), w.y(), w.z(), 0.0, -w.x(), -w.y(), w.x(), 0.0;
  return m;
}

Vector3 turn_between(const Matrix3& from, const Matrix3& to) {
  const Eigen::AngleAxisd turn(Matrix3(to * from.transpose()));
  return turn.angle() * turn.axis();
}

// The constant strains Γ, K over a length that lead from one node to another.
Vector6 helix(const BeamError::Node& from, const BeamError::Node& to, double length) {
  const Vector3 w = from.axes.transpose() * turn_between(from.axes, to.axes);
  const Vector3 way = from.axes.transpose() * (to.place - from.place);
  const double angle = w.norm();
  const double part = angle < 1e-4 ? 1.0 / 12.0  // to 1e-9
                                   : (1.0 - 0.5 * angle / std::tan(0.5 * angle)) / (angle * angle);
  const Matrix3 W = cross_matrix(w);
  Vector6 e;
  e << (way - 0.5 * w.cross(way) + part * (W * (W * way))) / length, w / length;
  return e;
}

}  // namespace

// What an element carries.
struct BeamError::Carried {
  std::vector<RecoveredForce::At> force;                                              // at its Gauss points
  Vector3 first = Vector3::Zero(), last = Vector3::Zero(), couple = Vector3::Zero();  // moments; c
};

struct BeamError::Curve {
  Node end;
  Vector3 moment;
};

BeamError::BeamError(MemberMesh mesh, const BeamSection& section, const std::array<bool, 6>& rigid,
                     std::vector<Node> start, LineEnd first, LineEnd last)
    : mesh_(std::move(mesh)),
      stiffness_(section.stiffness),
      compliance_(Matrix6::Zero()),
      start_(std::move(start)),
      first_(first),
      last_(last) {
  std::vector<Eigen::Index> soft;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    if (rigid[i]) rigid_.push_back(i), stiffness_.row(row).setZero(), stiffness_.col(row).setZero();
    if (!rigid[i] && stiffness_(row, row) > 0.0) soft.push_back(row);
  }
  const Matrix inverse = Matrix(stiffness_(soft, soft)).inverse();
  compliance_(soft, soft) = inverse;
  for (std::size_t e = 0; e < mesh_.elements().size(); ++e) set_start(e);
}

void BeamError::set_start(std::size_t e) {
  const MemberElement& element = mesh_.elements()[e];
  const Node* const node = &start_[element.first];
  const std::size_t last = mesh_.nodes_per_element() - 1;
  const double half = element.length / static_cast<double>(last);
  start_strain_.push_back({helix(node[0], node[1], half), helix(node[last - 1], node[last], half)});
  start_defect_.push_back(Vector6::Zero());
  for (const ShapePoint& at : mesh_.strain_points(element)) {
    const Strains s = strains(at, node, nullptr, nullptr);
    start_point_strain_.emplace_back() << s[0], s[1];
  }
  const Curve curve = integrate(e, node[0], Vector3::Zero(), Vector3::Zero(), nullptr);
  const Matrix3 back = node[0].axes.transpose();
  start_defect_.back() << back * (node[last].place - curve.end.place),
      back * turn_between(curve.end.axes, node[last].axes);
}

Vector6 BeamError::start_strain(std::size_t e, double part) const {
  const auto& [first, second] = start_strain_[e];
  return first + (2.0 * part - 0.5) * (second - first);
}

// Also r,s, and d_i and d_i,s.
BeamError::Strains BeamError::strains(const ShapePoint& at, const Node* node, Vector3* slope,
                                      std::array<Vector3, 6>* turns) const {
  Vector3 along = Vector3::Zero();
  Matrix3 d = Matrix3::Zero(), turn = Matrix3::Zero();
  for (std::size_t a = 0; a < at.value.size(); ++a) {
    along += at.slope[a] * node[a].place;
    d += at.value[a] * node[a].axes;
    turn += at.slope[a] * node[a].axes;
  }
  Strains e;
  e[0] = d.transpose() * along;
  for (Eigen::Index i = 0; i < 3; ++i) {
    const Eigen::Index j = (i + 1) % 3, k = (i + 2) % 3;
    e[1][i] = 0.5 * (turn.col(j).dot(d.col(k)) - turn.col(k).dot(d.col(j)));
  }
  if (slope) *slope = along;
  for (Eigen::Index i = 0; turns && i < 3; ++i) {
    (*turns)[static_cast<std::size_t>(i)] = d.col(i);
    (*turns)[static_cast<std::size_t>(3 + i)] = turn.col(i);
  }
  return e;
}

BeamError::Carried BeamError::carried(std::size_t e, const Node* node, std::span<const double> multipliers) const {
  const MemberElement& element = mesh_.elements()[e];
  const std::size_t p = mesh_.nodes_per_element(), points = p - 1;
  Carried load;
  Vector3 all = Vector3::Zero();
  for (std::size_t g = 0; g < points; ++g) {
    const ShapePoint at = mesh_.strain_points(element)[g];
    Vector3 slope;
    std::array<Vector3, 6> d;  // d_i, d_i,s
    const Strains now = strains(at, node, &slope, &d);
    Vector6 strain;
    strain << now[0], now[1];
    Vector6 stress = stiffness_ * (strain - start_point_strain_[e * points + g]);
    for (std::size_t k = 0; k < rigid_.size(); ++k)
      stress[static_cast<Eigen::Index>(rigid_[k])] = multipliers[g * rigid_.size() + k] / at.weight;
    const Vector3 force = stress[0] * d[0] + stress[1] * d[1] + stress[2] * d[2];
    load.force.push_back({at.s, force});
    all += at.weight * slope.cross(force);
    for (const std::size_t a : {std::size_t{0}, p - 1}) {
      Vector3 torque = Vector3::Zero();
      for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        const auto own = [&](std::size_t n) { return Vector3(node[a].axes.col(static_cast<Eigen::Index>(n))); };
        torque += stress[static_cast<Eigen::Index>(i)] * at.value[a] * own(i).cross(slope);
        torque += 0.5 * stress[static_cast<Eigen::Index>(3 + i)] *
                  (at.slope[a] * (own(j).cross(d[k]) - own(k).cross(d[j])) +
                   at.value[a] * (own(k).cross(d[3 + j]) - own(j).cross(d[3 + k])));
      }
      (a == 0 ? load.first : load.last) += (a == 0 ? -at.weight : at.weight) * torque;
    }
  }
  load.couple = (load.last - load.first + all) / element.length;
  return load;
}

// By the classical method of Runge and Kutta.
BeamError::Curve BeamError::integrate(std::size_t e, Node from, Vector3 moment, const Vector3& couple,
                                      const RecoveredForce* force) const {
  constexpr int steps = 4;  // their error is some hundredths of that of an element
  const MemberElement& element = mesh_.elements()[e];
  const double h = element.length / steps;
  struct Rate {
    Vector3 place;
    Matrix3 axes;
    Vector3 moment;
  };
  const auto rate = [&](double part, const Node& node, const Vector3& m) {
    Vector6 strain = start_strain(e, part);
    const Vector3 n = force ? (*force)(element.begin + part * element.length) : Vector3(Vector3::Zero());
    if (force) {
      Vector6 inside;
      inside << node.axes.transpose() * n, node.axes.transpose() * m;
      strain += compliance_ * inside;
    }
    const Vector3 slope = node.axes * strain.head<3>();
    return Rate{slope, node.axes * cross_matrix(strain.tail<3>()), couple - slope.cross(n)};
  };
  for (int k = 0; k < steps; ++k) {
    const double at = static_cast<double>(k) / steps, half = 0.5 / steps;
    const auto moved = [&](const Rate& r, double by) {
      return Node{from.place + by * r.place, from.axes + by * r.axes};
    };
    const Rate a = rate(at, from, moment);
    const Rate b = rate(at + half, moved(a, 0.5 * h), moment + 0.5 * h * a.moment);
    const Rate c = rate(at + half, moved(b, 0.5 * h), moment + 0.5 * h * b.moment);
    const Rate d = rate(at + 2.0 * half, moved(c, h), moment + h * c.moment);
    from.place += h / 6.0 * (a.place + 2.0 * b.place + 2.0 * c.place + d.place);
    from.axes += h / 6.0 * (a.axes + 2.0 * b.axes + 2.0 * c.axes + d.axes);
    moment += h / 6.0 * (a.moment + 2.0 * b.moment + 2.0 * c.moment + d.moment);
  }
  return {from, moment};
}

// With the linearised equations over the length, by the mid-point.
LineSegment BeamError::segment(std::size_t e, const Node* node, const Carried& load,
                               const RecoveredForce& force) const {
  const MemberElement& element = mesh_.elements()[e];
  const std::size_t last = mesh_.nodes_per_element() - 1;
  const Curve curve = integrate(e, node[0], load.first, load.couple, &force);
  LineSegment segment;
  segment.defect = Vector::Zero(12);
  segment.defect << node[last].place - curve.end.place - node[0].axes * start_defect_[e].head<3>(),
      turn_between(curve.end.axes, node[last].axes) - node[0].axes * start_defect_[e].tail<3>(), Vector3::Zero(),
      load.last - curve.moment;

  const Vector3 turn = turn_between(node[0].axes, node[last].axes);
  const Matrix3 axes = Eigen::AngleAxisd(0.5 * turn.norm(), turn.stableNormalized()).toRotationMatrix() * node[0].axes;
  const Vector3 n = force(element.begin + 0.5 * element.length), m = 0.5 * (load.first + load.last);
  const Vector3 along = (node[last].place - node[0].place) / element.length;
  Matrix6 both = Matrix6::Zero();
  both.topLeftCorner<3, 3>() = both.bottomRightCorner<3, 3>() = axes;
  const Matrix6 C = both * compliance_ * both.transpose();
  Matrix A = Matrix::Zero(12, 12);  // of (δr, δφ, δn, δm)
  A.topRightCorner<6, 6>() = C;
  A.block<6, 3>(0, 3) = C.leftCols<3>() * cross_matrix(n) + C.rightCols<3>() * cross_matrix(m);
  A.block<3, 3>(0, 3) -= cross_matrix(along);
  A.bottomRows<3>() = cross_matrix(n) * A.topRows<3>();
  A.block<3, 3>(9, 6) -= cross_matrix(along);
  const Matrix one = Matrix::Identity(12, 12), half = 0.5 * element.length * A;
  segment.transfer = (one - half).partialPivLu().solve(one + half);
  return segment;
}

double BeamError::operator()(std::span<const double> values) const {
  const std::size_t count = mesh_.nodes().size(), points = mesh_.nodes_per_element() - 1;
  std::vector<Node> nodes(count);
  for (std::size_t k = 0; k < count; ++k) {
    nodes[k].place = Eigen::Map<const Vector3>(&values[12 * k]);
    nodes[k].axes = Eigen::Map<const Matrix3>(&values[12 * k + 3]);
  }
  std::vector<Carried> loads;
  std::vector<RecoveredForce::At> forces;
  for (std::size_t e = 0; e < mesh_.elements().size(); ++e) {
    const std::size_t own = points * rigid_.size();
    loads.push_back(carried(e, &nodes[mesh_.elements()[e].first], values.subspan(12 * count + e * own, own)));
    forces.insert(forces.end(), loads.back().force.begin(), loads.back().force.end());
  }
  std::vector<LineSegment> segments;
  for (std::size_t e = 0; e < loads.size(); ++e)
    segments.push_back(
        segment(e, &nodes[mesh_.elements()[e].first], loads[e], RecoveredForce(forces, e * points, points)));
  return line_displacement(segments, first_, last_);
}

}  // namespace invar
