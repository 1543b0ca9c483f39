// See stable_mesh.h.
#include "invar/task/stable_inversion/stable_mesh.h"

#include <algorithm>
#include <cmath>

namespace invar {

namespace {

// A step of half the fastest time constant leaves a relative error of about 1e-12 at order eight.
constexpr double part_of_time_constant = 0.5, least_nodes = 50.0;
constexpr double most_nodes = 4000.0;

struct Rates {
  double slowest = 0.0, fastest = 0.0;  // of eigenvalues that are not zero
};

Rates rates(const BoundedMotion& motion) {
  Rates r;
  for (const ZeroDynamics* z : {&motion.at_start, &motion.at_end})
    for (std::size_t i = 0; i < z->eigenvalues.size(); ++i) {
      r.fastest = std::max(r.fastest, std::abs(z->eigenvalues[i]));
      if (const double rate = std::abs(z->eigenvalues[i].real()); rate > z->tolerance[i])
        r.slowest = r.slowest > 0.0 ? std::min(r.slowest, rate) : rate;
    }
  return r;
}

// Ascending marks with equal parts between them, none longer than asked for.
std::vector<double> divided(const std::vector<double>& marks, double longest) {
  const double same = 1e-9 * longest;
  std::vector<double> t = {marks.front()};
  for (const double mark : marks) {
    const double from = t.back();
    if (mark <= from + same) continue;
    const int parts = static_cast<int>(std::ceil((mark - from) / longest - 1e-9));
    for (int i = 1; i < parts; ++i) t.push_back(from + (mark - from) * i / parts);
    t.push_back(mark);
  }
  return t;
}

// Distances from the window, up to `length`, that grow by the same factor from step to step until they reach the
// longest.
std::vector<double> graded(double first, double longest, double length) {
  constexpr double growth = 1.05;
  std::vector<double> distances;
  double at = 0.0;
  for (double h = first; at + h < length; h = std::min(growth * h, longest)) distances.push_back(at += h);
  if (length > 0.0) distances.push_back(length);
  return distances;
}

}  // namespace

std::vector<std::vector<double>> stable_meshes(const Dae& dae, const StableInversionSettings& settings,
                                               const BoundedMotion& motion) {
  const double first = settings.start - motion.pre_actuation, last = settings.end + motion.post_actuation;
  std::vector<double> marks = {first, settings.start, settings.end, last};
  marks.insert(marks.end(), settings.times.begin(), settings.times.end());
  for (const Reference& r : dae.references)
    for (const double t : r.function->knots())
      if (t >= first && t <= last) marks.push_back(t);
  std::sort(marks.begin(), marks.end());
  const Rates rate = rates(motion);
  const double resolved = part_of_time_constant / std::max(rate.fastest, 1e-30);
  const double longest = std::min((last - first) / least_nodes, resolved);
  if ((last - first) / longest <= most_nodes) return {divided(marks, longest)};
  std::vector<std::vector<double>> meshes;
  const double outside = rate.slowest > 0.0 ? part_of_time_constant / rate.slowest : last - first;
  constexpr int count = 5;
  double inside = (settings.end - settings.start) / least_nodes;
  for (int k = 0; k < count; ++k, inside /= 2.0) {
    std::vector<double> t = marks;
    for (const double d : graded(inside, outside, motion.pre_actuation)) t.push_back(settings.start - d);
    for (const double d : graded(inside, outside, motion.post_actuation)) t.push_back(settings.end + d);
    std::sort(t.begin(), t.end());
    // Instants of the window in equal parts, those outside as they are.
    std::vector<double> within, mesh;
    for (const double x : t)
      if (x >= settings.start && x <= settings.end) within.push_back(x);
    const double same = 1e-9 * inside;
    const auto add = [&](double x) {
      if (mesh.empty() || x > mesh.back() + same) mesh.push_back(x);
    };
    for (const double x : t)
      if (x < settings.start) add(x);
    for (const double x : divided(within, inside)) add(x);
    for (const double x : t)
      if (x > settings.end) add(x);
    meshes.push_back(std::move(mesh));
  }
  return meshes;
}

}  // namespace invar
