// Laws of what is recorded: read(write(x)) = x; whatever is cut off or spoilt at the end, all before it stays; parts
// and restarts put together give what one start gives.
#include "invar/sweep/sweep_journals.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "invar/base/error.h"
#include "invar/record/file.h"

namespace invar {
namespace {

namespace fs = std::filesystem;

class Journals : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  fs::path folder = fs::temp_directory_path() / ("invar_journals_" + std::to_string(::getpid()));
};

// Any case has numbers of its own; every third one has another list of names, every fifth failed.
CaseRecord example(std::uint64_t k) {
  const double x = static_cast<double>(k);
  CaseRecord record{k, CaseStatus::done, {}, {{"steps", x}, {"x.end", std::sin(x)}}, {}};
  if (k % 3 == 0) record.numbers.push_back({"extra", -0.0});
  if (k % 4 == 0) record.series = {{"t", {0.0, 0.1, 0.2}}, {"x", {x, std::nan(""), -x}}};
  if (k % 5 == 1) record = {k, CaseStatus::failed, "no \"value\",\nat t = 1", {}, {}};
  return record;
}

void expect_same_bytes(const CaseRecord& a, const CaseRecord& b) {
  CaseEncoder one, other;
  EXPECT_EQ(one.encode(a), other.encode(b)) << a.number << " and " << b.number;
}

std::vector<CaseRecord> all_of(const SweepJournals& journals) {
  std::vector<CaseRecord> list;
  journals.visit([&](const CaseRecord& record) { list.push_back(record); });
  return list;
}

TEST_F(Journals, GiveBackWhatWasAppended) {
  constexpr std::uint64_t cases = 40;
  {
    SweepJournals journals(folder, "a", cases);
    journals.open({});
    for (std::uint64_t k = cases; k-- > 0;) journals.append(example(k));
    EXPECT_TRUE(journals.is_complete());
  }
  const SweepJournals again(folder, "a", cases);
  EXPECT_TRUE(again.is_complete());
  EXPECT_EQ(again.counts().failed, 8U);
  EXPECT_EQ(again.counts().first_not_done, 1U);
  EXPECT_EQ(again.names().numbers, (std::vector<std::string>{"steps", "x.end", "extra"}));
  EXPECT_EQ(again.names().series, (std::vector<std::string>{"t", "x"}));
  const std::vector<CaseRecord> found = all_of(again);
  ASSERT_EQ(found.size(), cases);
  for (std::uint64_t k = 0; k < cases; ++k) expect_same_bytes(found[k], example(k));
}

// Wherever the file is cut, and whichever byte of its end is spoilt, whole records before it are kept and the next
// start goes on from there.
TEST_F(Journals, OutliveEveryCut) {
  constexpr std::uint64_t cases = 7;
  {
    SweepJournals journals(folder, "a", cases);
    journals.open({});
    for (std::uint64_t k = 0; k < cases; ++k) journals.append(example(k));
  }
  const fs::path path = folder / "part-1-of-1.journal";
  const std::string whole = read_text(path);
  std::vector<std::uint64_t> ends;  // of cases
  read_records(path, [&](std::string_view payload, std::uint64_t place) {
    if (payload.front() == 'C') ends.push_back(place + payload.size());
  });
  EXPECT_EQ(ends.size(), cases);
  EXPECT_EQ(ends.back(), whole.size());
  std::mt19937 random(1);
  for (std::size_t size = 0; size <= whole.size(); size += 5) {
    std::string torn = whole.substr(0, size);
    if (size % 2 == 0 && size > 0) torn.back() = static_cast<char>(torn.back() ^ (1 + random() % 255));
    write_text(path, torn);
    std::uint64_t kept = 0;
    {
      SweepJournals journals(folder, "a", cases);
      kept = journals.counts().all();
      journals.open({});
      for (std::uint64_t k = 0; k < cases; ++k)
        if (!journals.recorded()[k]) journals.append(example(k));
    }
    const SweepJournals after(folder, "a", cases);
    ASSERT_TRUE(after.is_complete()) << size;
    const std::vector<CaseRecord> found = all_of(after);
    for (std::uint64_t k = 0; k < cases; ++k) expect_same_bytes(found[k], example(k));
    const bool is_spoilt = size % 2 == 0 && size > 0;
    const auto good = static_cast<std::uint64_t>(is_spoilt ? size - 1 : size);
    EXPECT_EQ(kept, std::ranges::count_if(ends, [&](std::uint64_t end) { return end <= good; }));
  }
}

TEST_F(Journals, OfPartsAreOneSweep) {
  constexpr std::uint64_t cases = 20;
  for (std::uint64_t part = 1; part <= 3; ++part) {
    SweepJournals journals(folder, "a", cases);
    journals.open({part, 3});
    for (std::uint64_t k = 0; k < cases; ++k)
      if (SweepPart{part, 3}.has(k)) journals.append(example(k));
  }
  const SweepJournals together(folder, "a", cases);
  EXPECT_TRUE(together.is_complete());
  EXPECT_EQ(together.names().numbers, (std::vector<std::string>{"steps", "x.end", "extra"}));
  const std::vector<CaseRecord> found = all_of(together);
  for (std::uint64_t k = 0; k < cases; ++k) expect_same_bytes(found[k], example(k));
}

TEST_F(Journals, OfAnotherSweepAreRefused) {
  {
    SweepJournals journals(folder, "a", 3);
    journals.open({});
    journals.append(example(0));
    EXPECT_THROW(RecordFile other(folder / "part-1-of-1.journal"), InputError) << "only one may append";
  }
  EXPECT_THROW(SweepJournals(folder, "b", 3), InputError);
}

TEST_F(Journals, WithoutARunLeaveNothing) {
  fs::remove(folder);
  {
    SweepJournals(folder, "a", 3).open({});
  }
  EXPECT_FALSE(fs::exists(folder));
}

TEST(Checksum, IsThatOfTheStandard) { EXPECT_EQ(checksum("123456789"), 0xCBF43926U); }

}  // namespace
}  // namespace invar
