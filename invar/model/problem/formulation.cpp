// See formulation.h.
#include "invar/model/problem/formulation.h"

#include "invar/base/kind_names.h"

namespace invar {

namespace {

constexpr KindName<Formulation> formulation_names[] = {
    {Formulation::formula, "formula"},
    {Formulation::director, "director"},
    {Formulation::minimal, "minimal"},
    {Formulation::lie, "lie"},
};

}  // namespace

std::string name_of(Formulation formulation) { return name_in(formulation_names, formulation); }

std::optional<Formulation> formulation_of_bodies(std::string_view name) {
  const std::optional<Formulation> found = kind_in(formulation_names, name);
  return found == Formulation::formula ? std::nullopt : found;
}

}  // namespace invar
