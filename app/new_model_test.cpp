// Models to start from run as they are written, and nothing that exists is overwritten; models from standard input.
#include "app/shell_test_support.h"
#include "app/words/model_kinds.h"

namespace invar::app {
namespace {

using NewModel = Shell;

TEST_F(NewModel, EveryKindDoesWhatItIsMadeFor) {
  for (const ModelKind& kind : model_kind_table()) {
    const std::string name(kind.name);
    const Result made = shell("$INVAR new " + name);
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(text(name + ".toml"), kind.text);
    std::istringstream tasks{std::string(kind.tasks)};
    for (std::string task; tasks >> task;) {
      EXPECT_NE(made.out.find("invar " + task + " " + name + ".toml"), std::string::npos) << made.out;
      const Result r = shell("$INVAR " + task + " " + name + ".toml" + (task == "check" ? "" : " --no-report"));
      EXPECT_EQ(r.status, 0) << task << " " << name << "\n" << r.err;
      EXPECT_EQ(r.err, "") << "a first model has no warnings";
    }
  }
}

TEST_F(NewModel, NothingIsOverwritten) {
  file("crane.toml", "mine");
  const Result r = shell("$INVAR new crane");
  EXPECT_EQ(r.status, 1);
  EXPECT_EQ(r.err, "crane.toml: is there already, and is left alone\n");
  EXPECT_EQ(text("crane.toml"), "mine");
  EXPECT_EQ(shell("$INVAR new crane --out other.toml --quiet").out, "");
  EXPECT_TRUE(exists("other.toml"));
  EXPECT_EQ(shell("$INVAR init .").err, ".: is there already and not empty, and is left alone\n");
}

TEST_F(NewModel, AProjectRunsFromItsFolder) {
  EXPECT_EQ(shell("$INVAR init work --kind arm").status, 0);
  const Result r = shell("cd work && $INVAR check arm.toml && $INVAR invert arm.toml --no-report");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_NE(text("work/.gitignore").find("out/"), std::string::npos);
  EXPECT_NE(text("work/.taplo.toml").find("\"invar.schema.json\""), std::string::npos);
  EXPECT_EQ(text("work/invar.schema.json"), shell("$INVAR schema").out);
}

TEST_F(NewModel, ModelsComeFromStandardInputToo) {
  const Result r = shell("$INVAR new formula --out - | $INVAR simulate - --no-report");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_TRUE(exists("out/formula/result.csv"));
  EXPECT_EQ(shell("echo 'name = 3' | $INVAR check -").err,
            "standard input:1:8: \"name\" must be a string, not an integer\n");
  EXPECT_EQ(shell("$INVAR check - <&-").status, 1);
}

TEST_F(NewModel, ModelsThatAreNotThereArePerhapsMistyped) {
  file("wagon.toml", "");
  EXPECT_EQ(shell("$INVAR check wagn.toml").err, "wagn.toml: there is no such file; did you mean \"wagon.toml\"?\n");
  EXPECT_EQ(shell("$INVAR check pendulun").err,
            "pendulun: there is no such file or bundled example; did you mean \"pendulum\"?\n");
  EXPECT_EQ(shell("$INVAR check nothing-like-it").err,
            "nothing-like-it: there is no such file or bundled example; see invar list\n");
}

}  // namespace
}  // namespace invar::app
