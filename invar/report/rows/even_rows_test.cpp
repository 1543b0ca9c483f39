// Law: the rows that are kept are those of the run at one distance, from the first to the last that fits.
#include "invar/report/rows/even_rows.h"

#include <gtest/gtest.h>

namespace invar {
namespace {

TEST(EvenRows, AreRowsOfTheRunAtOneDistance) {
  for (const std::size_t count : {1u, 100u, 256u, 257u, 1000u, 100000u}) {
    EvenRows even(512);
    even.begin({"t", "x"}, count);
    for (std::size_t k = 0; k < count; ++k)
      even.append(std::vector{static_cast<double>(k), -2.0 * static_cast<double>(k)});
    even.finish();
    const Trajectory& rows = even.rows();
    EXPECT_LE(rows.rows(), 256u);
    EXPECT_EQ(rows.rows(), (count - 1) / even.distance() + 1) << count;
    EXPECT_TRUE(even.distance() == 1 || rows.rows() >= 128u) << "no more were left out than had to be";
    for (std::size_t k = 0; k < rows.rows(); ++k) {
      ASSERT_EQ(rows.row(k)[0], static_cast<double>(k * even.distance()));
      ASSERT_EQ(rows.row(k)[1], -2.0 * rows.row(k)[0]);
    }
  }
}

}  // namespace
}  // namespace invar
