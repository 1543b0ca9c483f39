// See grouped_sweeps.h.
#include "invar/task/inverse_structure/grouped_sweeps.h"

namespace invar {

std::shared_ptr<GroupedSweeps> grouped_sweeps(const InverseStructure& structure, double until, int extra) {
  if (!structure.flat() || structure.hidden) return nullptr;
  constexpr int samples = 12;
  PathPlan course;
  course.knots = knots_of(structure.dae, until);
  for (int k = 0; k <= samples; ++k) course.grid.push_back(until * k / samples);
  for (const DaeUnknown& x : structure.dae.unknowns) course.kinds.push_back(x.kind);
  course.units = structure.dae.units;
  JetPath path = follow(structure.solve, structure.start, course);
  if (structure.singular_start) path.jets.erase(path.jets.begin());
  if (path.jets.empty()) return nullptr;
  std::optional<Sweep> wanted = Sweep::make(structure.dae, structure.formal, extra, path.jets);
  if (!wanted) return nullptr;
  auto base = [dae = structure.dae, formal = structure.formal, jets = std::move(path.jets)] {
    return Sweep::make(dae, formal, GroupedSweeps::orders, jets);
  };
  return std::make_shared<GroupedSweeps>(std::move(*wanted), std::move(base));
}

}  // namespace invar
