// Names for what is not ready to stand in its place: ".NAME.PURPOSE-PROCESS-NUMBER" in the same folder, so that it can
// be renamed. A process that is killed leaves it there; whoever comes next to the same place finds it.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace invar {

// A name that nothing else has.
std::filesystem::path name_beside(const std::filesystem::path& place, std::string_view purpose);

// What stands beside a place for this purpose and belongs to no process any more: its number is gone, and nobody holds
// it. Where the file system cannot tell (other machines may share it), nothing.
std::vector<std::filesystem::path> left_beside(const std::filesystem::path& place, std::string_view purpose);

// Tells others, on this machine and in its containers, that a file or folder is in use. Nothing is lost where the file
// system does not know that.
class Hold {
 public:
  Hold() = default;
  explicit Hold(const std::filesystem::path& what);
  ~Hold();
  Hold(Hold&& other) noexcept;
  Hold& operator=(Hold&& other) noexcept;

  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

}  // namespace invar
