// See checkpoint.h.
#include "app/results/checkpoint.h"

#include "invar/base/state_bytes.h"
#include "invar/record/file.h"

namespace invar::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* opening = "invar checkpoint 1";

// Of bytes, so that a file that is damaged is noticed (FNV-1a).
std::uint64_t sum_of(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return sum;
}

std::string to_bytes(std::string table, std::string state) {
  StateWriter writer;
  std::string title = opening;
  std::uint64_t sum = sum_of(state);
  writer(title, table, state, sum);
  return writer.take();
}

Checkpoint from_bytes(const fs::path& folder) {
  const fs::path file = folder / Checkpoint::file;
  Checkpoint checkpoint{folder, {}, {}};
  std::string title;
  std::uint64_t sum = 0;
  const std::string bytes = read_text(file);
  try {
    StateReader reader(bytes);
    reader(title, checkpoint.table, checkpoint.state, sum);
    reader.finish();
  } catch (const InputError&) {
    sum = 0;
  }
  if (title != opening || sum != sum_of(checkpoint.state))
    throw InputError(file.string() + ": is no checkpoint of this program, or is damaged");
  return checkpoint;
}

}  // namespace

std::optional<Checkpoint> find_checkpoint(const fs::path& place) {
  std::optional<fs::path> latest;
  fs::file_time_type time;
  for (const fs::path& folder : {place, incomplete_beside(place)}) {
    std::error_code error;
    const fs::file_time_type written = fs::last_write_time(folder / Checkpoint::file, error);
    if (error || (latest && written < time)) continue;
    latest = folder;
    time = written;
  }
  return latest ? std::optional(from_bytes(*latest)) : std::nullopt;
}

CheckpointFile::CheckpointFile(ResultFolder& results, ResultRows& rows, Summary unfinished)
    : results_(results), rows_(rows), unfinished_(std::move(unfinished)) {}

void CheckpointFile::go_on(const Checkpoint& earlier) {
  write(rows_.go_on(earlier.folder, earlier.table), earlier.state);
}

void CheckpointFile::keep(const std::string& state) { write(rows_.store(), state); }

void CheckpointFile::write(const std::string& table, const std::string& state) {
  results_.write(Checkpoint::file, to_bytes(table, state));
  flush_to_disk(results_.path() / Checkpoint::file);
  flush_to_disk(results_.path());
  if (begun_) return;
  results_.write("summary.json", to_json(unfinished_));
  results_.write(ResultFolder::incomplete, unfinished_.message + "\n");
  results_.is_worth_keeping();
  begun_ = true;
}

}  // namespace invar::app
