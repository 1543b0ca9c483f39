// A beam or string in a still picture: a smooth stroke, coloured by what it bears.
#pragma once

#include <string>
#include <vector>

#include "invar/report/plot/svg_shapes.h"
#include "invar/report/scene/scene.h"

namespace invar {

// In pixels; its share of the range of the colour, NaN if it has no colour.
struct SketchPlace {
  PlanePoint at;
  double width, share;
};

std::string member_sketch(const std::vector<SketchPlace>& places);

// The colours with the ends of the range, right-aligned at a place.
std::string colour_key(const MemberColour& colour, const PlanePoint& corner);

}  // namespace invar
