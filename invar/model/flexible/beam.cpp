// See beam.h.
#include "invar/model/flexible/beam.h"

#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/model/flexible/beam_error.h"
#include "invar/model/flexible/coarse_mesh.h"

namespace invar {
namespace {

double dot(const Vector3& a, const Vector3& b) { return a.dot(b); }

// Σ weight_a part(node_a)
template <class V, class Part>
V interpolated(const std::vector<double>& weight, const Part& part) {
  V sum = weight[0] * part(0);
  for (std::size_t a = 1; a < weight.size(); ++a) sum = sum + weight[a] * part(a);
  return sum;
}

// Γ1, Γ2, Γ3, K1, K2, K3, of formulas or of numbers.
template <class Scalar, class V, class Place, class Director>
std::array<Scalar, 6> strains_at(const ShapePoint& at, const Place& place, const Director& director) {
  const V slope = interpolated<V>(at.slope, place);
  std::array<V, 3> d, turn;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto along = [&](std::size_t a) { return director(a, i); };
    d[i] = interpolated<V>(at.value, along);
    turn[i] = interpolated<V>(at.slope, along);
  }
  std::array<Scalar, 6> e;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    e[i] = dot(d[i], slope);
    e[3 + i] = 0.5 * (dot(turn[j], d[k]) - dot(turn[k], d[j]));
  }
  return e;
}

}  // namespace

struct Beam::Node {
  Frame frame;
  Vec velocity;
  std::array<Vec, 3> rate;  // of the directors
  Vector3 place;            // at the start
  Matrix3 axes;
};

std::vector<Beam::Node> Beam::nodes(const Loads& loads) const {
  std::vector<Node> list;
  for (const Station& station : stations_) {
    const Frame f = station.frame(loads);
    list.push_back({f,
                    velocity_of(f.position),
                    {velocity_of(f.d[0]), velocity_of(f.d[1]), velocity_of(f.d[2])},
                    station.start_place(loads),
                    station.start_axes(loads)});
  }
  return list;
}

std::vector<Attachment> Beam::ends() const { return attachments(stations_); }

void Beam::act(Loads& loads) const {
  const std::vector<Node> all = nodes(loads);
  std::size_t number = 0;  // of Gauss points
  Exprs multipliers;
  for (const MemberElement& element : mesh_.elements()) {
    const Node* const first = &all[element.first];
    add_inertia(loads, element, first);
    add_strains(loads, element, first, number, multipliers);
    add_loads(loads, element, first);
    watch_turns(loads, first);
  }
  estimate_error(loads, all, multipliers);
}

void Beam::estimate_error(Loads& loads, const std::vector<Node>& all, const Exprs& multipliers) const {
  std::vector<BeamError::Node> start;
  Exprs needs;
  for (const Node& node : all) {
    start.push_back({node.place, node.axes});
    for (const Vec& part : {node.frame.position, node.frame.d[0], node.frame.d[1], node.frame.d[2]})
      needs.insert(needs.end(), part.begin(), part.end());
  }
  append(needs, multipliers);
  BeamError error(mesh_, section_, rigid, std::move(start), line_end(loads, stations_.front(), name),
                  line_end(loads, stations_.back(), name));
  loads.estimate(coarse_mesh("beam", name, mesh_, std::move(needs), std::move(error)));
}

// The angle α between sections with |d_i| = 1 has Σ |Δd_i|² = 4 (1 − cos α).
void Beam::watch_turns(Loads& loads, const Node* node) const {
  constexpr double most = 0.5;  // rad; at 0.79 an element with two nodes has no equilibrium
  for (std::size_t a = 0; a + 1 < mesh_.nodes_per_element(); ++a) {
    Expr sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec difference = node[a + 1].frame.d[i] - node[a].frame.d[i];
      sum += dot(difference, difference);
    }
    loads.watch({"beam \"" + name + "\"", 2.0 * asin(sqrt(0.125 * sum)), most,
                 "neighbouring nodes turn by up to {:.2g} rad against each other, which elements follow badly; give it "
                 "more \"elements\""});
  }
}

