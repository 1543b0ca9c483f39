// A scene as the page reads it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "invar/report/scene/scene.h"

namespace invar {

// With the times of still pictures, if there are such.
nlohmann::ordered_json scene_data(const Scene& scene, const std::vector<double>& snapshots);

}  // namespace invar
