// The force along a line, from its values at the Gauss points of the elements.
#pragma once

#include <vector>

#include "invar/model/mechanism/mechanism.h"

namespace invar {

// Through the points of one element, and the nearest one of that neighbour with which it is the smoother: where a force
// acts between two elements, the other side says nothing about this one.
class RecoveredForce {
 public:
  struct At {
    double s;
    Vector3 force;
  };
  // All points in the order of s; those of one element are `first` … `first + own − 1`.
  RecoveredForce(const std::vector<At>& all, std::size_t first, std::size_t own);
  Vector3 operator()(double s) const;

 private:
  std::vector<double> places_;
  std::vector<Vector3> coefficients_;  // Newton's, of divided differences
};

}  // namespace invar
