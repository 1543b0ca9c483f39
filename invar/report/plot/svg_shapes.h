// Shapes in SVG, at places in pixels.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace invar {

using PlanePoint = Eigen::Vector2d;

// Attributes: a line of this width, or an area with its edge.
std::string stroke(const char* colour, double width);
std::string filled(const char* colour);

// Places that are not finite are left out.
std::string polyline(const std::vector<PlanePoint>& points, const std::string& style, bool closed = false);
std::string dots(const std::vector<PlanePoint>& places, const std::string& style);
std::string dot(const PlanePoint& place, double radius, const std::string& style);
// Nothing if it is too short to have a head.
std::string svg_arrow(const PlanePoint& foot, const PlanePoint& tip, const char* colour);

// A spring between two places, as a line.
std::vector<PlanePoint> zigzag(const PlanePoint& a, const PlanePoint& b);

}  // namespace invar
