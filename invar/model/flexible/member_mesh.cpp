// See member_mesh.h.
#include "invar/model/flexible/member_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "invar/base/error.h"

namespace invar {
namespace {

struct GaussRule {
  std::vector<double> x, weight;  // on −1 … 1
};

const GaussRule& gauss_rule(std::size_t count) {
  static const double two = 1.0 / std::sqrt(3.0), three = std::sqrt(0.6);
  static const std::array<GaussRule, 3> rules = {GaussRule{{0.0}, {2.0}}, GaussRule{{-two, two}, {1.0, 1.0}},
                                                 GaussRule{{-three, 0.0, three}, {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0}}};
  expects(count >= 1 && count <= rules.size(), "one to three Gauss points");
  return rules[count - 1];
}

// N_a and their slopes on −1 … 1.
void set_polynomials(std::size_t nodes, double x, ShapePoint& at) {
  const auto place = [nodes](std::size_t a) {
    return -1.0 + 2.0 * static_cast<double>(a) / static_cast<double>(nodes - 1);
  };
  for (std::size_t a = 0; a < nodes; ++a) {
    double value = 1.0, slope = 0.0;
    for (std::size_t b = 0; b < nodes; ++b) {
      if (b == a) continue;
      const double span = place(a) - place(b);
      slope = slope * (x - place(b)) / span + value / span;
      value *= (x - place(b)) / span;
    }
    at.value.push_back(value);
    at.slope.push_back(slope);
  }
}

}  // namespace

MemberMesh::MemberMesh(double length, int elements, int nodes_per_element, std::vector<double> places)
    : per_element_(static_cast<std::size_t>(nodes_per_element)) {
  constexpr double together = 1e-9;  // of the length
  places.insert(places.end(), {0.0, length});
  std::ranges::sort(places);
  std::vector<double> breaks;
  for (const double s : places)
    if (breaks.empty() || s - breaks.back() > together * length) breaks.push_back(s);
  breaks.back() = length;
  nodes_.push_back(0.0);
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k) {
    const double part = breaks[k + 1] - breaks[k];
    const int count = std::max(1, static_cast<int>(std::lround(elements * part / length)));
    for (int e = 0; e < count; ++e) {
      const double from = breaks[k] + part * e / count, to = breaks[k] + part * (e + 1) / count;
      elements_.push_back({nodes_.size() - 1, from, to - from});
      for (std::size_t a = 1; a < per_element_; ++a)
        nodes_.push_back(a + 1 == per_element_
                             ? to
                             : from + (to - from) * static_cast<double>(a) / static_cast<double>(per_element_ - 1));
    }
  }
}

std::size_t MemberMesh::nearest(double s) const {
  const auto distance = [s](double x) { return std::abs(x - s); };
  return static_cast<std::size_t>(std::ranges::min_element(nodes_, {}, distance) - nodes_.begin());
}

std::vector<ShapePoint> MemberMesh::gauss(const MemberElement& element, std::size_t count) const {
  const GaussRule& rule = gauss_rule(count);
  std::vector<ShapePoint> points;
  for (std::size_t g = 0; g < count; ++g) {
    const double half = 0.5 * element.length;
    ShapePoint at{element.begin + half * (1.0 + rule.x[g]), half * rule.weight[g], {}, {}};
    set_polynomials(per_element_, rule.x[g], at);
    for (double& slope : at.slope) slope /= half;
    points.push_back(std::move(at));
  }
  return points;
}

std::vector<ShapePoint> MemberMesh::strain_points(const MemberElement& element) const {
  return gauss(element, per_element_ - 1);
}

std::vector<double> MemberMesh::all_strain_points() const {
  std::vector<double> places;
  for (const MemberElement& element : elements_)
    for (const ShapePoint& at : strain_points(element)) places.push_back(at.s);
  return places;
}

std::vector<ShapePoint> MemberMesh::mass_points(const MemberElement& element) const {
  return gauss(element, per_element_);
}

std::vector<double> MemberMesh::products(const MemberElement& element) const {
  std::vector<double> sums(per_element_ * per_element_, 0.0);
  for (const ShapePoint& at : mass_points(element))
    for (std::size_t a = 0; a < per_element_; ++a)
      for (std::size_t b = 0; b < per_element_; ++b)
        sums[a * per_element_ + b] += at.weight * at.value[a] * at.value[b];
  return sums;
}

std::vector<double> MemberMesh::shares(const MemberElement& element) const {
  std::vector<double> sums(per_element_, 0.0);
  for (const ShapePoint& at : mass_points(element))
    for (std::size_t a = 0; a < per_element_; ++a) sums[a] += at.weight * at.value[a];
  return sums;
}

}  // namespace invar
