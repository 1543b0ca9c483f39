// Newton's method with factors that are kept from one solution to the next, and the residual alone; see newton.h.
//
// Factors are made anew when that is cheaper: where the last solution took more than the average of all since they were
// made, their making included; and in the midst of a solution where the steps to go, as far as the rate θ tells,
// log(ε/|c|) / log θ, take longer than a new factorisation and the steps with it.
#include <algorithm>
#include <cmath>

#include "invar/math/newton.h"

namespace invar {
namespace {

// A step of fixed factors must leave less than half of the one before: then the solution is not farther from the start
// than twice the first.
constexpr double slowest = 0.5;
// What is taken for the rate of a first step.
constexpr double unknown_rate = 0.25;
constexpr double few_ulps = 8, near_round_off = 16;
constexpr int first_turns = 3;  // see next_way
constexpr int most_kept_steps = 30, most_renewals = 4;
// Factorisations that Newton's method takes by itself.
constexpr double newton_factors = 2;
// Steps that factors made at the start take, where that is well begun.
constexpr double steps_of_new_factors = 3;
// What goes with an unknown in each step, and with an entry of the Jacobian when it is evaluated and factored, in
// operations of a tape.
constexpr double of_an_unknown = 8, of_an_entry = 6;
// What the last improvement may leave of the tolerance: less than round-off by far, since what it leaves has the same
// sign in many steps.
constexpr double last_part = 1e-7;

}  // namespace

void Newton::set_work(double residual, double jacobian) {
  residual_work_ = residual + of_an_unknown * pattern_.rows;
  jacobian_work_ = jacobian + of_an_entry * static_cast<double>(pattern_.size());
}

NewtonResult Newton::solve(const Evaluate& evaluate, const Residual& residual, std::span<double> x) {
  if (!options_.keep_factors) return solve(evaluate, x);
  factorisations_ = 0;
  work_ = 0.0;
  const Way way = next_way();
  by_stages_ = way == Way::stages;
  if (way == Way::renewed) factors().known = false;
  if (way != Way::anew && serve(evaluate, residual, x)) {
    note_work(work_);
    NewtonResult found = result(NewtonStatus::converged, kept_steps_, x);
    found.contracted = true;
    return found;
  }
  by_stages_ = false;
  const NewtonResult found = solve_anew(evaluate, x);
  factors().known = found.status == NewtonStatus::converged && found.iterations > 0;
  if (factors().known) note_factors();
  note_work(work_ + jacobian_work_ + found.iterations * (factors().renewal_work + factors().step_work));
  return found;
}

// At first by turns, so that both kinds of factors have their pivots; what begins from far does not count.
Newton::Way Newton::next_way() {
  if (!stages_) return ways_.way() == 0 ? Way::whole : Way::renewed;  // without those of stages
  if (by_turns_ < first_turns) return by_turns_ % 2 == 0 ? Way::whole : Way::stages;
  return static_cast<Way>(ways_.way());
}

void Newton::note_work(double work) {
  if (by_turns_ == first_turns)
    ways_.took(work);
  else
    ++by_turns_;
}

// With the factors of a solution before or, if those do not serve, of this start and of places on the way.
bool Newton::serve(const Evaluate& evaluate, const Residual& residual, std::span<const double> x) {
  kept_steps_ = 0;
  std::copy(x.begin(), x.end(), current_.x.begin());
  Kept& f = factors();
  if (f.known && !f.is_worn()) {
    fresh_ = false;
    const Contraction with_kept = contract(residual);
    if (with_kept == Contraction::found) return true;
    if (with_kept == Contraction::lost) std::copy(x.begin(), x.end(), current_.x.begin());
  }
  fresh_ = true;
  for (int renewals = 0; renewals < most_renewals; ++renewals) {
    f.known = renew_factors(evaluate);
    if (!f.known) break;
    const Contraction with_new = contract(residual);
    if (with_new == Contraction::found) return true;
    if (with_new == Contraction::lost) break;
  }
  f.known = false;
  return false;
}

bool Newton::renew_factors(const Evaluate& evaluate) {
  visit(evaluate, current_);
  if (!current_.finite || !factor()) return false;
  note_factors();
  work_ += factors().renewal_work;
  return true;
}

void Newton::note_factors() {
  if (by_stages_) set_natural();
  const double solve = by_stages_ ? stages_->solve_work() : static_cast<double>(solver_.factor_entries());
  const double factor = by_stages_ ? stages_->factor_work() : solver_.factor_work();
  Kept& f = factors();
  f.step_work = residual_work_ + solve;
  f.renewal_work = f.spent = jacobian_work_ + factor;
  f.solutions = 0;
  if (by_stages_) return;
  const auto place = [&](Way way) { return static_cast<std::size_t>(way) - (stages_ ? 0 : 1); };
  ways_.expect(place(Way::renewed), f.renewal_work + steps_of_new_factors * f.step_work);
  if (stages_) ways_.expect(place(Way::anew), newton_factors * (f.renewal_work + f.step_work));
}

Newton::Contraction Newton::contract(const Residual& residual) {
  residual(current_.x, current_.residual);
  const int before = kept_steps_;
  const Contraction outcome = by_stages_ ? contract_stages(residual) : contract_rows(residual);
  Kept& f = factors();
  f.last_steps = kept_steps_ - before;
  f.spent += f.step_work * f.last_steps;
  work_ += f.step_work * f.last_steps;
  ++f.solutions;
  return outcome;
}

// Whether new factors are worth their time with so many powers of e to go.
bool Newton::gives_up(double rate, double to_go) const {
  if (to_go <= 0.0) return false;
  const Kept& f = factors();
  const double steps = to_go / -std::log(rate);
  if (fresh_) return !by_stages_ && steps * f.step_work > newton_factors * f.renewal_work;
  return (steps - to_go / -std::log(f.fresh_rate)) * f.step_work > f.renewal_work;
}

Newton::Contraction Newton::contract_rows(const Residual& residual) {
  double before = 0.0, first = 0.0;
  bool noise_before = false;
  for (int steps = 1; steps <= most_kept_steps; ++steps) {
    ++kept_steps_;
    if (!all_finite(current_.residual)) return Contraction::lost;
    correction(current_, step_);
    if (steps == 1) {
      set_typical(current_, step_);
      measure_rows(current_, step_, true);
      for (std::size_t i = 0; i < row_size_.size(); ++i) {
        step_size_[i] = row_size_[i];
        row_weight_[i] = 1 / std::max(row_size_[i], tiny);
      }
      measure_rows(current_, step_, false);
    }
    // Of the residual: corrections of multipliers feel the round-off of positions long before these are found.
    const double length = weighted_norm(current_.residual, row_weight_);
    const double rate = before > 0.0 ? length / before : slowest;
    if (!std::isfinite(length)) return Contraction::lost;
    const bool slow = rate > unknown_rate && before > 0.0, noise = slow && is_small(current_);
    // Rows that are noise may hide others that still contract, for one step more.
    const bool last = leaves_round_off(noise ? 0.0 : rate) || (noise && noise_before);
    if (!last && !noise && before > 0.0) {
      // Shorter steps are as good a sign as a shorter residual, and a better one far from the solution.
      const bool shorter = rate > slowest && unknown_norm(step_) <= slowest * unknown_norm(simplified_);
      if (rate > slowest) return length < first || shorter ? Contraction::nearer : Contraction::lost;
      if (gives_up(rate, std::log(length / options_.tolerance))) return Contraction::nearer;
    }
    for (std::size_t j = 0; j < step_.size(); ++j) current_.x[j] += step_[j];
    if (last) {
      note_rate(length, first, steps);
      return Contraction::found;
    }
    std::swap(step_, simplified_);
    residual(current_.x, current_.residual);
    if (steps == 1) first = length;
    before = std::max(length, tiny);
    noise_before = noise;
  }
  return Contraction::lost;
}

void Newton::note_rate(double length, double first, int steps) {
  constexpr double fast = 1e-3;
  if (!fresh_ || steps == 1) return;
  factors().fresh_rate = std::clamp(std::pow(length / first, 1.0 / (steps - 1)), fast, slowest);
}

// Whether every row is small now, or round-off of terms of its kind, and will be next to nothing after this step, as
// far as the rate tells; without a rate, whether it is round-off.
bool Newton::leaves_round_off(double rate) {
  const double next = last_part * options_.tolerance;
  for (std::size_t i = 0; i < row_size_.size(); ++i) {
    const double r = std::abs(current_.residual[i]), floor = few_ulps * epsilon * step_size_[i] + tiny;
    const bool small = r <= std::max(rate > 0.0 ? options_.tolerance * row_size_[i] : 0.0, floor);
    if (!small || rate * r > next * std::max(row_size_[i], step_size_[i]) + tiny) return false;
  }
  measure_error(current_);
  return true;
}

Newton::Contraction Newton::contract_stages(const Residual& residual) {
  const double round_off = few_ulps * epsilon * std::sqrt(static_cast<double>(step_.size()));
  double before = 0.0, first = 0.0, rate_before = unknown_rate;
  for (int steps = 1; steps <= most_kept_steps; ++steps) {
    ++kept_steps_;
    if (!all_finite(current_.residual)) return Contraction::lost;
    correction(current_, step_);
    const double length = weighted_norm(step_, natural_), rate = before > 0.0 ? length / before : unknown_rate;
    if (!std::isfinite(length)) return Contraction::lost;
    // They contract by turns fast and slowly, and multipliers feel what is left of positions: so the worse of two
    // rates counts, and the end is where the next step would change nothing, or no equation.
    const double tight = weighted_norm(step_, fine_), left = std::max(rate, rate_before) * tight;
    const bool noise = length <= near_round_off * round_off && rate > slowest;
    const bool last = (left <= epsilon || noise) && is_small(current_);
    if (!last && before > 0.0) {
      if (rate > slowest) return length < first ? Contraction::nearer : Contraction::lost;
      if (steps > 2 && gives_up(std::sqrt(rate * rate_before), std::log(tight / epsilon))) return Contraction::nearer;
    }
    for (std::size_t j = 0; j < step_.size(); ++j) current_.x[j] += step_[j];
    if (last) {
      note_rate(length, first, steps);
      return Contraction::found;
    }
    residual(current_.x, current_.residual);
    if (steps == 1) first = length;
    if (before > 0.0) rate_before = rate;
    before = std::max(length, tiny);
  }
  return Contraction::lost;
}

}  // namespace invar
