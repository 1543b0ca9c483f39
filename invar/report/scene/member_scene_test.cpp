// Laws of the line that is drawn through the nodes of a beam or string, and of its colours.
#include "invar/report/scene/member_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace invar {
namespace {

constexpr double rounding = 1e-12;  // of places of size 1

// Cubics with the slopes of parabolas through three nodes are parabolas where the nodes are on one.
TEST(MemberLines, TheLineThroughNodesIsExactForParabolas) {
  SceneItem item{.kind = SceneItem::Kind::member, .count = 4};
  item.member.nodes = {0.0, 0.3, 1.1, 1.5};
  const auto parabola = [](double s) { return Vector3(s, 0.4 * s * s - s, 1.0 - s * s); };
  for (const double s : item.member.nodes)
    for (const double x : parabola(s)) item.places.push_back(x);
  const std::vector<MemberPlace> places = places_along(item, 3, 0, 30);
  EXPECT_EQ(places.size(), 31u);
  for (const MemberPlace& p : places) {
    EXPECT_LT((p.at - parabola(p.at.x())).norm(), rounding);
    EXPECT_TRUE(std::isnan(p.share));
  }
  for (const double s : item.member.nodes)
    EXPECT_TRUE(std::ranges::any_of(places, [&](const MemberPlace& p) { return std::abs(p.at.x() - s) < rounding; }));
}

TEST(MemberLines, SharesOfTheRangeAreStraightBetweenPointsAndConstantBeyond) {
  SceneItem item{.kind = SceneItem::Kind::member, .count = 2, .places = {0.0, 0.0, 4.0, 0.0}};
  item.member.nodes = {0.0, 4.0};
  item.member.points = {1.0, 3.0};
  item.member.forces = {{"M1", "N m", {3.0, -6.0}, {}, {}}, {"M2", "N m", {4.0, -8.0}, {}, {}}};
  item.member.colour = {"bending moment", "N m", {"M1", "M2"}, true, 0.0, 10.0};
  for (const MemberPlace& p : places_along(item, 2, 0, 16))
    EXPECT_NEAR(p.share, std::clamp(0.5 + (p.at.x() - 1.0) / 4.0, 0.5, 1.0), rounding);
}

}  // namespace
}  // namespace invar
