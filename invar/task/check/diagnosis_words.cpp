// Sentences about a diagnosis, see diagnosis.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "invar/task/check/diagnosis.h"

namespace invar {

namespace {

using Found = Summary::Mechanism;

std::string counted(std::size_t n, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::size_t points(const Found& m) {
  return static_cast<std::size_t>(
      std::ranges::count_if(m.bodies, [](const Found::Mass& b) { return b.principal_moments.empty(); }));
}

std::string parts(const Found& m) {
  const std::size_t point = points(m), rigid = m.bodies.size() - point;
  std::vector<std::string> masses;
  if (rigid > 0) masses.push_back(counted(rigid, "rigid body", "rigid bodies"));
  if (point > 0) masses.push_back(counted(point, "point mass", "point masses"));
  if (m.nodes > 0) masses.push_back(counted(m.nodes, "node", "nodes"));
  std::string text =
      fmt::format("  {} {}\n", fmt::join(masses, " and "), m.dimension == 2 ? "in the plane" : "in space");
  auto add = [&](const std::vector<std::string>& names, const std::string& one) {
    if (!names.empty()) text += fmt::format("  {}: {}\n", counted(names.size(), one, one + "s"), in_a_row(names));
  };
  for (const Found::Kind& k : m.joints) add(k.names, k.kind + " joint");
  add(m.gears, "gear");
  add(m.cables, "cable");
  for (const Found::Kind& k : m.force_elements) add(k.names, k.kind);
  return text;
}

std::string count(const Found& m) {
  if (m.nodes > 0) return {};  // what bends is not counted by joints
  const std::size_t point = points(m), rigid = m.bodies.size() - point;
  std::vector<std::string> terms;
  if (rigid > 0) terms.push_back(fmt::format("{}·{}", m.dimension == 2 ? 3 : 6, rigid));
  if (point > 0) terms.push_back(fmt::format("{}·{}", m.dimension, point));
  std::string text = fmt::format("  Grübler-Kutzbach count: {} − {} = {}", fmt::join(terms, " + "), m.joint_constraints,
                                 m.counted_freedom);
  if (m.counted_freedom == m.freedom) return text + ", confirmed by the rank of the constraints\n";
  std::vector<std::string> surplus;
  for (const Found::Surplus& s : m.redundant)
    surplus.push_back(fmt::format("{} of the {} constraints of {} {}", s.redundant, s.constraints, s.kind, s.name));
  text += fmt::format(", but {} by the rank of the constraints: over-constrained\n", m.freedom);
  if (!surplus.empty()) text += fmt::format("  redundant: {}, which the other parts imply\n", in_a_row(surplus));
  return text;
}

std::string masses(const Found& m) {
  constexpr std::size_t readable = 20;
  std::size_t width = 4;
  const std::size_t shown = std::min(m.bodies.size(), readable);
  for (std::size_t k = 0; k < shown; ++k) width = std::max(width, m.bodies[k].name.size());
  std::string text;
  for (std::size_t k = 0; k < shown; ++k) {
    const Found::Mass& b = m.bodies[k];
    std::vector<std::string> moments;
    for (const double j : b.principal_moments) moments.push_back(fmt::format("{:.4g}", j));
    text += fmt::format("  {:<{}}  {:>9.4g} kg   ", b.name, width, b.mass);
    text += moments.empty()       ? "point"
            : moments.size() == 1 ? fmt::format("J = {} kg m²", moments[0])
                                  : fmt::format("principal moments {} kg m²", fmt::join(moments, ", "));
    text += b.remark.empty() ? "\n" : fmt::format(" ({})\n", b.remark);
  }
  if (shown < m.bodies.size()) text += fmt::format("  … and {} more bodies\n", m.bodies.size() - shown);
  return text;
}

// momentum.x, momentum.y → momentum.x, .y
std::string shortened(const std::vector<std::string>& names) {
  std::string text, before;
  for (const std::string& name : names) {
    const std::size_t dot = name.rfind('.');
    const std::string stem = dot == std::string::npos ? name : name.substr(0, dot);
    const bool again = dot != std::string::npos && stem == before;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", again ? name.substr(dot) : name);
    before = stem;
  }
  return text;
}

// A reason that speaks of parts instead of their single constraints.
std::string reason(const Summary::Kept& k, const PartNames& names) {
  if (k.declared) return "declared constant";
  if (k.conserved) return "conserved";
  std::string why = k.why_not;
  constexpr std::string_view word = "constraint \"", changes = " changes it";
  if (why.starts_with(word)) {
    const std::size_t end = why.find('"', word.size());
    const Part part = names.of(why.substr(word.size(), end - word.size()));
    if (part.kind != "constraint" && end != std::string::npos) why.replace(0, end + 1, part.kind + " " + part.name);
  }
  if (why.ends_with(changes)) return "changed by " + why.substr(0, why.size() - changes.size());
  return "not conserved: " + why;
}

}  // namespace

std::string in_words(const Found& m) {
  std::string text = parts(m) + count(m);
  if (m.freedom_at_start > m.freedom)
    text += fmt::format("  {} more for an instant in the start configuration, which is singular\n",
                        m.freedom_at_start - m.freedom);
  for (const std::vector<std::string>& group : m.floating)
    text += group.size() == 1
                ? fmt::format("  {} is connected with nothing\n", group[0])
                : fmt::format("  {} are connected with each other, but not with the ground\n", in_a_row(group));
  return text + masses(m);
}

std::string in_words(const std::vector<Summary::Kept>& conserved, const PartNames& names) {
  struct Row {
    std::string reason;
    std::vector<std::string> quantities;
  };
  std::vector<Row> rows;
  for (const Summary::Kept& k : conserved) {
    const std::string why = reason(k, names);
    auto row = std::ranges::find(rows, why, &Row::reason);
    if (row == rows.end()) row = rows.insert(row, {why, {}});
    row->quantities.push_back(k.name);
  }
  std::size_t width = 0;
  for (const Row& r : rows) width = std::max(width, shortened(r.quantities).size());
  std::string text;
  for (const Row& r : rows) text += fmt::format("  {:<{}}  {}\n", shortened(r.quantities), width, r.reason);
  return text;
}

}  // namespace invar
