// `invar sweep` as a shell runs it: the same bytes however it is divided, interrupted and put together.
#include <algorithm>
#include <set>

#include "app/shell_test_support.h"
#include "invar/sweep/case_codec.h"
#include "invar/sweep/record_file.h"

namespace invar::app {
namespace {

class SweepCommand : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    file("p.toml", model);
  }

  static constexpr const char* model = R"toml(name = "pendulum"
[parameters]
m = 1.0
L = 1.0
[system]
coordinates = ["x", "y"]
kinetic = "m/2*(x'^2 + y'^2)"
potential = "m*9.81*y"
[[system.constraint]]
name = "bar"
expr = "(x^2 + y^2 - L^2)/2"
[initial]
x = "L"
y = 0.0
[simulate]
until = 0.5
step = 0.005
[sweep]
over = { m = [1, 2], L = "uniform(0.5, 2)" }
samples = 15
seed = 7
record = ["figures", "end", "x.series"]
)toml";
};

TEST_F(SweepCommand, GivesTheSameBytesHoweverItIsDivided) {
  const Result run = shell(R"sh(
set -e
"$INVAR" sweep p.toml --threads 1 --out a
"$INVAR" sweep p.toml --threads 3 --quiet --out b
for part in 3 1 2; do "$INVAR" sweep p.toml --part $part/3 --threads 2 --quiet --out c; done
"$INVAR" sweep p.toml --merge --quiet --out c
"$INVAR" sweep p.toml --part 2/4 --quiet --out d
"$INVAR" sweep p.toml --quiet --out d
for other in b c d; do
  cmp a/table.csv $other/table.csv
  test ! -f a/sweep.h5 || cmp a/sweep.h5 $other/sweep.h5
  test ! -e $other.unfinished
done
)sh");
  EXPECT_EQ(run.status, 0) << run.err << run.out;
  EXPECT_NE(run.out.find("2 values of m"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("30 done\n  results in a\n"), std::string::npos) << run.out;
  EXPECT_NE(text("a/table.csv").find("case,m,L,status,steps,"), std::string::npos);
}

TEST_F(SweepCommand, MergesOnlyWhatIsComplete) {
  const Result run =
      shell(R"sh("$INVAR" sweep p.toml --part 1/2 --quiet --out a && "$INVAR" sweep p.toml --merge --out a)sh");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.err, "a.unfinished: 15 cases are still to be run\n");
  EXPECT_FALSE(exists("a"));
}

TEST_F(SweepCommand, OfOtherValuesIsNotMixedIn) {
  const Result run =
      shell(R"sh("$INVAR" sweep p.toml --part 1/2 --quiet --out a && "$INVAR" sweep p.toml --seed 8 --out a)sh");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find("a.unfinished: holds runs of another sweep"), std::string::npos) << run.err;
}

TEST_F(SweepCommand, TellsFailedRunsAsRows) {
  const Result run = shell(R"sh("$INVAR" sweep p.toml --over L=1,0 --record figures --out a)sh");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("2 done, 2 failed"), std::string::npos) << run.out;
  EXPECT_NE(text("a/table.csv").find("\n1,1,0,failed,"), std::string::npos) << text("a/table.csv");
  const Result none = shell(R"sh("$INVAR" sweep p.toml --over L=0 --over m=1 --out b)sh");
  EXPECT_EQ(none.status, 2) << "no run could be made";
}

