// Results appear whole or not at all, and never in place of something that is not ours.
#include "invar/record/folder/result_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "invar/base/error.h"
#include "invar/record/file.h"
#include "invar/record/summary.h"

namespace invar {
namespace {

namespace fs = std::filesystem;

class ResultFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "invar_result_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    base = fs::canonical(name);
  }
  void TearDown() override { fs::remove_all(base); }

  std::vector<std::string> names(const fs::path& folder) const {
    std::vector<std::string> list;
    for (const auto& entry : fs::directory_iterator(folder)) list.push_back(entry.path().filename());
    std::ranges::sort(list);
    return list;
  }
  static void put_result(const fs::path& place, const std::string& text) {
    ResultFolder folder(place);
    folder.write("summary.json", to_json(Summary{}));
    folder.write("result.csv", text);
    folder.commit();
  }
  static std::string refusal(const fs::path& place) {
    try {
      ResultFolder folder(place);
    } catch (const InputError& e) {
      return e.what();
    }
    return "accepted";
  }

  fs::path base;
};

using Names = std::vector<std::string>;
const std::string not_ours = ": exists and is not an Invar result; choose another --out";

TEST_F(ResultFolderTest, appears_at_commit_and_not_before) {
  {
    ResultFolder folder(base / "x");
    folder.write("summary.json", to_json(Summary{}));
    EXPECT_FALSE(fs::exists(base / "x"));
    EXPECT_EQ(folder.path().parent_path(), base);
    EXPECT_EQ(folder.path().filename().string().rfind(".x.partial-", 0), 0u);
    folder.commit();
  }
  EXPECT_EQ(names(base), Names{"x"});
  EXPECT_EQ(names(base / "x"), Names{"summary.json"});
}

TEST_F(ResultFolderTest, without_commit_nothing_is_left) {
  {
    ResultFolder folder(base / "a/b/x");
    folder.write("result.csv", "t\n");
  }
  EXPECT_EQ(names(base), Names{});
  put_result(base / "x", "first");
  {
    ResultFolder folder(base / "x");
  }
  EXPECT_EQ(read_text(base / "x/result.csv"), "first");
  EXPECT_EQ(names(base), Names{"x"});
}

TEST_F(ResultFolderTest, makes_missing_parents) {
  put_result(base / "a/b/x", "1");
  EXPECT_EQ(read_text(base / "a/b/x/result.csv"), "1");
  EXPECT_EQ(names(base / "a/b"), Names{"x"});
}

TEST_F(ResultFolderTest, parents_that_others_use_by_now_stay) {
  {
    ResultFolder folder(base / "a/x");
    write_text(base / "a/note", "mine");
  }
  EXPECT_EQ(names(base / "a"), Names{"note"});
}

TEST_F(ResultFolderTest, replaces_an_earlier_result_and_an_empty_folder) {
  put_result(base / "x", "first");
  put_result(base / "x/", "second");
  EXPECT_EQ(read_text(base / "x/result.csv"), "second");
  fs::create_directory(base / "empty");
  put_result(base / "empty", "third");
  EXPECT_EQ(read_text(base / "empty/result.csv"), "third");
  EXPECT_EQ(names(base), (Names{"empty", "x"}));
}

TEST_F(ResultFolderTest, leaves_alone_what_is_not_ours) {
  fs::create_directory(base / "thesis");
  write_text(base / "thesis/chapter.tex", "years of work");
  EXPECT_EQ(refusal(base / "thesis"), (base / "thesis").string() + not_ours);
  write_text(base / "thesis/summary.json", "{\"tool\": \"another\"}");
  EXPECT_EQ(refusal(base / "thesis"), (base / "thesis").string() + not_ours);
  write_text(base / "file", "text");
  EXPECT_EQ(refusal(base / "file"), (base / "file").string() + not_ours);
  fs::create_symlink(base / "nowhere", base / "dangling");
  EXPECT_EQ(refusal(base / "dangling"), (base / "dangling").string() + not_ours);
  EXPECT_EQ(names(base), (Names{"dangling", "file", "thesis"}));
  EXPECT_EQ(names(base / "thesis"), (Names{"chapter.tex", "summary.json"}));
}

TEST_F(ResultFolderTest, what_appeared_during_the_run_is_left_alone_too) {
  {
    ResultFolder folder(base / "x");
    fs::create_directory(base / "x");
    write_text(base / "x/mine", "text");
    EXPECT_THROW(folder.commit(), InputError);
  }
  EXPECT_EQ(names(base), Names{"x"});
  EXPECT_EQ(names(base / "x"), Names{"mine"});
}

TEST_F(ResultFolderTest, a_complete_result_is_not_replaced_by_an_incomplete_one) {
  const auto put = [&](const std::string& text, bool complete) {
    ResultFolder folder(base / "x");
    folder.write("summary.json", to_json(Summary{}));
    folder.write("result.csv", text);
    if (!complete) folder.write(ResultFolder::incomplete, "stopped");
    folder.commit();
    return folder.shown();
  };
  EXPECT_EQ(put("half", false), base / "x") << "there was nothing to lose";
  EXPECT_EQ(put("more", false), base / "x");
  EXPECT_EQ(put("whole", true), base / "x");
  EXPECT_EQ(put("stopped", false), base / "x-incomplete");
  EXPECT_EQ(put("again", false), base / "x-incomplete");
  EXPECT_EQ(read_text(base / "x/result.csv"), "whole");
  EXPECT_EQ(read_text(base / "x-incomplete/result.csv"), "again");
  EXPECT_EQ(names(base), (Names{"x", "x-incomplete"}));
}

