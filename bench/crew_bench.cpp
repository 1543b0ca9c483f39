// What rank 0 of a sweep under MPI takes for a message and for a record, and so where one writer ends: the others
// answer at once with records of 25 figures, which rank 0 appends to a journal. One case at a time, and in groups.
//
//   mpirun --oversubscribe -n 4 crew_bench [RECORDS]
//
// It looks for libinvar_mpi.so beside itself and above (build/release).
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "invar/sweep/mpi_crew.h"
#include "invar/sweep/sweep_journals.h"

namespace invar {
namespace {

constexpr std::size_t figures = 25;

CaseRecord record_of(std::uint64_t number) {
  CaseRecord record{number, CaseStatus::done, {}, {}, {}};
  for (std::size_t k = 0; k < figures; ++k)
    record.numbers.push_back({"figure." + std::to_string(k), 0.1 * static_cast<double>(number + k)});
  return record;
}

void measure(MpiCrew& crew, std::uint64_t cases, double interval) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("crew_bench_" + std::to_string(getpid()));
  SweepJournals journals(folder, "bench", cases);
  journals.open({});
  CaseQueue queue(cases, {}, journals.recorded());
  const auto begin = std::chrono::steady_clock::now();
  const CrewTraffic traffic = hand_out(
      crew,
      {.queue = queue, .deliver = [&](const CaseRecord& r) { journals.append(r); }, .stop = {}, .interval = interval});
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::filesystem::remove_all(folder);
  const auto runs = static_cast<double>(traffic.runs), messages = static_cast<double>(traffic.messages);
  fmt::print(
      "{:<22}{:>9} runs, {:.3f} messages and {:.1f} bytes for each; rank 0: {:.2f} µs of processor time for each, "
      "{:.0f} runs per second on the clock\n",
      interval > 0.0 ? fmt::format("groups of {:.0f} ms", 1e3 * interval) : "one at a time", traffic.runs,
      messages / runs, static_cast<double>(traffic.bytes) / runs, 1e6 * traffic.seconds / runs, runs / wall);
}

int run(std::uint64_t cases) {
  const MpiFunctions* mpi = started_by_mpi();
  if (mpi == nullptr) {
    fmt::print("start it with mpirun -n 4: it measures messages between ranks\n");
    return 0;
  }
  for (const double interval : {0.0, 0.001, 0.05}) {
    if (mpi->rank == 0) {
      MpiCrew crew(*mpi);
      measure(crew, cases, interval);
    } else {
      MpiForeman foreman(*mpi);
      work_for(foreman, record_of);
    }
  }
  return 0;
}

}  // namespace
}  // namespace invar

int main(int argc, char** argv) { return invar::run(argc > 1 ? std::stoul(argv[1]) : 100'000); }
