// See string_member.h.
#include "invar/model/flexible/string_member.h"

#include "invar/expr/derivative.h"

namespace invar {

std::vector<Attachment> StringMember::ends() const { return attachments(stations_); }

Watched StringMember::slack(const Expr& tension) const {
  return {
      "string \"" + name + "\"", -tension, 0.0,
      "is compressed by up to {:.3g} N where it would be slack and fold; what it does from then on does not converge "
      "with finer elements"};
}

void StringMember::act(Loads& loads) const {
  std::vector<Vec> place, velocity;
  for (const Station& station : stations_) {
    place.push_back(station.frame(loads).position);
    velocity.push_back(velocity_of(place.back()));
  }
  const std::size_t p = mesh_.nodes_per_element();
  std::size_t number = 0;  // of Gauss points
  for (const MemberElement& element : mesh_.elements()) {
    const std::vector<double> product = mesh_.products(element), share = mesh_.shares(element);
    for (std::size_t a = 0; a < p; ++a) {
      loads.weigh(mass * share[a], place[element.first + a]);
      for (std::size_t b = 0; b <= a; ++b)
        loads.add_kinetic((a == b ? 0.5 : 1.0) * mass * product[a * p + b] *
                          dot(velocity[element.first + a], velocity[element.first + b]));
    }
    for (const ShapePoint& at : mesh_.strain_points(element)) {
      Vec slope = {0.0, 0.0, 0.0};
      for (std::size_t a = 0; a < p; ++a) slope = slope + at.slope[a] * place[element.first + a];
      const Expr square = dot(slope, slope);
      const std::string tension = name + "." + std::to_string(++number) + ".N";
      if (!stiffness) {
        const Expr force = 1.0 / at.weight * loads.constrain(name, {tension, 0.5 * (square - 1.0)});
        loads.show(tension, force);
        loads.watch(slack(force));
        continue;
      }
      const Expr strain = sqrt(square) - 1.0;
      loads.add_potential(0.5 * at.weight * *stiffness * pow(strain, 2.0));
      if (damping != 0.0) loads.add_dissipation(0.5 * at.weight * damping * *stiffness * pow(ddt(strain), 2.0));
      loads.watch(slack(*stiffness * strain));
      loads.show(tension, *stiffness * (damping == 0.0 ? strain : strain + damping * ddt(strain)));
    }
  }
}

}  // namespace invar
