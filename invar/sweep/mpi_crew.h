// Ranks of MPI as the crew of a sweep: rank 0 hands out the cases and records them, the others run them.
#pragma once

#include <memory>

#include "invar/sweep/crew.h"
#include "invar/sweep/mpi_functions.h"

namespace invar {

// Was this program started by mpirun or srun as one of several? Then MPI is started, once; it is finished when the
// program ends. InputError if this build has no MPI.
const MpiFunctions* started_by_mpi();

class MpiCrew : public Crew {
 public:
  explicit MpiCrew(const MpiFunctions& mpi) : mpi_(mpi) {}

  std::size_t size() const override { return static_cast<std::size_t>(mpi_.size) - 1; }
  std::optional<Message> receive() override;
  void send(std::size_t worker, const std::string& text) override;
  // How many have been sent home.
  std::size_t dismissed() const { return dismissed_; }

 private:
  const MpiFunctions& mpi_;
  std::size_t dismissed_ = 0;
};

class MpiForeman : public Foreman {
 public:
  explicit MpiForeman(const MpiFunctions& mpi) : mpi_(mpi) {}

  void send(const std::string& text) override;
  std::string receive() override;

 private:
  const MpiFunctions& mpi_;
};

}  // namespace invar
