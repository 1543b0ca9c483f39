// A tree of rigid bodies in joint coordinates, freedom by freedom: what recursions over bodies need to know.
//
// A link moves against its parent by a turn about an axis, a slide along it, or both (a screw), so much per unit of its
// coordinate; or it turns freely about its origin, by four Euler parameters (a ball). A joint with several other
// freedoms is a chain of links, of which only the last one has a mass.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "invar/expr/expr.h"

namespace invar {

struct TreeLink {
  int parent = -1;  // a link before this one; -1 is the ground
  bool ball = false;
  std::size_t coordinate = 0;  // of the system; of a ball the first of four
  double zero = 0.0;           // its value where the link is not displaced
  int axis = 2;                // of the link, about which it turns and along which it slides …
  double turn = 0.0;           // … so much per unit of the coordinate; of a ball ±1, the sign of its rotation vector
  double slide = 0.0;
  // Where it is not displaced: its origin in the axes of the parent, and its own axes as columns in those.
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  // Of the bodies that it carries: mass, mass times centre, inertia about the origin, in axes of the link.
  double mass = 0.0;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
};

// It describes a system only as long as this has the energies that it had when the tree was made.
struct JointTree {
  std::vector<TreeLink> links;  // of all coordinates, parents first
  std::vector<int> carrier;     // by bodies: the link that carries it; -1 is the ground
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  Expr kinetic, potential;  // of the system in joint coordinates
  Expr other_potential;     // what is left of the potential without gravity

  std::vector<std::size_t> balls() const {  // their first coordinates
    std::vector<std::size_t> first;
    for (const TreeLink& link : links)
      if (link.ball) first.push_back(link.coordinate);
    return first;
  }
  // Would a mass matrix have very many entries, one for every link and each of those that carry it?
  bool is_large() const {
    constexpr double many = 8192.0;  // of a chain of 128 links, or of 1000 that branch: from here on parts start sooner
    std::vector<double> carriers;
    double sum = 0.0;
    for (const TreeLink& link : links) {
      carriers.push_back(link.parent < 0 ? 0.0 : carriers[static_cast<std::size_t>(link.parent)] + 1.0);
      sum += carriers.back();
    }
    return sum > many;
  }
};

// Half of what the squares of the four Euler parameters from here on exceed one by.
inline Expr unit_condition(const Exprs& q, std::size_t first) {
  Expr sum = 0.0;
  for (std::size_t i = first; i < first + 4; ++i) sum += q[i] * q[i];
  return 0.5 * (sum - 1.0);
}

}  // namespace invar
