// What a beam or string is along its length, for pictures and diagrams.
#pragma once

#include <string_view>
#include <vector>

#include "invar/model/mechanism/mechanism.h"

namespace invar {

struct SectionForce {
  std::string_view name, unit;
};

// Section forces are the columns NAME.k.FORCE of a result, k = 1, 2, … counting the points.
struct MemberLine {
  std::vector<double> nodes = {};         // arc lengths of the ends() of the element
  std::vector<Vector3> normals = {};      // of the sections there: d1 in the axes of the body; none of a string
  std::vector<double> points = {};        // arc lengths where section forces are known
  std::vector<SectionForce> forces = {};  // which it has, unless they vanish
  std::vector<double> radii = {};         // outer and inner, if sections are round
  std::vector<double> sides = {};         // lengths along d1 and d2, if they are rectangles
};

}  // namespace invar
