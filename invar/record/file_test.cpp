// Whole files in and out, and one line for what the system refuses.
#include "invar/record/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "invar/base/error.h"

namespace invar {
namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

std::string error_of(const std::filesystem::path& path, std::size_t limit = 16 * megabyte) {
  try {
    read_text(path, limit);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

class FileTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path); }
  const std::string path = testing::TempDir() + "invar_file_test_" + std::to_string(getpid());
};

TEST_F(FileTest, what_is_written_is_read_back) {
  std::string text("a\0b\r\n", 5);
  text.append(3 * megabyte, 'x');
  write_text(path, text);
  EXPECT_EQ(read_text(path), text);
}

TEST_F(FileTest, the_limit_is_the_largest_size_that_is_read) {
  write_text(path, std::string(megabyte, 'x'));
  EXPECT_EQ(read_text(path, megabyte).size(), megabyte);
  write_text(path, std::string(megabyte + 1, 'x'));
  EXPECT_EQ(error_of(path, megabyte), path + ": larger than 1 MB");
}

// Neither is waited for.
TEST_F(FileTest, what_is_no_file_is_refused_in_words) {
  EXPECT_EQ(error_of("/dev/zero"), "/dev/zero: is a device, not a file");
  EXPECT_EQ(error_of("/dev/tty").rfind("/dev/tty: ", 0), 0u);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(error_of(path), path + ": is a pipe, not a file");
}

TEST_F(FileTest, what_is_replaced_is_whole_at_any_moment) {
  write_text(path, "first");
  replace_text(path, "second");
  EXPECT_EQ(read_text(path), "second");
  const std::string link = path + "_link";
  std::filesystem::create_symlink(path, link);
  replace_text(link, "third");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_text(path), "third");
  std::filesystem::remove(link);
  EXPECT_THROW(replace_text(path + "/below", "x"), OutputError);
  EXPECT_EQ(read_text(path), "third");
}

// Whoever mistyped a name can mend that; what the system refuses, nobody who writes models can.
TEST_F(FileTest, wrong_names_are_no_failures_of_the_system) {
  const auto is_failure = [](const std::filesystem::path& place) {
    try {
      read_text(place);
    } catch (const FileError&) {
      return true;
    } catch (const InputError&) {
      return false;
    }
    return false;
  };
  EXPECT_FALSE(is_failure("/no/such/file"));
  EXPECT_FALSE(is_failure("/etc/passwd/x"));
  EXPECT_FALSE(is_failure(std::string(5000, 'x')));
  EXPECT_TRUE(is_failure("/proc/self/mem")) << "there is nothing at address zero";
}

TEST_F(FileTest, what_cannot_be_read_gives_the_reason) {
  EXPECT_EQ(error_of("/no/such/file"), "/no/such/file: cannot be opened: No such file or directory");
  EXPECT_EQ(error_of(""), ": cannot be opened: No such file or directory");
  EXPECT_EQ(error_of("/"), "/: is a folder, not a file");
  EXPECT_EQ(error_of("/no\nsuch"), "/no such: cannot be opened: No such file or directory");
}

TEST_F(FileTest, no_permission_gives_the_reason) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  write_text(path, "secret");
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  EXPECT_EQ(error_of(path), path + ": cannot be opened: Permission denied");
}

TEST_F(FileTest, what_cannot_be_written_gives_the_reason) {
  const auto error = [](const char* place) -> std::string {
    try {
      write_text(place, std::string(megabyte, 'x'));
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_EQ(error("/no/such/file"), "/no/such/file: cannot be written: No such file or directory");
  EXPECT_EQ(error("/"), "/: cannot be written: Is a directory");
  if (std::filesystem::exists("/dev/full")) {
    EXPECT_EQ(error("/dev/full"), "/dev/full: cannot be written: No space left on device");
  }
}

}  // namespace
}  // namespace invar