// A process that is gone: its number is free again once it has been waited for.
pid_t gone_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

TEST_F(ResultFolderTest, what_killed_runs_have_left_is_removed_and_what_they_set_aside_is_put_back) {
  const std::string gone = std::to_string(gone_process()), living = std::to_string(getppid());
  put_result(base / "x", "first");
  fs::rename(base / "x", base / (".x.old-" + gone + "-7"));
  for (const std::string& name : {".x.partial-" + gone + "-1", ".x.partial-" + living + "-1",
                                  std::string(".x.partial-name"), ".y.partial-" + gone + "-1", ".x.partial-" + gone})
    fs::create_directory(base / name);
  ResultFolder folder(base / "x");
  EXPECT_EQ(read_text(base / "x/result.csv"), "first");
  EXPECT_FALSE(fs::exists(base / (".x.partial-" + gone + "-1")));
  EXPECT_TRUE(fs::exists(base / (".x.partial-" + living + "-1"))) << "it may be at work";
  EXPECT_TRUE(fs::exists(base / ".x.partial-name")) << "not ours";
  EXPECT_TRUE(fs::exists(base / (".x.partial-" + gone))) << "not ours";
  EXPECT_TRUE(fs::exists(base / (".y.partial-" + gone + "-1"))) << "of another place";
}

// What another program holds is in use, even if its process cannot be seen from here.
TEST_F(ResultFolderTest, what_is_held_is_no_left_over) {
  const fs::path left = base / (".x.partial-" + std::to_string(gone_process()) + "-1");
  fs::create_directory(left);
  {
    const Hold hold(left);
    ASSERT_TRUE(hold);
    const ResultFolder other(base / "x");
    EXPECT_TRUE(fs::exists(left));
  }
  const ResultFolder other(base / "x");
  EXPECT_FALSE(fs::exists(left));
}

// An emergency, in a process of its own that ends with it.
TEST_F(ResultFolderTest, an_emergency_removes_what_is_unfinished_and_puts_in_place_what_is_worth_keeping) {
  put_result(base / "x", "first");
  for (const bool worth : {false, true}) {
    const pid_t child = fork();
    if (child == 0) {
      ResultFolder folder(base / "x"), deep(base / "a/b/c");
      folder.write("summary.json", to_json(Summary{}));
      folder.write("result.csv", "second");
      if (worth) folder.is_worth_keeping();
      std::ofstream(folder.path() / ".report.html") << "half of it";
      put_all_away();
      _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(names(base), Names{"x"});
    EXPECT_EQ(read_text(base / "x/result.csv"), worth ? "second" : "first");
    EXPECT_EQ(names(base / "x"), (Names{"result.csv", "summary.json"}));
  }
}

TEST_F(ResultFolderTest, follows_a_link_to_an_earlier_result) {
  put_result(base / "real", "first");
  fs::create_directory_symlink(base / "real", base / "link");
  put_result(base / "link", "second");
  EXPECT_TRUE(fs::is_symlink(base / "link"));
  EXPECT_EQ(read_text(base / "real/result.csv"), "second");
}

TEST_F(ResultFolderTest, a_file_on_the_way_gives_the_reason) {
  write_text(base / "file", "text");
  EXPECT_EQ(refusal(base / "file/x"), (base / "file/x").string() + ": cannot be written: Not a directory");
  EXPECT_EQ(refusal(base / "file/a/x"), (base / "file/a/x").string() + ": cannot be written: Not a directory");
}

TEST_F(ResultFolderTest, no_permission_gives_the_reason) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  ASSERT_EQ(chmod(base.c_str(), 0500), 0);
  EXPECT_EQ(refusal(base / "x"), (base / "x").string() + ": cannot be written: Permission denied");
  ASSERT_EQ(chmod(base.c_str(), 0700), 0);
}

TEST_F(ResultFolderTest, where_no_folder_can_be_made_gives_the_reason) {
  const std::string message = refusal("/proc/invar/x");
  EXPECT_EQ(message.rfind("/proc/invar/x: cannot ", 0), 0u) << message;
}

TEST_F(ResultFolderTest, the_current_folder_and_the_root_are_refused) {
  const fs::path before = fs::current_path();
  fs::current_path(base);
  const std::string here = refusal(".");
  fs::current_path(before);
  EXPECT_EQ(here, ".: is the current folder and cannot be replaced; choose another --out");
  EXPECT_NE(refusal("/"), "accepted");
  EXPECT_NE(refusal(""), "accepted");
}

TEST_F(ResultFolderTest, two_runs_at_once_do_not_meet) {
  ResultFolder one(base / "x"), two(base / "x");
  EXPECT_NE(one.path(), two.path());
  for (ResultFolder* folder : {&one, &two}) {
    folder->write("summary.json", to_json(Summary{}));
    folder->commit();
  }
  EXPECT_EQ(names(base), Names{"x"});
}

TEST_F(ResultFolderTest, the_longest_name_that_the_system_takes) {
  const std::string name(255, 'n');
  put_result(base / name, "1");
  EXPECT_EQ(names(base), Names{name});
}

}  // namespace
}  // namespace invar