TEST_F(SweepCommand, TakesCasesAsSpreadsheetsWriteThem) {
  file("quoted.csv", "\"m\",\"L\"\r\n\"1.5\",1\r\n2,\"0.5\"\r\n");
  file("plain.csv", "m,L\n1.5,1\n2,0.5\n");
  file("semicolons.csv", "m;L\n1,5;1\n");
  const Result run = shell(R"sh(
"$INVAR" sweep p.toml --cases quoted.csv --over m=1 --no-report --quiet --out none 2> twice
grep -v '^over\|^samples' p.toml > q.toml
"$INVAR" sweep q.toml --cases quoted.csv --no-report --quiet --out a || exit 1
"$INVAR" sweep q.toml --cases plain.csv --no-report --quiet --out b || exit 1
cmp a/table.csv b/table.csv || exit 1
grep -q '"m" is varied twice' twice || exit 1
! "$INVAR" sweep q.toml --cases semicolons.csv --out c 2> told
grep 'separated by commas, not by semicolons' told
)sh");
  EXPECT_EQ(run.status, 0) << run.err << run.out;
}

TEST_F(SweepCommand, RefusesWhatIsSaidTwice) {
  const Result twice = shell(R"sh("$INVAR" sweep p.toml --over m=1,2 --over m=5 --out a)sh");
  EXPECT_EQ(twice.status, 1);
  EXPECT_NE(twice.err.find("--over m: is given twice"), std::string::npos) << twice.err;
  EXPECT_EQ(shell(R"sh("$INVAR" sweep p.toml --reports -1 --out a)sh").status, 1);
}

TEST_F(SweepCommand, StopsRunsThatTakeTooLong) {
  const Result run =
      shell(R"sh("$INVAR" sweep p.toml --over m=1 --over L=1 --over simulate.step=0.01,1e-8 --limit 0.3s --out a)sh");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("1 done, 1 stopped"), std::string::npos) << run.out;
  EXPECT_NE(text("a/table.csv").find("took longer than 0.3 s"), std::string::npos);
}

TEST_F(SweepCommand, LeavesNothingBehindWhenItIsRefused) {
  const Result run = shell(R"sh("$INVAR" sweep p.toml --record z.end --out a)sh");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.err, "cannot record \"z.end\": the task has no column \"z\"\n");
  EXPECT_FALSE(exists("a.unfinished"));
}

// Where MPI is installed: `scripts/setup mpi`.
TEST_F(SweepCommand, GivesTheSameBytesUnderMpi) {
  const std::string as_root = geteuid() == 0 ? " --allow-run-as-root" : "";
  const std::string mpirun = " mpirun --oversubscribe" + as_root + " -n 4 ";
  if (shell("command -v mpirun > /dev/null && test -f \"$(dirname \"$INVAR\")/libinvar_mpi.so\"").status != 0)
    GTEST_SKIP() << "there is no MPI";
  // mpirun may wait for ever once a rank was killed (a deadlock at the end of PMIx), but then all ranks are gone.
  const Result run = shell("run() { timeout -k 1 60" + mpirun + "\"$@\"; }\nkilled() { timeout -k 1 8" + mpirun +
                           R"sh("$@"; }
set -e
"$INVAR" sweep p.toml --quiet --out a
run "$INVAR" sweep p.toml --quiet --out b
killed timeout -s KILL 0.15 "$INVAR" sweep p.toml --quiet --out c 2> /dev/null || true
run "$INVAR" sweep p.toml --quiet --out c
for other in b c; do
  cmp a/table.csv $other/table.csv
  test ! -f a/sweep.h5 || cmp a/sweep.h5 $other/sweep.h5
done
! run "$INVAR" sweep p.toml --record z.end --out d 2> told
grep 'cannot record "z.end"' told
)sh");
  EXPECT_EQ(run.status, 0) << run.err << run.out;
}

