// Laws of shared work: every case is run and delivered once, whatever the workers do, and one that dies takes only its
// own case with it.
#include "invar/sweep/crew.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <new>
#include <thread>

#include "invar/base/error.h"
#include "invar/sweep/processes.h"

namespace invar {
namespace {

CaseRecord squared(std::uint64_t k) {
  const double x = static_cast<double>(k);
  return {k, CaseStatus::done, {}, {{"square", x * x}}, {}};
}

std::map<std::uint64_t, CaseRecord> delivered(Crew& crew, std::uint64_t cases, double interval, double limit = 0.0) {
  std::map<std::uint64_t, CaseRecord> found;
  CaseQueue queue(cases, {}, std::vector<bool>(cases));
  hand_out(crew, {.queue = queue,
                  .deliver = [&](const CaseRecord& r) { EXPECT_TRUE(found.emplace(r.number, r).second) << r.number; },
                  .stop = {},
                  .interval = interval,
                  .limit = limit});
  EXPECT_EQ(found.size(), cases);
  return found;
}

TEST(Processes, RunEveryCaseOnce) {
  for (const double interval : {0.0, 0.01}) {
    Processes crew(3, 0.0, [](std::uint64_t k) { return squared(k); });
    for (const auto& [k, record] : delivered(crew, 500, interval))
      EXPECT_EQ(record.numbers.at(0).value, static_cast<double>(k * k));
  }
}

TEST(Processes, ThatDieTakeOnlyTheirCaseWithThem) {
  Processes crew(2, 0.0, [](std::uint64_t k) {
    if (k % 10 == 3) ::raise(SIGKILL);
    return squared(k);
  });
  for (const auto& [k, record] : delivered(crew, 50, 0.0)) {
    EXPECT_EQ(record.status, k % 10 == 3 ? CaseStatus::failed : CaseStatus::done);
    EXPECT_EQ(record.reason, k % 10 == 3 ? "its process was ended by signal 9" : "");
  }
}

TEST(Processes, HaveNoMoreMemoryThanTheyMayHave) {
  constexpr double limit = 64e6;
  Processes crew(2, limit, [](std::uint64_t k) -> CaseRecord {
    const std::size_t size = k == 4 ? 100'000'000 : 1'000'000;
    try {
      const std::vector<char> much(size, 'x');
      return squared(k + static_cast<std::uint64_t>(much.back() - 'x'));
    } catch (const std::bad_alloc&) {
      return {k, CaseStatus::stopped, "not enough memory", {}, {}};
    }
  });
  for (const auto& [k, record] : delivered(crew, 8, 0.0))
    EXPECT_EQ(record.status, k == 4 ? CaseStatus::stopped : CaseStatus::done) << k;
}

TEST(Processes, ThatDoNotListenAreReplaced) {
  Processes crew(2, 0.0, [](std::uint64_t k) {
    if (k == 1) std::this_thread::sleep_for(std::chrono::hours(1));
    return squared(k);
  });
  const auto found = delivered(crew, 6, 0.0, 0.2);
  EXPECT_EQ(found.at(1).status, CaseStatus::stopped);
  EXPECT_EQ(found.at(1).reason, "did not end when it was told to, after 0.2 s");
  EXPECT_EQ(found.at(5).status, CaseStatus::done);
}

TEST(Processes, TroubleOfTheSweepEndsIt) {
  Processes crew(2, 0.0, [](std::uint64_t k) -> CaseRecord {
    if (k == 2) throw UnknownColumn("no such column");
    return squared(k);
  });
  CaseQueue queue(1000, {}, std::vector<bool>(1000));
  std::size_t count = 0;
  try {
    hand_out(crew, {.queue = queue, .deliver = [&](const CaseRecord&) { ++count; }, .stop = {}, .interval = 0.0});
    FAIL() << "should have been told";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "no such column");
  }
  EXPECT_LT(count, 1000U);
}

}  // namespace
}  // namespace invar
