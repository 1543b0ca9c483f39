// See station.h.
#include "invar/model/flexible/station.h"

namespace invar {

Frame Station::frame(const Loads& loads) const {
  const Frame of_body = loads.frame(body);
  Frame f = of_body;
  f.position = of_body.point(at);
  const Body* own = loads.body(body);
  if (own && own->point) return f;
  for (std::size_t i = 0; i < 3; ++i) f.d[i] = of_body.direction(axes.col(static_cast<Eigen::Index>(i)));
  return f;
}

std::vector<Attachment> attachments(const std::vector<Station>& stations) {
  std::vector<Attachment> list;
  for (const Station& station : stations) list.push_back(station.attachment());
  return list;
}

Vector3 Station::start_place(const Loads& loads) const {
  const Body* b = loads.body(body);
  return b ? Vector3(b->position + b->rotation * at) : at;
}

Matrix3 Station::start_axes(const Loads& loads) const {
  const Body* b = loads.body(body);
  return b ? Matrix3(b->rotation * axes) : axes;
}

}  // namespace invar
