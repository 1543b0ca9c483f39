// See tree_places.h.
#include "invar/scheme/steps/tree_places.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "invar/math/rank.h"

namespace invar {

namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Quaterniond parameters_at(const TreeLink& link, std::span<const double> mu) {
  const double* p = mu.data() + link.coordinate;
  return Quaterniond(p[0], link.turn * p[1], link.turn * p[2], link.turn * p[3]);
}

void put_parameters(const TreeLink& link, const Quaterniond& p, std::span<double> mu) {
  const double numbers[] = {p.w(), link.turn * p.x(), link.turn * p.y(), link.turn * p.z()};
  std::ranges::copy(numbers, mu.begin() + static_cast<std::ptrdiff_t>(link.coordinate));
}

// Half of the sum of d_i × e_i: the rotation vector from d to e if it is small, and towards it if it is not.
Vector3d between(const Matrix3d& d, const Matrix3d& e) {
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < 3; ++k) sum += Vector3d(d.col(k)).cross(Vector3d(e.col(k)));
  return 0.5 * sum;
}

}  // namespace

TreePlaces::TreePlaces(JointTree tree, std::vector<RigidBody> bodies, std::span<const double> drawn,
                       std::span<const double> start)
    : tree_(std::move(tree)), bodies_(std::move(bodies)) {
  std::vector<std::optional<std::size_t>> on(tree_.links.size());  // a body, one with axes if there is any
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (tree_.carrier[k] >= 0) {
      std::optional<std::size_t>& here = on[static_cast<std::size_t>(tree_.carrier[k])];
      if (!here || bodies_[*here].point) here = k;
    }
  const std::vector<Pose> links = poses(start);
  for (std::size_t i = 0; i < on.size(); ++i) {
    if (!on[i]) continue;
    Carried carried{*on[i], {i}, {}, {}};
    for (int p = tree_.links[i].parent; p >= 0 && !on[static_cast<std::size_t>(p)];
         p = tree_.links[static_cast<std::size_t>(p)].parent)
      carried.links.insert(carried.links.begin(), static_cast<std::size_t>(p));
    for (const std::size_t l : carried.links)
      for (std::size_t c = 0; c < (tree_.links[l].ball ? 4 : 1); ++c)
        carried.coordinates.push_back(tree_.links[l].coordinate + c);
    const Pose body = pose_of(*on[i], drawn);
    carried.on_link = {links[i].axes.transpose() * body.axes,
                       links[i].axes.transpose() * (body.origin - links[i].origin)};
    carried_.push_back(std::move(carried));
  }
}

TreePlaces::Pose TreePlaces::moved(const TreeLink& link, const Pose& parent, std::span<const double> mu) const {
  Matrix3d turned;
  Vector3d slid = link.origin;
  if (link.ball) {
    turned = parameters_at(link, mu).normalized().toRotationMatrix();
  } else {
    const double by = mu[link.coordinate] - link.zero;
    turned = Eigen::AngleAxisd(link.turn * by, Vector3d::Unit(link.axis)).toRotationMatrix();
    slid += link.slide * by * link.axes.col(link.axis);
  }
  return {parent.axes * link.axes * turned, parent.origin + parent.axes * slid};
}

// In the plane with a third axis across it; of a mass point with axes of the world.
TreePlaces::Pose TreePlaces::pose_of(std::size_t k, std::span<const double> q) const {
  const RigidBody& body = bodies_[k];
  const int n = body.dimension;
  Pose pose;
  for (int c = 0; c < n; ++c) pose.origin[c] = q[body.first + static_cast<std::size_t>(c)];
  for (int i = 0; !body.point && i < n; ++i)
    for (int c = 0; c < n; ++c) pose.axes(c, i) = q[body.first + static_cast<std::size_t>(n * (i + 1) + c)];
  return pose;
}

std::vector<TreePlaces::Pose> TreePlaces::poses(std::span<const double> mu) const {
  std::vector<Pose> all;
  for (const TreeLink& link : tree_.links)
    all.push_back(moved(link, link.parent < 0 ? Pose{} : all[static_cast<std::size_t>(link.parent)], mu));
  return all;
}

TreePlaces::Pose TreePlaces::put(const Carried& carried, std::span<const double> mu, std::vector<Pose>& links) const {
  for (const std::size_t i : carried.links) {
    const int parent = tree_.links[i].parent;
    links[i] = moved(tree_.links[i], parent < 0 ? Pose{} : links[static_cast<std::size_t>(parent)], mu);
  }
  const Pose& last = links[carried.links.back()];
  return {last.axes * carried.on_link.axes, last.origin + last.axes * carried.on_link.origin};
}

// Columns: velocity of a point and spin, by the freedoms in turn; of a mass point the velocity alone.
Eigen::MatrixXd TreePlaces::freedoms(const Carried& carried, const Vector3d& at, const std::vector<Pose>& links) const {
  std::vector<Eigen::Matrix<double, 6, 1>> columns;
  const auto add_column = [&](std::size_t i, int axis, double turn, double slide) {
    const Vector3d n = links[i].axes.col(axis);
    columns.emplace_back();
    columns.back() << turn * n.cross(at - links[i].origin) + slide * n, turn * n;
  };
  for (const std::size_t i : carried.links) {
    const TreeLink& link = tree_.links[i];
    if (!link.ball) add_column(i, link.axis, link.turn, link.slide);
    for (int k = 0; link.ball && k < 3; ++k) add_column(i, k, 1.0, 0.0);
  }
  Eigen::MatrixXd all(bodies_[carried.body].point ? 3 : 6, std::ssize(columns));
  for (Eigen::Index j = 0; j < all.cols(); ++j) all.col(j) = columns[static_cast<std::size_t>(j)].head(all.rows());
  return all;
}

