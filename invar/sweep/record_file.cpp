// See record_file.h.
#include "invar/sweep/record_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "invar/base/message.h"
#include "invar/record/file.h"

namespace invar {

namespace {

constexpr std::size_t head_size = 8, piece_size = std::size_t{1} << 20;

constexpr std::array<std::uint32_t, 256> crc_table = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = table[i] >> 1 ^ (table[i] & 1U ? 0xEDB88320U : 0U);
  }
  return table;
}();

void put(std::string& bytes, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift & 0xffU);
}

std::uint32_t get(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number |= std::uint32_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
  return number;
}

}  // namespace

std::uint32_t checksum(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  for (const char c : bytes) crc = crc_table[(crc ^ static_cast<unsigned char>(c)) & 0xffU] ^ crc >> 8;
  return ~crc;
}

std::string framed(std::string_view payload) {
  std::string frame;
  frame.reserve(head_size + payload.size());
  put(frame, static_cast<std::uint32_t>(payload.size()));
  put(frame, checksum(payload, checksum(frame)));
  return frame += payload;
}

std::uint64_t read_records(const std::filesystem::path& path, const RecordVisitor& visit) {
  const std::unique_ptr<std::FILE, decltype([](std::FILE* f) { std::fclose(f); })> file(std::fopen(path.c_str(), "rb"));
  if (!file) throw OutputError(display(path.string()) + ": cannot be read: " + std::generic_category().message(errno));
  std::string bytes;
  std::size_t at = 0;        // of what is not yet visited
  std::uint64_t before = 0;  // bytes of the file in front of `bytes`
  const auto has = [&](std::size_t count) {
    while (bytes.size() - at < count) {
      bytes.erase(0, at);
      before += std::exchange(at, 0);
      const std::size_t old = bytes.size();
      bytes.resize(old + std::max(piece_size, std::min(count, 64 * piece_size)));
      const std::size_t read = std::fread(bytes.data() + old, 1, bytes.size() - old, file.get());
      bytes.resize(old + read);
      if (read == 0) return false;
    }
    return true;
  };
  while (has(head_size)) {
    const std::string_view head(bytes.data() + at, head_size);
    const std::uint32_t length = get(head), crc = get(head.substr(4));
    if (!has(head_size + length)) break;
    const std::string_view frame(bytes.data() + at, head_size + length), payload = frame.substr(head_size);
    if (checksum(payload, checksum(frame.substr(0, 4))) != crc) break;
    visit(payload, before + at + head_size);
    at += frame.size();
  }
  return before + at;
}

RecordFile::RecordFile(const std::filesystem::path& path)
    : name_(path.string()), file_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail(errno);
  if (::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;  // some file systems have no locks
  ::close(file_);
  throw InputError(display(name_) + ": another invar is at work on it");
}

RecordFile::~RecordFile() { ::close(file_); }

void RecordFile::fail(int code) const {
  throw OutputError(display(name_) + ": cannot be written: " + std::generic_category().message(code));
}

void RecordFile::end_at(std::uint64_t size) {
  if (::ftruncate(file_, static_cast<off_t>(size)) != 0) fail(errno);
  size_ = size;
}

void RecordFile::append(std::string_view records) {
  for (std::size_t done = 0; done < records.size();) {
    const ssize_t written = ::write(file_, records.data() + done, records.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int code = errno;
      static_cast<void>(::ftruncate(file_, static_cast<off_t>(size_)));
      fail(code);
    }
    done += static_cast<std::size_t>(written);
  }
  size_ += records.size();
}

void RecordFile::settle() { ::fdatasync(file_); }

}  // namespace invar
