// See string_member.h.
#include "invar/model/flexible/string_member.h"

#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/model/flexible/coarse_mesh.h"
#include "invar/model/flexible/string_error.h"

namespace invar {

std::vector<Attachment> StringMember::ends() const { return attachments(stations_); }

Watched StringMember::slack(const Expr& tension) const {
  return {
      "string \"" + name + "\"", -tension, 0.0,
      "is compressed by up to {:.3g} N where it would be slack and fold; what it does from then on does not converge "
      "with finer elements"};
}

struct StringMember::Line {
  std::vector<Vec> place, velocity;
  Expr length, rate, scale;  // ℓ, ℓ', κ
};

StringMember::Line StringMember::line(const Loads& loads) const {
  Line line{{}, {}, mesh_.length(), 0.0, 1.0};
  for (const Station& station : stations_) {
    line.place.push_back(station.frame(loads).position);
    line.velocity.push_back(velocity_of(line.place.back()));
  }
  if (!winch) return line;
  line.length = at(winch->out.variable);
  line.rate = at(winch->out.variable, 1);
  line.scale = line.length / mesh_.length();
  return line;
}

void StringMember::add_inertia(Loads& loads, const MemberElement& element, const Line& line) const {
  const std::size_t p = mesh_.nodes_per_element();
  const std::vector<double> product = mesh_.products(element), share = mesh_.shares(element);
  for (std::size_t a = 0; a < p; ++a) {
    loads.weigh(mass * share[a] * line.scale, line.place[element.first + a]);
    for (std::size_t b = 0; b <= a; ++b)
      loads.add_kinetic((a == b ? 0.5 : 1.0) * mass * product[a * p + b] * line.scale *
                        dot(line.velocity[element.first + a], line.velocity[element.first + b]));
  }
}

// What flows through the nodes: the part of T with ℓ'.
void StringMember::add_flow(Loads& loads, const MemberElement& element, const Line& line) const {
  for (const ShapePoint& at : mesh_.mass_points(element)) {
    Vec slope = {0.0, 0.0, 0.0}, velocity = {0.0, 0.0, 0.0};
    for (std::size_t a = 0; a < at.value.size(); ++a) {
      slope = slope + at.slope[a] * line.place[element.first + a];
      velocity = velocity + at.value[a] * line.velocity[element.first + a];
    }
    const double before = mesh_.length() - at.s, weight = at.weight * mass / mesh_.length();
    loads.add_kinetic(weight * before * line.rate * dot(velocity, slope));
    loads.add_kinetic(0.5 * weight * before * before * pow(line.rate, 2.0) / line.length * dot(slope, slope));
  }
}

void StringMember::add_drum(Loads& loads, const Line& line) const {
  const Expr stored = mesh_.length() + winch->stored - line.length;
  const Vec& v = line.velocity.front();
  loads.weigh(mass * stored, line.place.front());
  loads.add_kinetic(0.5 * mass * stored * (pow(line.rate, 2.0) + dot(v, v)));
  loads.add_kinetic(0.5 * winch->inertia / (winch->radius * winch->radius) * pow(line.rate, 2.0));
  loads.watch({"string \"" + name + "\"", -stored, 0.0,
               "more of it is out than there is, by up to {:.3g} m; give its winch more that is \"stored\""});
  loads.watch({"string \"" + name + "\"", -line.length, 0.0,
               "is reeled in beyond its end, by up to {:.3g} m, where nothing hangs any more; let its winch hold it"});
}

void StringMember::act(Loads& loads) const {
  const Line now = line(loads);
  const std::size_t p = mesh_.nodes_per_element();
  std::size_t number = 0;  // of Gauss points
  Exprs tensions;          // of an inextensible one
  if (winch) add_drum(loads, now);
  for (const MemberElement& element : mesh_.elements()) {
    add_inertia(loads, element, now);
    if (winch) add_flow(loads, element, now);
    for (const ShapePoint& at : mesh_.strain_points(element)) {
      Vec slope = {0.0, 0.0, 0.0};
      for (std::size_t a = 0; a < p; ++a) slope = slope + at.slope[a] * now.place[element.first + a];
      const Expr square = dot(slope, slope);
      const std::string tension = name + "." + std::to_string(++number) + ".N";
      if (!stiffness) {
        const Expr condition = 0.5 * (square - pow(now.scale, 2.0));
        const Expr force = 1.0 / at.weight * now.scale * loads.constrain(name, {tension, condition});
        loads.show(tension, force);
        loads.watch(slack(force));
        tensions.push_back(force);
        continue;
      }
      const Expr strain = sqrt(square) / now.scale - 1.0;
      loads.add_potential(0.5 * at.weight * *stiffness * now.scale * pow(strain, 2.0));
      if (damping != 0.0) loads.add_dissipation(0.5 * at.weight * damping * *stiffness * pow(ddt(strain), 2.0));
      loads.watch(slack(*stiffness * strain));
      loads.show(tension, *stiffness * (damping == 0.0 ? strain : strain + damping * ddt(strain)));
    }
  }
  estimate_error(loads, now, tensions);
}

void StringMember::estimate_error(Loads& loads, const Line& line, const Exprs& tensions) const {
  Exprs needs = {line.scale};
  for (const Vec& x : line.place) needs.insert(needs.end(), x.begin(), x.end());
  append(needs, tensions);
  loads.estimate(coarse_mesh("string", name, mesh_, std::move(needs),
                             StringError(mesh_, stiffness, line_end(loads, stations_.front(), name),
                                         line_end(loads, stations_.back(), name))));
}

}  // namespace invar
