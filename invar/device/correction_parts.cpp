// See correction_parts.h.
#include "invar/device/correction_parts.h"

#include <algorithm>

#include "invar/tape/few_live.h"
#include "invar/tape/statements.h"
#include "invar/tape/straight_line.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

// Of one H200: an iteration of 4,800 operations and 1,559 values stored and loaded again took 16 ns, of which
// arithmetic at the peak takes 0.3. An operation counts as three at the peak do, in units of a transfer.
constexpr double operation_per_transfer = 0.03;
constexpr double worth_it = 0.9;  // of what the whole takes: parts are functions of their own

double time_of(const PartsCost& cost) {
  return static_cast<double>(cost.stores + cost.loads + cost.arguments) +
         operation_per_transfer * static_cast<double>(cost.operations);
}

}  // namespace

PartsCost cost_of_parts(std::span<const NewtonPart> parts) {
  PartsCost sum;
  for (const NewtonPart& part : parts) {
    const StraightLine line(part.function);
    std::vector<std::uint32_t> outputs;
    for (const StraightLine::Value v : line.outputs()) outputs.push_back(static_cast<std::uint32_t>(v));
    const OrderCost cost = cost_of_order(line.values(), order_with_few_live(line.values(), outputs), gpu_registers);
    sum.operations += part.function.instruction_count();
    sum.stores += cost.stores;
    sum.loads += cost.loads;
    const std::vector<bool> used = used_inputs(part.function);
    sum.arguments += static_cast<std::size_t>(std::ranges::count(used, true));
  }
  return sum;
}

std::vector<NewtonPart> correction_parts(const StepFormulas& f, std::span<const double> place, double most) {
  std::vector<NewtonPart> best = newton_parts(f.residual, f.pattern, place, most, 1);
  PartsCost least = cost_of_parts(best);
  const double whole = time_of(least);
  for (const std::size_t count : {2, 3, 4, 6, 8}) {
    if (least.stores == 0) break;
    std::vector<NewtonPart> parts = newton_parts(f.residual, f.pattern, place, most, count);
    const PartsCost cost = cost_of_parts(parts);
    if (time_of(cost) >= time_of(least) || time_of(cost) > worth_it * whole) continue;
    best = std::move(parts);
    least = cost;
  }
  return best;
}

}  // namespace invar
