// Files of the cache of machine code, and what has to leave it when it grows too large.
#pragma once

#include <cstdint>
#include <string>

namespace invar {

// One function in the cache.
struct CacheEntry {
  std::string source;
  std::string library;
  std::string sum;

  CacheEntry(const std::string& folder, const std::string& key)
      : source(folder + "/" + key + ".c"), library(folder + "/" + key + ".so"), sum(folder + "/" + key + ".sum") {}
};

// The time of the digest tells when an entry was last used.
void mark_used(const CacheEntry& entry);

// Removes what was not used for longest, but not `kept`, until all that is left has at most `limit` bytes; and what
// runs that were killed have left behind a day ago or more.
void make_room(const std::string& folder, std::uintmax_t limit, const std::string& kept);

}  // namespace invar
