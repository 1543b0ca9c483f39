// What becomes of the output: closed or full streams and disks never end the program and never pass as success.
#include "app/shell_test_support.h"

namespace invar::app {
namespace {

constexpr const char* delivered_pendulum = R"(
name = "pendulum"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[[system.constraint]]
name = "rod"
expr = "x^2 + y^2 - 1"
[initial]
x = -1
y = 0
[simulate]
until = 0.5
step = 0.01
)";

class Delivery : public Shell {
 protected:
  void SetUp() override {
    Shell::SetUp();
    file("model.toml", delivered_pendulum);
    file("cart.toml", heavy_cart);
  }
};

TEST_F(Delivery, NothingIsLostAndAllIsDone) {
  EXPECT_EQ(shell("$INVAR check model.toml").status, 0);
  EXPECT_EQ(shell("$INVAR simulate model.toml --quiet >&-").status, 0) << "there was nothing to print";
  EXPECT_EQ(shell("$INVAR check model.toml 2>&-").status, 0);
  EXPECT_EQ(shell("$INVAR check model.toml 2> /dev/full").status, 0);
}

TEST_F(Delivery, AFullOutputIsNoSuccess) {
  for (const char* command :
       {"check model.toml", "check model.toml --json", "simulate model.toml", "simulate model.toml --json",
        "report out/pendulum", "list", "--help", "--version", "simulate --help"}) {
    const Result r = shell(std::string("$INVAR ") + command + " > /dev/full");
    EXPECT_EQ(r.status, 3) << command;
    EXPECT_EQ(r.err, "invar: standard output cannot be written: No space left on device\n") << command;
  }
  EXPECT_TRUE(exists("out/pendulum/summary.json")) << "the results themselves are there";
}

TEST_F(Delivery, AClosedOutputIsNoSuccess) {
  const Result r = shell("$INVAR check model.toml >&-");
  EXPECT_EQ(r.status, 3);
  EXPECT_EQ(r.err, "invar: standard output cannot be written: Bad file descriptor\n");
  EXPECT_EQ(shell("$INVAR check model.toml >&- 2>&-").status, 3);
}

// The status of what went wrong before is the more important one.
TEST_F(Delivery, ErrorsKeepTheirStatus) {
  EXPECT_EQ(shell("$INVAR check nofile.toml 2>&-").status, 1);
  EXPECT_EQ(shell("$INVAR check nofile.toml 2> /dev/full").status, 1);
  EXPECT_EQ(shell("$INVAR check nofile.toml > /dev/full 2>&-").status, 1);
  EXPECT_EQ(shell("$INVAR simulat model.toml 2>&-").status, 1);
}

TEST_F(Delivery, WarningsThatCannotBeToldAreNoSuccess) {
  EXPECT_EQ(shell("$INVAR check cart.toml").status, 0);
  EXPECT_EQ(shell("$INVAR check cart.toml 2>&-").status, 3);
  EXPECT_EQ(shell("$INVAR simulate cart.toml --quiet 2> /dev/full").status, 3);
}

// A file of results must not be taken for standard output because its descriptor was free.
TEST_F(Delivery, ResultsAreWholeWithoutStreams) {
  EXPECT_EQ(shell("$INVAR control cart.toml --out usual").status, 0);
  EXPECT_EQ(shell("$INVAR control cart.toml --out without <&- >&- 2>&-").status, 3);
  EXPECT_EQ(text("usual/result.csv"), text("without/result.csv"));
  EXPECT_EQ(text("usual/inputs.csv"), text("without/inputs.csv"));
  EXPECT_TRUE(page("without").ends_with("}"));
}

TEST_F(Delivery, AReaderThatHasReadEnoughIsNotTold) {
  const Result r = shell("(sleep 0.3; $INVAR simulate model.toml; echo $? > status) | true");
  EXPECT_EQ(r.err, "");
  EXPECT_EQ(text("status"), "3\n");
  EXPECT_TRUE(exists("out/pendulum/report.html")) << "the run went on to its end";
  EXPECT_EQ(shell("$INVAR list | head -1").out, "Schemes (--method):\n");
}

// A limit on the size of files stands for a full disk.
TEST_F(Delivery, AFullDiskLeavesNothingHalfWritten) {
  EXPECT_EQ(shell("$INVAR simulate model.toml --out earlier").status, 0);
  const std::string earlier = text("earlier/summary.json");
  for (const char* out : {"earlier", "deep/below/new"}) {
    const Result r = shell(std::string("ulimit -f 4; $INVAR simulate model.toml --out ") + out);
    EXPECT_EQ(r.status, 3) << r.err;
    EXPECT_NE(r.err.find("the results are lost"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("File too large"), std::string::npos) << r.err;
    EXPECT_NE(r.out.find("50 steps"), std::string::npos) << "what was found is told all the same";
    EXPECT_EQ(r.out.find("results in"), std::string::npos);
  }
  EXPECT_FALSE(exists("deep"));
  EXPECT_EQ(text("earlier/summary.json"), earlier) << "an earlier result survives";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    EXPECT_EQ(entry.path().filename().string().find("partial"), std::string::npos) << entry.path();
}

// Whether commands can have file systems of their own here.
bool can_mount() { return std::system("unshare -m true 2> errors_of_unshare; rm -f errors_of_unshare") == 0; }

// $1 is a disk of so many kilobytes, with an earlier result in "earlier".
constexpr const char* on_small_disk = R"(
mkdir -p disk elsewhere
unshare -m sh -c "mount -t tmpfs -o size=$1k none disk && cp -r earlier disk/earlier &&
  TMPDIR=$PWD/elsewhere '$INVAR' simulate model.toml $2 --out disk/earlier; echo \$? > status
  rm -rf after; cp -r disk/. after"
)";

TEST_F(Delivery, WhatFindsNoRoomIsKeptElsewhere) {
  if (!can_mount()) GTEST_SKIP() << "no mount namespaces here";
  ASSERT_EQ(shell("$INVAR simulate model.toml --no-report --out earlier").status, 0);
  const Result r = shell("set -- 64 '--until 20 --no-report'" + std::string(on_small_disk));
  EXPECT_EQ(text("status"), "3\n") << r.err;
  EXPECT_NE(r.err.find("No space left on device; what was kept of them is in " + folder.string() + "/elsewhere/"),
            std::string::npos)
      << r.err;
  std::string kept;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "elsewhere")) kept = entry.path().filename();
  const std::string rows = text("elsewhere/" + kept + "/result.csv");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 1 + 2001) << "names and all rows";
  EXPECT_TRUE(exists("elsewhere/" + kept + "/INCOMPLETE"));
  EXPECT_EQ(text("after/earlier/result.csv"), text("earlier/result.csv"));
  EXPECT_FALSE(exists("after/earlier/INCOMPLETE"));
  EXPECT_EQ(shell("ls -A after").out, "earlier\n");
}

