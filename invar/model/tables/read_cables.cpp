// [[cable]]: straight from point to point, wound by a winch or of fixed length.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/message.h"
#include "invar/model/file/mechanism_reading.h"

namespace invar::model {
namespace {

Pulley read_pulley(const Reading& reading, Section& table) {
  Pulley pulley{read_not_negative(reading, table, "inertia"), read_positive(reading, table, "radius")};
  table.finish();
  return pulley;
}

void read_route(Reading& reading, Section& item, Cable& cable) {
  std::vector<Section> points = item.tables("route", item.title() + ": route");
  const Entry& entry = item.require("route");
  if (points.size() < 2)
    item.fail(entry.value.position, fmt::format("a route has at least two points, not {}", points.size()));
  for (std::size_t k = 0; k < points.size(); ++k) {
    Section& point = points[k];
    cable.route.push_back(read_attachment(reading, point));
    const bool inner = k > 0 && k + 1 < points.size();
    auto pulley = point.table("pulley", point.title() + ": pulley");
    if (pulley && !inner) pulley->fail(pulley->position(), "the cable ends here; pulleys are between the ends");
    if (inner) cable.pulleys.push_back(pulley ? read_pulley(reading, *pulley) : Pulley{});
    point.finish();
  }
  const auto on_same = [&](const Attachment& p) { return p.body == cable.route[0].body; };
  if (std::all_of(cable.route.begin(), cable.route.end(), on_same))
    item.fail(entry.value.position,
              "connects nothing: all its points are on " + in_words(reading, cable.route[0].body));
}

// The length of the route in the start configuration.
double start_length(const Reading& reading, Section& item, const Cable& cable) {
  double length = 0.0;
  for (std::size_t k = 0; k + 1 < cable.route.size(); ++k) {
    const Vector3 from = place_at_start(reading, cable.route[k]), to = place_at_start(reading, cable.route[k + 1]);
    const double part = (to - from).stableNorm();
    if (!(part > 0.0))
      item.fail(item.require("route").value.position,
                fmt::format("points {} and {} of the route are at the same place", k + 1, k + 2));
    length += part;
  }
  return length;
}

void read_winch(Reading& reading, Section& winch, double length, Cable& cable) {
  cable.wound = add_coordinate(reading, read_text(winch, "coordinate"), length);
  cable.inertia = read_not_negative(reading, winch, "inertia", 0.0);
  if (cable.inertia > 0.0 || winch.find("radius")) cable.radius = read_positive(reading, winch, "radius");
  winch.finish();
}

void read_cable(Reading& reading, Section& item) {
  Cable cable;
  cable.name = read_item_name(reading, item, NameKind::cable);
  read_route(reading, item, cable);
  const double length = start_length(reading, item, cable);
  auto winch = item.table("winch", item.title() + ": winch");
  if (const Entry* entry = item.find("length")) {
    if (winch) item.fail(entry->position, "give either \"winch\" or \"length\"");
    cable.length = read_positive(reading, item, "length");
    const double off = std::abs(*cable.length - length);
    if (off > start_tolerance * length)
      item.fail(
          entry->value.position,
          fmt::format("the start configuration violates it by {:.6g} m: the route is {:.6g} m long", off, length));
  }
  if (winch) read_winch(reading, *winch, length, cable);
  if (auto drum = item.table("drum", item.title() + ": drum")) {
    if (winch || cable.length) drum->fail(drum->position(), "give one of \"winch\", \"drum\" and \"length\"");
    cable.drum = read_coordinate(reading, *drum, read_text(*drum, "coordinate"));
    cable.radius = read_number(reading, drum->require("radius").value, drum->title() + ": \"radius\"");
    drum->finish();
  }
  item.finish();
  reading.parts->mechanism.cables.push_back(std::move(cable));
}

}  // namespace

void read_cables(Reading& reading, Section& top) {
  if (!reading.parts) return;
  for (Section& item : top.tables("cable", "[[cable]]")) read_cable(reading, item);
}

}  // namespace invar::model