void Beam::add_inertia(Loads& loads, const MemberElement& element, const Node* node) const {
  const std::size_t p = mesh_.nodes_per_element();
  const std::vector<double> product = mesh_.products(element), share = mesh_.shares(element);
  const Vector3 euler = section_.euler();
  for (std::size_t a = 0; a < p; ++a) {
    loads.weigh(section_.mass * share[a], node[a].frame.position);
    for (std::size_t b = 0; b <= a; ++b) {
      const double part = (a == b ? 0.5 : 1.0) * product[a * p + b];
      loads.add_kinetic(part * section_.mass * dot(node[a].velocity, node[b].velocity));
      for (std::size_t i = 0; i < 3; ++i)
        if (const double e = euler[static_cast<Eigen::Index>(i)]; e != 0.0)
          loads.add_kinetic(part * e * dot(node[a].rate[i], node[b].rate[i]));
    }
  }
}

void Beam::add_strains(Loads& loads, const MemberElement& element, const Node* node, std::size_t& number,
                       Exprs& multipliers) const {
  const std::vector<StrainTerm> terms = strain_terms(section_.stiffness, rigid);
  for (const ShapePoint& at : mesh_.strain_points(element)) {
    const auto now = strains_at<Expr, Vec>(
        at, [&](std::size_t a) { return node[a].frame.position; },
        [&](std::size_t a, std::size_t i) { return node[a].frame.d[i]; });
    const auto before = strains_at<double, Vector3>(
        at, [&](std::size_t a) { return node[a].place; },
        [&](std::size_t a, std::size_t i) { return Vector3(node[a].axes.col(static_cast<Eigen::Index>(i))); });
    std::array<Expr, 6> e;
    for (std::size_t i = 0; i < 6; ++i) e[i] = now[i] - before[i];
    for (const StrainTerm& term : terms) {
      Expr sum = 0.0;
      for (std::size_t i = 0; i < 6; ++i)
        if (const double w = term.weights[static_cast<Eigen::Index>(i)]; w != 0.0) sum += w * e[i];
      if (sum.is_constant(0.0)) continue;
      loads.add_potential(0.5 * at.weight * term.stiffness * pow(sum, 2.0));
      if (damping != 0.0) loads.add_dissipation(0.5 * at.weight * damping * term.stiffness * pow(ddt(sum), 2.0));
    }
    const std::string point = name + "." + std::to_string(++number) + ".";
    for (std::size_t i = 0; i < 6; ++i) {
      if (rigid[i]) multipliers.emplace_back(0.0);
      if (e[i].is_constant(0.0)) continue;  // in the plane
      const std::string quantity = point + std::string(section_force_names[i]);
      if (rigid[i]) {
        multipliers.back() = loads.constrain(name, {quantity, e[i]});
        loads.show(quantity, 1.0 / at.weight * multipliers.back());
        continue;
      }
      Expr force = 0.0;
      for (std::size_t j = 0; j < 6; ++j)
        if (const double c = section_.stiffness(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
            c != 0.0 && !rigid[j])
          force += c * (damping == 0.0 ? e[j] : e[j] + damping * ddt(e[j]));
      loads.show(quantity, force);
    }
  }
}

void Beam::add_loads(Loads& loads, const MemberElement& element, const Node* node) const {
  if (load.empty() && follower_load.empty()) return;
  for (const ShapePoint& at : mesh_.mass_points(element)) {
    const Exprs from = {arc_length}, to = {at.s};
    const auto here = [&](const std::vector<Expr>& formulas) {
      const Exprs x = substitute(formulas, from, to);
      return Vec{x[0], x[1], x[2]};
    };
    const Vec place = interpolated<Vec>(at.value, [&](std::size_t a) { return node[a].frame.position; });
    if (!load.empty()) loads.push(place, at.weight * here(load));
    if (follower_load.empty()) continue;
    const Vec parts = here(follower_load);
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec d = interpolated<Vec>(at.value, [&](std::size_t a) { return node[a].frame.d[i]; });
      loads.push(place, at.weight * parts[i] * d);
    }
  }
}

}  // namespace invar
