// The command line as it is read, and what is said about one that is wrong. The same table helps, completes and is the
// manual; nothing in it may be missing from one of them.
#include <algorithm>
#include <regex>

#include "app/command_line.h"
#include "app/shell_test_support.h"
#include "app/topics.h"
#include "app/words/command.h"
#include "app/words/completion.h"
#include "app/words/help.h"
#include "app/words/manual.h"
#include "invar/base/error.h"

namespace invar::app {
namespace {

Parsed parse(std::vector<const char*> words) {
  words.insert(words.begin(), "invar");
  return parse_command_line(static_cast<int>(words.size()), words.data());
}

struct Mistake {
  std::vector<const char*> words;
  std::string said;
};

TEST(CommandLine, MistakesAreToldWithTheWayOut) {
  const Mistake mistakes[] = {
      {{}, "say what to do, such as invar simulate MODEL; see invar --help"},
      {{"simulat", "x"}, "unknown command \"simulat\"; did you mean \"simulate\"?"},
      {{"--quiet"}, "unknown option --quiet; a command comes first; see invar --help"},
      {{"simulate"}, "missing MODEL; write invar simulate MODEL [options]"},
      {{"completion"}, "missing SHELL; write invar completion SHELL, SHELL being bash, zsh or fish"},
      {{"completion", "tcsh"}, "completion: unknown \"tcsh\"; there are bash, zsh or fish"},
      {{"simulate", "x", "--stepp", "1"}, "unknown option --stepp; did you mean \"--step\"?"},
      {{"simulate", "x", "--matrices"}, "unknown option --matrices, which is one of check; see invar simulate --help"},
      {{"simulate", "x", "--step"}, "--step needs a value: --step X"},
      {{"simulate", "x", "--step", "--until", "3"}, "--step needs a value: --step X"},
      {{"simulate", "x", "--step", "fast"}, "--step: \"fast\" is not a number"},
      {{"simulate", "x", "--step", "10 s"}, "--step: \"10 s\" is not a number; values are SI without units: 10"},
      {{"simulate", "x", "--step=5ms"}, "--step: \"5ms\" is not a number; values are SI without units: 5"},
      {{"simulate", "x", "--until", "10", "s"}, "too many words: s; values are SI without units"},
      {{"simulate", "x", "y"}, "too many words: y; see invar simulate --help"},
      {{"simulate", "x", "--every", "1.5"}, "--every: \"1.5\" is not a whole number"},
      {{"simulate", "x", "--step", "1", "--step", "2"}, "--step is given twice"},
      {{"simulate", "x", "--quiet=1"}, "--quiet takes no value"},
      {{"simulate", "x", "--formulation", "directer"},
       "--formulation: unknown \"directer\"; did you mean \"director\"?"},
      {{"simulate", "x", "--set", "m"}, "--set m: write --set name=value"},
      {{"simulate", "x", "--set", "m=3 kg"}, "--set m=3 kg: \"3 kg\" is not a number; values are SI without units: 3"},
      {{"sweep", "x", "--over", "m"},
       "--over m: write --over NAME=VALUES, such as --over m=50:500:10 or m=normal(4,0.1)"},
      {{"sweep", "x", "--over", "m="},
       "--over m=: write --over NAME=VALUES, such as --over m=50:500:10 or m=normal(4,0.1)"},
      {{"sweep", "x", "--task", "fly"},
       "--task: unknown \"fly\"; there are simulate, equilibrium, invert, optimize or control"},
      {{"sweep", "x", "--sampling", "lattin"}, "--sampling: unknown \"lattin\"; did you mean \"latin\"?"},
      {{"sweep", "x", "--samples", "0"}, "--samples: 0 is not positive"},
      {{"sweep", "x", "--threads", "1.5"}, "--threads: \"1.5\" is not a whole number"},
      {{"sweep", "x", "--limit", "0s"}, "--limit: 0s is not positive"},
      {{"sweep", "x", "--memory", "2 TB"}, "--memory: \"2 TB\" is not a number; values are SI without units: 2"},
      {{"sweep", "x", "--part", "3"}, "--part 3: write --part K/N, such as --part 3/16"},
      {{"sweep", "x", "--part", "4/3"}, "--part 4/3: parts are counted from 1 to N"},
      {{"completion", "csh"}, "completion: unknown \"csh\"; did you mean \"zsh\"?"},
  };
  for (const Mistake& mistake : mistakes) {
    const Parsed parsed = parse(mistake.words);
    EXPECT_FALSE(parsed.command) << mistake.said;
    EXPECT_EQ(parsed.status, 1) << mistake.said;
    EXPECT_EQ(parsed.text, "invar: " + mistake.said + "\n");
  }
}

TEST(CommandLine, OptionsAreTakenInEveryOrderAndForm) {
  const Parsed parsed = parse({"simulate", "--step=0.5", "--set", "m=-2", "m.toml", "--set=k=3", "--until", "-1e1"});
  ASSERT_TRUE(parsed.command) << parsed.text;
  EXPECT_EQ(parsed.command->model, "m.toml");
  EXPECT_EQ(parsed.command->given.value("--step"), 0.5);
  EXPECT_EQ(parsed.command->given.value("--until"), -10.0);
  EXPECT_EQ(parsed.command->overrides, (Overrides{{"m", -2.0}, {"k", 3.0}}));
  EXPECT_EQ(parse({"simulate", "-"}).command->model, "-");
  EXPECT_EQ(parse({"simulate", "--", "--odd.toml"}).command->model, "--odd.toml");
  EXPECT_EQ(parse({"report", "a", "b"}).command->arguments, (std::vector<std::string>{"a", "b"}));
}

bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !is_part(text[at - 1])) && (at + word.size() == text.size() || !is_part(text[at + word.size()])))
      return true;
  return false;
}

