// See code_cache.h.
#include "invar/tape/code_cache.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <vector>

namespace invar {

namespace {

using FileTime = std::filesystem::file_time_type;

struct CachedFiles {
  bool is_folder = false;  // of a compiler at work
  std::uintmax_t size = 0;
  FileTime used = FileTime::min();
  std::vector<std::filesystem::path> paths;
};

// By key. Other processes may add and remove files meanwhile.
std::map<std::string, CachedFiles> cached_files(const std::string& folder) {
  std::map<std::string, CachedFiles> all;
  std::error_code failed;
  for (std::filesystem::directory_iterator file(folder, failed), end; !failed && file != end; file.increment(failed)) {
    std::error_code gone;
    const FileTime time = file->last_write_time(gone);
    if (gone) continue;
    const bool is_folder = file->is_directory(gone);
    CachedFiles& files = all[(is_folder ? file->path().filename() : file->path().stem()).string()];
    files.is_folder = is_folder;
    if (!is_folder) files.size += file->file_size(gone);
    files.used = std::max(files.used, time);
    files.paths.push_back(file->path());
  }
  return all;
}

void remove_files(const CachedFiles& files) {
  std::error_code gone;
  for (const std::filesystem::path& path : files.paths) std::filesystem::remove_all(path, gone);
}

}  // namespace

void mark_used(const CacheEntry& entry) {
  std::error_code gone;
  std::filesystem::last_write_time(entry.sum, FileTime::clock::now(), gone);
}

void make_room(const std::string& folder, std::uintmax_t limit, const std::string& kept) {
  using Keyed = std::pair<const std::string, CachedFiles>;
  std::map<std::string, CachedFiles> all = cached_files(folder);
  const FileTime yesterday = FileTime::clock::now() - std::chrono::hours(24);
  std::uintmax_t size = 0;
  std::vector<const Keyed*> by_age;
  for (const Keyed& entry : all) {
    if (entry.second.is_folder && entry.second.used < yesterday) remove_files(entry.second);
    if (entry.second.is_folder) continue;
    size += entry.second.size;
    if (entry.first != kept) by_age.push_back(&entry);
  }
  std::ranges::sort(by_age, {}, [](const Keyed* entry) { return entry->second.used; });
  for (const Keyed* entry : by_age) {
    if (size <= limit) break;
    remove_files(entry->second);
    size -= entry->second.size;
  }
}

}  // namespace invar