TEST_F(Delivery, NumbersStandWithoutAPageThatFindsNoRoom) {
  if (!can_mount()) GTEST_SKIP() << "no mount namespaces here";
  ASSERT_EQ(shell("$INVAR simulate model.toml --no-report --out earlier").status, 0);
  const Result r = shell("set -- 200 ''" + std::string(on_small_disk));
  EXPECT_EQ(text("status"), "3\n") << r.err;
  EXPECT_NE(r.err.find("not all of the results: "), std::string::npos) << r.err;
  EXPECT_EQ(text("after/earlier/result.csv"), text("earlier/result.csv"));
  EXPECT_TRUE(exists("after/earlier/plot.svg")) << "the new result";
  EXPECT_FALSE(exists("after/earlier/report.html"));
  EXPECT_FALSE(exists("after/earlier/.report.html"));
}

TEST_F(Delivery, WhereNothingCanBeWrittenNothingIsComputed) {
  if (!can_mount()) GTEST_SKIP() << "no mount namespaces here";
  const Result r = shell(R"(
mkdir -p sealed
unshare -m sh -c "mount -t tmpfs -o ro none sealed; '$INVAR' simulate model.toml --out sealed/x; echo \$? > status")");
  EXPECT_EQ(text("status"), "3\n");
  EXPECT_EQ(r.err, "sealed/x: cannot be written: Read-only file system\n");
}

