// See mpi_crew.h. MPI would wait at full speed; we sleep between looks, ever longer up to a millisecond.
#include "invar/sweep/mpi_crew.h"

#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "invar/base/error.h"
#include "invar/base/shared_library.h"

namespace invar {

namespace {

constexpr std::chrono::microseconds shortest_sleep(20), longest_sleep(1000);

// How the launchers of Open MPI, MPICH, PMIx and Slurm tell how many programs there are.
bool is_one_of_several() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
    if (const char* count = std::getenv(name)) return std::atoi(count) > 1;
  return std::getenv("PMIX_RANK") != nullptr;
}

void* library() {
#ifdef INVAR_MPI_LIBRARY
  for (const std::filesystem::path& folder : own_folders())
    for (const char* place : {INVAR_MPI_LIBRARY, INVAR_MPI_INSTALLED})
      if (void* found = ::dlopen((folder / place).c_str(), RTLD_NOW | RTLD_GLOBAL)) return found;
#endif
  return nullptr;
}

const MpiFunctions* start() {
  if (!is_one_of_several()) return nullptr;
  void* const found = library();
  const auto entry = found ? reinterpret_cast<MpiEntry>(::dlsym(found, mpi_entry)) : nullptr;
  if (entry == nullptr)
    throw InputError(
        "invar: started by mpirun, but this invar was built without MPI; use invar sweep --part K/N on "
        "each machine, and --merge");
  const MpiFunctions* mpi = entry();
  if (mpi == nullptr) throw InputError("invar: MPI cannot be started");
  std::atexit(mpi->finish);
  return mpi;
}

std::optional<std::string> next_message(const MpiFunctions& mpi, int& from) {
  std::size_t size = 0;
  if (!mpi.waiting(&from, &size)) return std::nullopt;
  std::string text(size, '\0');
  mpi.receive(from, text.data(), size);
  return text;
}

}  // namespace

const MpiFunctions* started_by_mpi() {
  static const MpiFunctions* const mpi = start();
  return mpi && mpi->size > 1 ? mpi : nullptr;
}

std::optional<Crew::Message> MpiCrew::receive() {
  constexpr int looks = 100;
  int from = 0;
  auto sleep = shortest_sleep;
  for (int look = 0; look < looks; ++look) {
    if (std::optional<std::string> text = next_message(mpi_, from))
      return Message{static_cast<std::size_t>(from - 1), std::move(text)};
    std::this_thread::sleep_for(sleep);
    sleep = std::min(2 * sleep, longest_sleep);
  }
  return std::nullopt;
}

void MpiCrew::send(std::size_t worker, const std::string& text) {
  mpi_.send(static_cast<int>(worker) + 1, text.data(), text.size());
  if (text.empty()) ++dismissed_;
}

void MpiForeman::send(const std::string& text) { mpi_.send(0, text.data(), text.size()); }

std::string MpiForeman::receive() {
  int from = 0;
  for (auto sleep = shortest_sleep;; sleep = std::min(2 * sleep, longest_sleep)) {
    if (std::optional<std::string> text = next_message(mpi_, from)) return *std::move(text);
    std::this_thread::sleep_for(sleep);
  }
}

}  // namespace invar
