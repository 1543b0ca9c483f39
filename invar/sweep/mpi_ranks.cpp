// The only source that knows MPI, see mpi_functions.h. Its functions are called by their profiling names: sequential
// MUMPS, by way of IPOPT, brings functions of the usual names that do nothing.
#include <mpi.h>

#include "invar/sweep/mpi_functions.h"

namespace {

constexpr int tag = 19;
invar::MpiFunctions functions;

void send(int to, const char* bytes, std::size_t size) {
  PMPI_Send(bytes, static_cast<int>(size), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

bool waiting(int* from, std::size_t* size) {
  int found = 0, count = 0;
  MPI_Status status;
  PMPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &found, &status);
  if (found == 0) return false;
  PMPI_Get_count(&status, MPI_BYTE, &count);
  *from = status.MPI_SOURCE;
  *size = static_cast<std::size_t>(count);
  return true;
}

void receive(int from, char* bytes, std::size_t size) {
  PMPI_Recv(bytes, static_cast<int>(size), MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void finish() { PMPI_Finalize(); }

}  // namespace

extern "C" const invar::MpiFunctions* invar_mpi_start() {
  int given = 0;
  if (PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS) return nullptr;
  if (given < MPI_THREAD_FUNNELED) return nullptr;
  functions = {0, 1, send, waiting, receive, finish};
  PMPI_Comm_rank(MPI_COMM_WORLD, &functions.rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &functions.size);
  return &functions;
}
