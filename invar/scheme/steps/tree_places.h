// Joint coordinates and rates of bodies whose places and velocities are given, from body to body along a tree: for each
// the freedoms between it and the body that carries it, six at most, by Newton's method with rotations.
#pragma once

#include <span>
#include <vector>

#include "invar/system/joint_tree.h"
#include "invar/system/system.h"

namespace invar {

class TreePlaces {
 public:
  // `drawn` are the coordinates of the bodies where those of the joints are `start`.
  TreePlaces(JointTree tree, std::vector<RigidBody> bodies, std::span<const double> drawn,
             std::span<const double> start);

  // Begins at the μ that is given, so that turns stay counted; how far the farthest body is from where μ puts it.
  double find(std::span<const double> q, std::span<double> mu) const;
  void find_rates(std::span<const double> q, std::span<const double> v, std::span<const double> mu,
                  std::span<double> rate) const;

 private:
  struct Pose {
    Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  // as columns
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  };
  // A body, by the last of the links between it and the body that carries it.
  struct Carried {
    std::size_t body;
    std::vector<std::size_t> links;  // the outermost last
    std::vector<std::size_t> coordinates;
    Pose on_link;
  };

  Pose moved(const TreeLink& link, const Pose& parent, std::span<const double> mu) const;
  Pose pose_of(std::size_t body, std::span<const double> q) const;
  std::vector<Pose> poses(std::span<const double> mu) const;                                     // of all links
  Pose put(const Carried& carried, std::span<const double> mu, std::vector<Pose>& links) const;  // the body
  Eigen::MatrixXd freedoms(const Carried& carried, const Eigen::Vector3d& at, const std::vector<Pose>& links) const;
  void add(const Carried& carried, const Eigen::VectorXd& step, std::span<double> mu) const;
  double approach(const Carried& carried, const Pose& wanted, std::span<double> mu, std::vector<Pose>& links) const;

  JointTree tree_;
  std::vector<RigidBody> bodies_;
  std::vector<Carried> carried_;  // parents first
};

}  // namespace invar
