// See target.h.
#include "fuzz/target.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace invar::fuzz {

std::span<const Target> targets() {
  static const Target all[] = {formula, model, csv, mesh, results, hdf5};
  return all;
}

namespace {

// In memory where the system has such a folder.
struct Folder {
  Folder() {
    const std::filesystem::path memory = "/dev/shm";
    path = (std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path()) /
           ("invar_fuzz_" + std::to_string(::getpid()));
    std::filesystem::create_directories(path);
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path, error);
  }
  std::filesystem::path path;
};

}  // namespace

std::string as_file(std::string_view bytes, const std::string& ending) {
  static const Folder folder;
  static std::map<std::string, int> open_files;
  const std::string path = folder.path / ("input" + ending);
  const auto found = open_files.find(ending);
  const int file = found != open_files.end() ? found->second : ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  open_files[ending] = file;
  if (file < 0 || ::ftruncate(file, 0) != 0 ||
      ::pwrite(file, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::runtime_error(path + ": cannot be written");
  return path;
}

// Names may have quotes too: all from the first one to the last but for what is surely said in between.
std::string kind_of(std::string_view message) {
  constexpr std::size_t longest = 60;
  const std::size_t first = message.find('"'), last = message.rfind('"');
  std::string kind(message.substr(0, first));
  for (const std::string_view word :
       {"unknown", "missing", "must be", "cannot", "not a", "twice", "expected", "give either"})
    if (message.find(word) != message.npos) kind += word;
  if (first != message.npos) kind += message.substr(last + 1);
  std::string plain;
  for (const char c : kind.substr(0, 2 * longest))
    if ((c >= 'a' && c <= 'z') || c == ' ' || c == '[') plain += c;
  return plain;
}

std::vector<std::string> example_files(std::string_view ending, std::size_t longest, bool cut) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(INVAR_EXAMPLES_DIR))
    if (entry.path().string().ends_with(ending)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ostringstream all;
    all << std::ifstream(path).rdbuf();
    if (all.str().size() <= longest || cut) texts.push_back(all.str().substr(0, longest));
  }
  return texts;
}

}  // namespace invar::fuzz
