// A file that only grows, record by record, and survives being killed at any moment: each record has its length and a
// checksum in front. What a kill, a full disk or a broken machine left half written at the end is cut off.
//
//   file    = record …
//   record  = length of the payload (4 bytes), CRC-32 of length and payload (4 bytes), payload; the lower bytes first
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace invar {

// CRC-32 as of IEEE 802.3.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);

// A payload with what stands in front of it.
std::string framed(std::string_view payload);

// Whole records in their order, with the place of their payload; returns where the last of them ends. OutputError if
// the file cannot be read.
using RecordVisitor = std::function<void(std::string_view payload, std::uint64_t place)>;
std::uint64_t read_records(const std::filesystem::path& path, const RecordVisitor& visit);

class RecordFile {
 public:
  // Makes the file if there is none. Nothing else may append to it as long as this exists: InputError if another
  // program does.
  explicit RecordFile(const std::filesystem::path& path);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  // Cuts off what is behind the last whole record.
  void end_at(std::uint64_t size);
  // With one call of the system: after a kill all of it is there or, rarely, the end of it is missing. OutputError if
  // it cannot be stored; the file is then as before.
  void append(std::string_view records);
  // From here on it is there even if the machine stops.
  void settle();

 private:
  [[noreturn]] void fail(int code) const;

  std::string name_;
  int file_;
  std::uint64_t size_ = 0;
};

}  // namespace invar