// roff writes a minus as \-, fish leaves the hyphens of options away.
std::string without(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
  return text;
}

TEST(CommandTable, EveryCommandAndOptionIsToldEverywhere) {
  const std::string page = without(manual_page(), "\\"), markdown = manual_markdown(), bash = completion_script("bash"),
                    zsh = completion_script("zsh"), fish = completion_script("fish");
  for (const Command& command : commands()) {
    EXPECT_NE(command.run, nullptr) << command.verb;
    EXPECT_LE(command.least, command.most);
    EXPECT_EQ(command.arguments.empty(), command.most == 0) << command.verb;
    for (const std::string& text : {overview(), page, markdown, bash, zsh, fish})
      EXPECT_TRUE(has_word(text, command.verb)) << command.verb << "\n" << text;
    const std::string help = help_on(command);
    for (const Option& option : command.options) {
      EXPECT_TRUE(option.name.starts_with("--") && !option.help.empty()) << option.name;
      for (const std::string& text : {help, page, markdown, bash, zsh})
        EXPECT_TRUE(has_word(text, option.name)) << command.verb << " " << option.name << "\n" << text;
      EXPECT_TRUE(fish.find("seen_subcommand_from " + command.verb + "' -l " + option.name.substr(2) + " ") !=
                  std::string::npos)
          << option.name;
    }
  }
  for (const ExitStatus& status : exit_statuses)
    for (const std::string& text : {help_about("errors"), page, markdown})
      EXPECT_TRUE(has_word(text, std::to_string(status.status)));
}

TEST(CommandTable, NamesAreGivenOnce) {
  std::vector<std::string> verbs;
  for (const Command& command : commands()) {
    verbs.push_back(command.verb);
    std::vector<std::string> names;
    for (const Option& option : command.options) names.push_back(option.name);
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << command.verb;
  }
  std::ranges::sort(verbs);
  EXPECT_EQ(std::ranges::adjacent_find(verbs), verbs.end());
}

TEST(Help, KnowsItsTopicsAndStaysWithin80Columns) {
  EXPECT_GT(help_topics().size(), 100u);
  for (const std::string& topic : help_topics()) {
    std::istringstream lines(help_about(topic));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      const auto wide = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
      const bool is_one_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
      EXPECT_TRUE(wide <= 80 || is_one_word) << topic << ": " << line;
    }
    EXPECT_GT(count, 0) << topic;
  }
  EXPECT_NE(help_about("step").find("--step X"), std::string::npos) << "options also without hyphens";
  EXPECT_NE(help_about("130").find("interrupted"), std::string::npos);
  EXPECT_NE(help_about("exit status").find("begins with its origin"), std::string::npos);
  EXPECT_EQ(help_about("status 130"), help_about("130"));
  EXPECT_EQ(help_about("mass").substr(0, 20), "mass, a key of [[bod") << "from the schema";
  EXPECT_NE(help_about("between").find("[[joint]]"), std::string::npos);
  EXPECT_EQ(help_about("[[joint]]"), help_about("joint")) << "as it stands in a file";
  EXPECT_NE(help_about("ln").find("log(x)"), std::string::npos) << "as others call it";
  EXPECT_NE(help_about("crane").find("invar new crane"), std::string::npos);
  EXPECT_EQ(parse({"help", "exit", "status"}).command.value().arguments.front(), "exit status");
  EXPECT_EQ(parse({"help", "--step"}).command.value().arguments.front(), "--step");
  try {
    help_about("energy-momentun");
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "invar help: nothing is known about \"energy-momentun\"; did you mean \"energy-momentum\"?");
  }
}

