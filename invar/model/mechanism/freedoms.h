// What a joint leaves free, asked for piece by piece: as joint coordinates (minimal.cpp) or as increments of a step
// (null_space.cpp).
#pragma once

#include "invar/model/mechanism/displacement.h"

namespace invar {

class Freedoms {
 public:
  enum class Axis { first, second };            // as the first body carries it; as the second does
  enum class Direction { side1, side2, axis };  // of the joint's triad in the first body

  explicit Freedoms(bool reversed) : reversed_(reversed) {}
  virtual ~Freedoms() = default;

  // A point mass does not turn: then no freedom is added. `suffix` completes the name of a coordinate that has none of
  // its own.
  virtual Displacement turn(Axis axis = Axis::first, const char* suffix = ".angle") = 0;
  virtual Displacement turn_freely() = 0;  // about a point
  virtual Displacement slide(Direction direction = Direction::axis) = 0;
  virtual Displacement screw(double advance) = 0;  // turn and slide along the first axis, by so much per radian

  // What the first body carries is outside; seen from the second body it is the other way round.
  Displacement compose(const Displacement& outer, const Displacement& inner) const {
    return reversed_ ? after(inner, outer) : after(outer, inner);
  }

 protected:
  double sign() const { return reversed_ ? -1.0 : 1.0; }

 private:
  bool reversed_;
};

}  // namespace invar
