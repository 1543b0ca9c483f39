// How the equations of a model are written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace invar {

enum class Formulation {
  formula,   // as the file gives them
  director,  // of bodies: redundant coordinates, with constraints
  minimal,   // of bodies: joint coordinates
  lie,       // of bodies: on the rotation group
};

std::string name_of(Formulation formulation);
// Nothing for names of none that models of bodies can have.
std::optional<Formulation> formulation_of_bodies(std::string_view name);

}  // namespace invar
