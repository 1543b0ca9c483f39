// Recording a step allocates nothing once room was made; this program counts every allocation.
#include <gtest/gtest.h>

#include "invar/math/count_allocations.h"
#include "invar/record/observer.h"
#include "invar/record/trajectory.h"

namespace invar {
namespace {

using test::allocations;

TEST(Record, no_allocation_after_the_first_row) {
  System s;
  s.add_coordinate("x");
  s.kinetic = 0.5 * pow(at(s.coordinates[0], 1), 2);
  s.potential = cos(at(s.coordinates[0]));
  s.add_constraint("c", sin(at(s.coordinates[0])));
  Observer observer(s);
  Trajectory trajectory{observer.columns(), {}};
  constexpr std::size_t rows = 100;
  trajectory.reserve(rows);
  const std::vector one = {0.5};
  const auto record = [&] { observer.observe(0.1, one, one, one, {}, {}, trajectory.append()); };

  record();
  const long before = allocations;
  for (std::size_t i = 1; i < rows; ++i) record();
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(trajectory.rows(), rows);
}

}  // namespace
}  // namespace invar
