// See part_names.h. The constraints of a part have its name, or its name and a word behind a dot.
#include "invar/task/run/part_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace invar {

PartNames::PartNames(const Problem& problem) {
  if (!problem.mechanism) return;
  const Mechanism& m = *problem.mechanism;
  for (const Body& b : m.bodies) kinds_[b.name] = "body";
  for (const Joint& j : m.joints) kinds_[j.name] = "joint";
  for (const Gear& g : m.gears) kinds_[g.name] = "gear";
  for (const Cable& c : m.cables) kinds_[c.name] = "cable";
  for (const PrescribedSpin& s : m.spins) kinds_[s.name] = "prescribed spin";
}

Part PartNames::of(const std::string& constraint) const {
  if (const auto whole = kinds_.find(constraint); whole != kinds_.end()) return {whole->second, constraint};
  const auto stem = kinds_.find(constraint.substr(0, constraint.rfind('.')));
  return stem != kinds_.end() ? Part{stem->second, stem->first} : Part{"constraint", constraint};
}

std::vector<std::string> PartNames::connections(const std::vector<std::string>& constraints) const {
  std::vector<std::string> parts;
  for (const std::string& c : constraints) {
    const Part part = of(c);
    if (part.kind != "body" && std::ranges::find(parts, part.name) == parts.end()) parts.push_back(part.name);
  }
  return parts;
}

std::string PartNames::in_words(const std::vector<std::string>& parts) const {
  std::vector<Part> left;
  for (const std::string& name : parts) left.push_back(of(name));
  std::vector<std::string> groups;
  while (!left.empty()) {
    const std::string kind = left.front().kind;
    std::vector<std::string> names;
    for (const Part& p : left)
      if (p.kind == kind) names.push_back(kind == "constraint" ? "\"" + p.name + "\"" : p.name);
    std::erase_if(left, [&](const Part& p) { return p.kind == kind; });
    groups.push_back(fmt::format("{}{} {}", kind, names.size() > 1 ? "s" : "", in_a_row(names)));
  }
  return fmt::format("{}", fmt::join(groups, ", "));
}

std::string in_a_row(const std::vector<std::string>& names) {
  constexpr std::size_t readable = 12;
  if (names.size() <= readable) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, … {}", fmt::join(names.begin(), names.begin() + readable - 2, ", "), names.back());
}

}  // namespace invar
