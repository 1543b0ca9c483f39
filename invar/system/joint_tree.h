// A tree of rigid bodies in joint coordinates, freedom by freedom: what recursions over bodies need to know.
//
// Every coordinate moves one link against its parent by a turn about an axis, a slide along it, or both (a screw). A
// joint with several freedoms is a chain of links, of which only the last one has a mass.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "invar/expr/expr.h"

namespace invar {

struct TreeLink {
  int parent = -1;             // a link before this one; -1 is the ground
  std::size_t coordinate = 0;  // of the system
  double zero = 0.0;           // its value where the link is not displaced
  int axis = 2;                // of the link, about which it turns and along which it slides …
  double turn = 0.0;           // … so much per unit of the coordinate
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
  std::vector<TreeLink> links;  // one per coordinate, parents first
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();
  Expr kinetic, potential;  // of the system in joint coordinates
  Expr other_potential;     // what is left of the potential without gravity
};

}  // namespace invar
