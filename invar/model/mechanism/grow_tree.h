// The links of a joint tree, made of the displacements by which joints carry bodies.
//
// A link has the axes and the origin of its parent where that serves: joints about or along axes of the world then need
// no constant rotations, and the origin lies on the axis of what turns.
#pragma once

#include <vector>

#include "invar/model/mechanism/displacement.h"
#include "invar/system/joint_tree.h"

namespace invar {

class TreeGrowth {
 public:
  explicit TreeGrowth(std::size_t bodies) : carrier_(bodies) {}

  // A body that moves against its parent, a body or the ground, by these moves.
  void add(const Mechanism& mechanism, int body, int parent, const std::vector<JointMove>& moves);

  const std::vector<TreeLink>& links() const { return links_; }
  std::vector<int> carriers() const;  // by bodies

 private:
  // What carries a body: a link, its axes as columns and its origin, in the world of the start configuration.
  struct Carrier {
    int link = -1;
    Matrix3 axes = Matrix3::Identity();
    Vector3 origin = Vector3::Zero();
  };
  Carrier moved(const Carrier& from, const Matrix3& held, const JointMove& move);
  Carrier turned_freely(const Carrier& from, const Matrix3& held, const JointMove& move);

  std::vector<TreeLink> links_;
  std::vector<Carrier> carrier_;
};

}  // namespace invar