TEST_F(Delivery, AFolderThatGoesAwayDuringTheRun) {
  const Result r = shell(R"(
(while ! ls -d out/.pendulum.partial-* > found 2> missing; do sleep 0.01; done; rm -r out) &
$INVAR simulate model.toml --until 200 --step 0.001)");
  EXPECT_EQ(r.status, 3) << r.err;
  EXPECT_NE(r.err.find("what was kept of them is in out/pendulum\n"), std::string::npos) << r.err;
  EXPECT_TRUE(exists("out/pendulum/result.csv"));
  EXPECT_TRUE(exists("out/pendulum/INCOMPLETE"));
}

// Nobody waits for a pipe that nobody writes to.
TEST_F(Delivery, PipesAndDevicesAreNoModelsAndNoData) {
  const Result model = shell("mkfifo pipe; $INVAR check pipe");
  EXPECT_EQ(model.status, 1);
  EXPECT_EQ(model.err, "pipe: is a pipe, not a file\n");
  const Result device = shell("$INVAR check /dev/zero");
  EXPECT_EQ(device.status, 1);
  EXPECT_EQ(device.err, "/dev/zero: is a device, not a file\n");
  file("data.toml", std::string(delivered_pendulum) + "[[system.input]]\nname = \"F\"\nforce = { x = \"1\" }\n" +
                        "[simulate.inputs]\nfile = \"pipe\"\n");
  const Result data = shell("$INVAR check data.toml");
  EXPECT_EQ(data.status, 1);
  EXPECT_EQ(data.err, "pipe: is a pipe, not a file\n");
  EXPECT_EQ(shell("$INVAR simulate model.toml --quiet --out run; rm run/result.csv; mkfifo run/result.csv").status, 0);
  EXPECT_EQ(shell("$INVAR report run").status, 1);
}

// A model of somebody else must not show what stands elsewhere.
TEST_F(Delivery, DataOutsideTheFolderOfTheModelIsAskedFor) {
  shell(
      "mkdir -p models/data models/deep; printf 't,F\\n0,0\\n1,1\\n' > in.csv; cp in.csv models/data; "
      "ln -s ../in.csv models/link.csv; ln -s data models/inner");
  const auto model = [&](const std::string& data) {
    file("models/model.toml", std::string(delivered_pendulum) + "inputs = { file = \"" + data + "\" }\n" +
                                  "[[system.input]]\nname = \"F\"\nforce = { x = \"1\" }\n");
  };
  for (const std::string inside : {"data/in.csv", "./deep/../data/in.csv", "inner/in.csv"}) {
    model(inside);
    EXPECT_EQ(shell("$INVAR check models/model.toml").status, 0) << inside;
    EXPECT_EQ(shell("cd models; $INVAR check model.toml").status, 0) << inside;
  }
  for (const std::string& outside : {std::string("../in.csv"), std::string("link.csv"), folder.string() + "/in.csv"}) {
    model(outside);
    const Result r = shell("$INVAR check models/model.toml");
    EXPECT_EQ(r.status, 1) << outside;
    EXPECT_NE(r.err.find("is not below the folder of the model; --allow-outside lets it be read"), std::string::npos)
        << r.err;
    EXPECT_EQ(shell("$INVAR check models/model.toml --allow-outside").status, 0) << outside;
  }
}

TEST_F(Delivery, APageThatCannotBeWrittenIsNoSuccess) {
  EXPECT_EQ(shell("$INVAR simulate model.toml --quiet --out a").status, 0);
  const Result full = shell("$INVAR report a --out /dev/full");
  EXPECT_EQ(full.status, 3);
  EXPECT_EQ(full.err, "/dev/full: cannot be written: No space left on device\n");
  const Result below = shell("$INVAR report a --out model.toml/page.html");
  EXPECT_EQ(below.status, 3);
  EXPECT_EQ(below.err, "model.toml/page.html: cannot be written: Not a directory\n");
}

}  // namespace
}  // namespace invar::app
