// See coarse_mesh.h.
#include "invar/model/flexible/coarse_mesh.h"

#include <algorithm>

namespace invar {

LineEnd line_end(const Loads& loads, const Station& end, const std::string& member) {
  const Body* body = loads.body(end.body);
  if (!body) return LineEnd::held;
  return body->node && body->name.starts_with(member + ".n") ? LineEnd::free : LineEnd::either;
}

Estimated coarse_mesh(const std::string& kind, const std::string& name, const MemberMesh& mesh, Exprs needs,
                      std::function<double(std::span<const double>)> distance) {
  const double noticeable = 1.0, most = 100.0;  // % of the length; more says no more
  const double percent = 100.0 / mesh.length();
  return {kind + " \"" + name + "\"", std::move(needs),
          [percent, most, distance = std::move(distance)](std::span<const double> x) {
            return std::min(most, percent * distance(x));
          },
          noticeable,
          mesh.nodes_per_element() == 2
              ? "its elements are too coarse for what it bears: with ever finer ones it would stand elsewhere by about "
                "{:.2g} % of its length; give it more \"elements\", or element_nodes = 3"
              : "its elements are too coarse for what it bears: with ever finer ones it would stand elsewhere by about "
                "{:.2g} % of its length; give it more \"elements\""};
}

}  // namespace invar