// Of four ranks one is killed, rank 0 or another, which ends all; INVAR_KILLS says how often.
TEST_F(SweepCommand, OutlivesKillsOfRanks) {
  if (shell("command -v mpirun > /dev/null && test -f \"$(dirname \"$INVAR\")/libinvar_mpi.so\"").status != 0)
    GTEST_SKIP() << "there is no MPI";
  const std::string as_root = geteuid() == 0 ? " --allow-run-as-root" : "";
  const std::string mpirun = " mpirun --oversubscribe" + as_root + " -n 4 ";
  const Result run = shell("run() { timeout -k 1 60" + mpirun + "\"$@\"; }\nkilled() { timeout -k 1 8" + mpirun +
                           R"sh("$@"; }
"$INVAR" sweep p.toml --over L=0.5:2:400 --no-report --quiet --out a || exit 1
complete=0
for i in $(seq ${INVAR_KILLS:-3}); do
  killed sh -c 'echo $$ > rank-$OMPI_COMM_WORLD_RANK; exec "$0" "$@"' \
    "$INVAR" sweep p.toml --over L=0.5:2:400 --no-report --quiet --out k 2> /dev/null &
  all=$!
  sleep 0.$(printf %03d $((i * 7919 % 400 + 100)))
  kill -9 $(cat rank-$((i % 4)) 2> /dev/null) 2> /dev/null
  wait $all
  rm -f rank-*
  if [ -d k ]; then
    cmp a/table.csv k/table.csv || exit 1
    complete=$((complete + 1))
    rm -r k
  fi
done
run "$INVAR" sweep p.toml --over L=0.5:2:400 --no-report --quiet --out k && cmp a/table.csv k/table.csv || exit 1
test ! -f a/sweep.h5 || cmp a/sweep.h5 k/sweep.h5 || exit 1
echo "complete before the kill: $complete"
)sh");
  EXPECT_EQ(run.status, 0) << run.err << run.out;
}

TEST_F(SweepCommand, StopsRunsThatNeedTooMuchMemory) {
  const Result run = shell(R"sh(
"$INVAR" sweep p.toml --quiet --out a && "$INVAR" sweep p.toml --memory 300MB --quiet --out b || exit 1
cmp a/table.csv b/table.csv || exit 1
"$INVAR" sweep p.toml --over m=1 --over L=1 --over simulate.step=0.005,1e-6 --record x.series --memory 8MB --out c
)sh");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("1 done, 1 stopped"), std::string::npos) << run.out;
  EXPECT_NE(text("c/table.csv").find("not enough memory"), std::string::npos);
}

// INVAR_KILLS says how often; scripts/test_sweep_kills does so 200 times.
TEST_F(SweepCommand, OutlivesKillsAtAnyMoment) {
  const Result run = shell(R"sh(
"$INVAR" sweep p.toml --quiet --out a || exit 1
complete=0
for i in $(seq ${INVAR_KILLS:-12}); do
  after=0.$(printf %03d $((i * 7919 % 60 + 5)))
  timeout -s KILL $after "$INVAR" sweep p.toml --threads 2 --quiet --out k 2> /dev/null
  if [ -d k ]; then
    cmp a/table.csv k/table.csv || exit 1
    complete=$((complete + 1))
    rm -r k
  fi
done
"$INVAR" sweep p.toml --over L=1:2:2000 --out last --quiet &
while [ ! -s last.unfinished/part-1-of-1.journal ]; do sleep 0.01; done
sleep 0.05
kill -9 $!
wait $!
cp last.unfinished/part-1-of-1.journal journal
"$INVAR" sweep p.toml --quiet --out k && cmp a/table.csv k/table.csv || exit 1
{ test ! -f a/sweep.h5 || cmp a/sweep.h5 k/sweep.h5; } || exit 1
"$INVAR" sweep p.toml --over L=1:2:2000 --out last --json
)sh");
  EXPECT_EQ(run.status, 0) << run.err << run.out;
  std::set<std::uint64_t> before;
  CaseDecoder decoder;
  read_records(folder / "journal", [&](std::string_view payload, std::uint64_t place) {
    if (place == 8) return;  // what the sweep is
    const auto head = decoder.head(payload);
    EXPECT_TRUE(!head || before.insert(head->number).second);
  });
  EXPECT_NE(run.out.find("\"found_before\": " + std::to_string(before.size()) + ","), std::string::npos)
      << before.size() << " of " << run.out;
}

}  // namespace
}  // namespace invar::app
