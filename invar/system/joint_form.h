// Joint coordinates of bodies that a system describes by redundant ones, q = F(μ): for whatever is quicker in them.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "invar/base/once.h"
#include "invar/system/reduce.h"

namespace invar {

struct TreeForm {
  Mapping mapping;
  std::vector<double> start;  // μ where the bodies were drawn
};

// Made when it is first asked for, by whichever copy of the system.
class JointForms {
 public:
  JointForms(const System& of, std::function<std::optional<TreeForm>()> make)
      : kinetic_(of.kinetic), potential_(of.potential), make_(std::move(make)) {}

  // Nothing if there is none, or if the system has other energies than the one it was made for.
  const TreeForm* find(const System& system) {
    if (system.kinetic != kinetic_ || system.potential != potential_) return nullptr;
    const std::optional<TreeForm>& form = form_.get(make_);
    return form ? &*form : nullptr;
  }

 private:
  Expr kinetic_, potential_;
  std::function<std::optional<TreeForm>()> make_;
  Once<std::optional<TreeForm>> form_;
};

}  // namespace invar
