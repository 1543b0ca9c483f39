// What is used of MPI, as mpi_ranks.cpp offers it: that one source knows MPI and becomes a library of its own, which is
// loaded when the program was started by mpirun. Without it nothing here needs MPI.
#pragma once

#include <cstddef>

namespace invar {

struct MpiFunctions {
  int rank, size;
  void (*send)(int to, const char* bytes, std::size_t size);
  // Of the message that is next: its length and who sent it. False if there is none.
  bool (*waiting)(int* from, std::size_t* size);
  void (*receive)(int from, char* bytes, std::size_t size);
  void (*finish)();
};

// The one symbol of that library: starts MPI; a null pointer if that fails.
inline constexpr const char* mpi_entry = "invar_mpi_start";
using MpiEntry = const MpiFunctions* (*)();

}  // namespace invar
