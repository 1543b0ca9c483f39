// How good the mesh of an optimal motion is, as plain data for the summary.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace invar {

struct MeshQuality {
  // How far the motion of the mesh is from what its inputs do on steps of a fraction of the size.
  struct Error {
    std::string coordinate;     // that ends farthest off, measured by the way it goes
    std::optional<double> end;  // so far, in its own unit; none if the finer steps do not get there
    double relative = 0.0;      // to the way it goes
    double steps = 0.0;         // likewise, the sum of what each step alone leaves out
    bool grows = false;         // the plant makes far more of it than that sum: it is unstable in open loop
  };
  // The largest violation of a bound or path condition between the nodes.
  struct Between {
    std::string limit;
    double amount = 0.0, t = 0.0;
  };
  std::optional<Error> error;
  std::optional<Between> between;  // none if the motion comes near no limit
  std::size_t inner_places = 0;    // between nodes where limits had to be asked for
  std::string no_limit;            // why the costs of several meshes have no limit
};

}  // namespace invar
