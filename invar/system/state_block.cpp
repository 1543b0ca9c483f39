// See state_block.h; the arguments are those of a StateFunction.
#include "invar/system/state_block.h"

#include "invar/base/error.h"

namespace invar {

StateBlock::StateBlock(const StateFunction& f)
    : coordinates_(f.coordinates_),
      lambda_(1 + 3 * coordinates_),
      u_(lambda_ + f.multipliers_),
      given_place_(u_ + f.inputs_ + f.parameters_.size()),
      references_(f.references_),
      given_(references_.symbols().size()),
      points_(f.function_) {
  points_.fill(u_ + f.inputs_, f.parameters_);
}

void StateBlock::add(double t, std::span<const double> q, std::span<const double> v, std::span<const double> lambda,
                     std::span<const double> u) {
  expects(!is_full() && q.size() == coordinates_ && v.size() == coordinates_, "room for a state of this system");
  points_.set(0, count_, t);
  points_.set(1, count_, q);
  points_.set(1 + coordinates_, count_, v);
  points_.set(lambda_, count_, lambda);
  points_.set(u_, count_, u);
  if (!given_.empty()) {
    references_(t, given_);
    points_.set(given_place_, count_, given_);
  }
  ++count_;
}

void StateBlock::evaluate() { points_.evaluate(count_); }

}  // namespace invar