TEST(Manual, ThePageOfTheDocumentsIsCurrent) {
  std::ostringstream page;
  page << std::ifstream(INVAR_EXAMPLES_DIR "/../docs/command_line.md").rdbuf();
  EXPECT_EQ(page.str(), manual_markdown()) << "renew it: invar manual --markdown > docs/command_line.md";
}

using Completion = Shell;

TEST_F(Completion, IsGoodShell) {
  for (const char* name : {"bash", "zsh", "fish"}) {
    const std::string shell_name = name;
    const Result r = shell("$INVAR completion " + shell_name + " > script." + shell_name + "; if command -v " +
                           shell_name + " >/dev/null; then " + shell_name + " -n script." + shell_name + "; fi");
    EXPECT_EQ(r.status, 0) << name << r.err;
    EXPECT_EQ(r.err, "") << name;
  }
}

TEST_F(Completion, BashProposesWhatCanFollow) {
  file("ask.bash",
       "source <(\"$1\" completion bash); shift\nCOMP_WORDS=(\"$@\"); COMP_CWORD=$(( $# - 1 )); _invar\n"
       "echo \"${COMPREPLY[*]}\"\n");
  file("model.toml", "");
  const auto proposed = [&](const std::string& words) { return shell("bash ask.bash $INVAR " + words).out; };
  EXPECT_EQ(proposed("invar simul"), "simulate\n");
  EXPECT_EQ(proposed("invar simulate --form"), "--formulation --format\n");
  EXPECT_EQ(proposed("invar simulate --formulation d"), "director\n");
  EXPECT_EQ(proposed("invar simulate --method gen"), "generalized-alpha\n");
  EXPECT_EQ(proposed("invar simulate andrews_b"), "andrews_bodies\n");
  EXPECT_EQ(proposed("invar simulate mod"), "model.toml\n");
  EXPECT_EQ(proposed("invar completion f"), "fish\n");
  EXPECT_EQ(proposed("invar simulate pendulum --method = rada"), "radau5\n") << "as bash splits --method=rada";
  EXPECT_NE(proposed("invar simulate pendulum --method =").find("radau5"), std::string::npos);
}

TEST_F(Completion, FishProposesWhatCanFollow) {
  if (shell("command -v fish >/dev/null").status != 0) GTEST_SKIP() << "fish is not installed";
  const auto proposed = [&](const std::string& words) {
    return shell(
               "PATH=$(dirname $INVAR):$PATH HOME=$PWD fish --no-config -c '$INVAR completion fish | source; complete "
               "-C \"" +
               words + "\"' | cut -f1")
        .out;
  };
  EXPECT_EQ(proposed("invar simul"), "simulate\n");
  EXPECT_EQ(proposed("invar simulate pendulum --method rada"), "radau5\n");
  EXPECT_EQ(proposed("invar simulate pendulum --method=rada"), "--method=radau5\n");
  EXPECT_EQ(proposed("invar completion f"), "fish\n");
}

TEST_F(Completion, TheManualPageIsGoodRoff) {
  EXPECT_EQ(manual_page().find("\n\n"), std::string::npos) << "an empty line parts the synopsis";
  const Result r = shell(
      "$INVAR manual > invar.1; if command -v mandoc >/dev/null; then mandoc -T lint -W error "
      "invar.1; fi; if command -v groff >/dev/null; then groff -man -ww -Tutf8 -K utf8 invar.1 > "
      "/dev/null; fi");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  EXPECT_EQ(r.err, "");
}

}  // namespace
}  // namespace invar::app