void TreePlaces::add(const Carried& carried, const Eigen::VectorXd& step, std::span<double> mu) const {
  Eigen::Index next = 0;
  for (const std::size_t i : carried.links) {
    const TreeLink& link = tree_.links[i];
    if (!link.ball) {
      mu[link.coordinate] += step[next++];
      continue;
    }
    const Vector3d by = step.segment<3>(next);
    next += 3;
    const Quaterniond turn(Eigen::AngleAxisd(by.norm(), by.stableNormalized()));
    put_parameters(link, (parameters_at(link, mu) * turn).normalized(), mu);
  }
}

double TreePlaces::approach(const Carried& carried, const Pose& wanted, std::span<double> mu,
                            std::vector<Pose>& links) const {
  constexpr int most_steps = 30;
  constexpr double there = 1e-15;  // a step that changes nothing
  const bool point = bodies_[carried.body].point;
  double distance = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_steps; ++k) {
    const Pose body = put(carried, mu, links);
    const Vector3d away = wanted.origin - body.origin;
    distance = away.cwiseAbs().maxCoeff();
    if (!point) distance = std::max(distance, (wanted.axes - body.axes).cwiseAbs().maxCoeff());
    Eigen::VectorXd error(point ? 3 : 6);
    error.head<3>() = away;
    if (!point) error.tail<3>() = between(body.axes, wanted.axes);
    const Eigen::VectorXd step = least_norm(freedoms(carried, body.origin, links), error);
    if (!step.allFinite() || step.cwiseAbs().maxCoeff() <= there) break;
    add(carried, step, mu);
  }
  put(carried, mu, links);
  return distance;
}

// Where that leads nowhere, turns begin elsewhere, too.
double TreePlaces::find(std::span<const double> q, std::span<double> mu) const {
  constexpr double near = 1e-6;
  constexpr double third = 2.0 * std::numbers::pi / 3.0;
  std::vector<Pose> links(tree_.links.size());
  double farthest = 0.0;
  for (const Carried& carried : carried_) {
    const Pose wanted = pose_of(carried.body, q);
    const auto now = [&] {
      std::vector<double> numbers;
      for (const std::size_t c : carried.coordinates) numbers.push_back(mu[c]);
      return numbers;
    };
    const auto return_to = [&](const std::vector<double>& numbers) {
      for (std::size_t k = 0; k < numbers.size(); ++k) mu[carried.coordinates[k]] = numbers[k];
    };
    const std::vector<double> begin = now();
    std::vector<double> best = begin;
    double distance = std::numeric_limits<double>::infinity();
    int ways = 1;
    for (const std::size_t i : carried.links) ways *= tree_.links[i].ball ? 4 : tree_.links[i].turn != 0.0 ? 3 : 1;
    for (int way = 0; way < ways && !(distance <= near); ++way) {
      return_to(begin);
      int left = way;
      for (const std::size_t i : carried.links) {
        const TreeLink& link = tree_.links[i];
        if (link.ball) {
          const Quaterniond half_turns[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
          put_parameters(link, parameters_at(link, mu) * half_turns[left % 4], mu);
          left /= 4;
        } else if (link.turn != 0.0) {
          mu[link.coordinate] += third * (left % 3);
          left /= 3;
        }
      }
      const double found = approach(carried, wanted, mu, links);
      if (!(found < distance)) continue;
      distance = found;
      best = now();
    }
    return_to(best);
    put(carried, mu, links);
    farthest = std::max(farthest, distance);
  }
  return farthest;
}

void TreePlaces::find_rates(std::span<const double> q, std::span<const double> v, std::span<const double> mu,
                            std::span<double> rate) const {
  std::ranges::fill(rate, 0.0);
  const std::vector<Pose> links = poses(mu);
  struct Twist {
    Vector3d at = Vector3d::Zero(), velocity = Vector3d::Zero(), spin = Vector3d::Zero();
  };
  std::vector<Twist> of_link(links.size());
  for (const Carried& carried : carried_) {
    const RigidBody& body = bodies_[carried.body];
    const Pose place = pose_of(carried.body, q);
    Pose change = pose_of(carried.body, v);
    if (body.point) change.axes.setZero();
    if (body.dimension == 2) change.axes.col(2).setZero();
    const Twist own = {place.origin, change.origin, between(place.axes, change.axes)};
    const int parent = tree_.links[carried.links.front()].parent;
    const Twist from = parent < 0 ? Twist{} : of_link[static_cast<std::size_t>(parent)];
    Eigen::VectorXd relative(body.point ? 3 : 6);
    relative.head<3>() = own.velocity - from.velocity - from.spin.cross(own.at - from.at);
    if (!body.point) relative.tail<3>() = own.spin - from.spin;
    const Eigen::VectorXd found = least_norm(freedoms(carried, own.at, links), relative);
    Eigen::Index next = 0;
    for (const std::size_t i : carried.links) {
      const TreeLink& link = tree_.links[i];
      of_link[i] = own;
      if (body.point) of_link[i].spin = from.spin;
      if (!link.ball) {
        rate[link.coordinate] = found[next++];
        continue;
      }
      const Vector3d w = 0.5 * found.segment<3>(next);
      next += 3;
      put_parameters(link, parameters_at(link, mu) * Quaterniond(0.0, w.x(), w.y(), w.z()), rate);
    }
  }
}

}  // namespace invar
