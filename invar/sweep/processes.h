// Workers of a sweep that are processes of their own on this machine, so that each can be given a limit of memory, and
// none takes others with it when it dies.
#pragma once

#include <memory>

#include "invar/sweep/crew.h"

namespace invar {

class Processes : public Crew {
 public:
  // Must be called while this program has a single thread. `memory` is how many bytes a worker may need beyond what
  // there is now; 0: any.
  Processes(std::size_t count, double memory, RunCase run);
  ~Processes() override;

  std::size_t size() const override { return workers_.size(); }
  std::optional<Message> receive() override;
  void send(std::size_t worker, const std::string& text) override;
  bool replace(std::size_t worker) override;

 private:
  struct Worker {
    int process = -1, to = -1, from = -1;
    std::string partial = {};  // of a message
  };

  void begin(Worker& worker);
  void end(Worker& worker);
  std::string last_words(Worker& worker) const;

  const double memory_;
  const RunCase run_;
  std::vector<Worker> workers_;
};

}  // namespace invar
