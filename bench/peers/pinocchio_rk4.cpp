// Steps a tree of bodies by the classical Runge–Kutta method with Pinocchio's articulated-body algorithm: the plainest
// program that its documentation suggests. Reads what tree.py writes; prints the microseconds of processor time of a
// step, the least of several rounds, and the places of the bodies' centres of mass at the end.
//
//   pinocchio_rk4 STEP STEPS ROUNDS < tree.txt
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/multibody.hpp>

using Eigen::Vector3d, Eigen::VectorXd;

static Vector3d vector() {
  Vector3d v;
  std::cin >> v[0] >> v[1] >> v[2];
  return v;
}

int main(int argc, char** argv) {
  if (argc != 4) return 1;
  const double h = std::atof(argv[1]);
  const long steps = std::atol(argv[2]), rounds = std::atol(argv[3]);
  pinocchio::Model model;
  int count = 0;
  std::cin >> count;
  model.gravity.linear(vector());
  std::vector<pinocchio::JointIndex> joints;
  std::vector<double> speeds;
  for (int k = 0; k < count; ++k) {
    int parent = 0;
    std::cin >> parent;
    const Vector3d place = vector(), axis = vector(), centre = vector();
    double mass = 0.0, speed = 0.0;
    std::cin >> mass;
    const Vector3d moments = vector();
    std::cin >> speed;
    const pinocchio::JointIndex from = parent < 0 ? 0 : joints[static_cast<std::size_t>(parent)];
    const pinocchio::SE3 placement(Eigen::Matrix3d::Identity(), place);
    const std::string name = "j" + std::to_string(k);
    pinocchio::JointIndex joint = 0;
    if (axis.isZero())
      joint = model.addJoint(from, pinocchio::JointModelFreeFlyer(), placement, name);
    else if (axis == Vector3d::UnitX())
      joint = model.addJoint(from, pinocchio::JointModelRX(), placement, name);
    else if (axis == Vector3d::UnitY())
      joint = model.addJoint(from, pinocchio::JointModelRY(), placement, name);
    else if (axis == Vector3d::UnitZ())
      joint = model.addJoint(from, pinocchio::JointModelRZ(), placement, name);
    else
      joint = model.addJoint(from, pinocchio::JointModelRevoluteUnaligned(axis.normalized()), placement, name);
    model.appendBodyToJoint(joint, pinocchio::Inertia(mass, centre, moments.asDiagonal().toDenseMatrix()));
    joints.push_back(joint);
    speeds.push_back(axis.isZero() ? 0.0 : speed);
  }
  pinocchio::Data data(model);
  const VectorXd q0 = pinocchio::neutral(model), tau = VectorXd::Zero(model.nv);
  VectorXd v0 = VectorXd::Zero(model.nv);
  for (int k = 0; k < count; ++k)
    if (model.nvs[joints[k]] == 1) v0[model.idx_vs[joints[k]]] = speeds[k];

  double best = 1e300;
  VectorXd q, v, a1, a2, a3, a4, v2, v3, v4, by(model.nv), at(model.nq);
  for (long r = 0; r < rounds; ++r) {
    q = q0;
    v = v0;
    const std::clock_t begin = std::clock();
    for (long k = 0; k < steps; ++k) {
      a1 = pinocchio::aba(model, data, q, v, tau);
      by = 0.5 * h * v;
      pinocchio::integrate(model, q, by, at);
      v2 = v + 0.5 * h * a1;
      a2 = pinocchio::aba(model, data, at, v2, tau);
      by = 0.5 * h * v2;
      pinocchio::integrate(model, q, by, at);
      v3 = v + 0.5 * h * a2;
      a3 = pinocchio::aba(model, data, at, v3, tau);
      by = h * v3;
      pinocchio::integrate(model, q, by, at);
      v4 = v + h * a3;
      a4 = pinocchio::aba(model, data, at, v4, tau);
      by = h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
      pinocchio::integrate(model, q, by, at);
      q = at;
      v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    const double spent = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    best = std::min(best, spent / static_cast<double>(steps));
  }
  pinocchio::forwardKinematics(model, data, q);
  std::printf("%.9g", 1e6 * best);
  for (const pinocchio::JointIndex joint : joints) {
    const Vector3d centre = data.oMi[joint].act(model.inertias[joint].lever());
    std::printf(" %.17g %.17g %.17g", centre[0], centre[1], centre[2]);
  }
  std::printf("\n");
}
