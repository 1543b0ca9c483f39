// Whole files in and out, and one line for what the system refuses.
#include "invar/record/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

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

TEST_F(FileTest, devices_without_an_end_meet_the_limit) {
  EXPECT_EQ(error_of("/dev/zero"), "/dev/zero: larger than 16 MB");
}

TEST_F(FileTest, pipes_are_read_to_their_end) {
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string text(megabyte, 'x');
  std::thread writer([&] { write_text(path, text); });
  const std::string read = read_text(path);
  writer.join();
  EXPECT_EQ(read, text);
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
