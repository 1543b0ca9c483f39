// Programs that share the work of a sweep, as the one that hands it out sees them: ranks of MPI, or processes on this
// machine. Messages are texts; each arrives whole.
//
//   worker ► master   hello or results: seconds that a case takes, records of cases (case_codec.h)
//   master ► worker   numbers of cases to run; none: that was all
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "invar/sweep/case_codec.h"
#include "invar/sweep/case_queue.h"
#include "invar/sweep/case_runner.h"

namespace invar {

class Crew {
 public:
  virtual ~Crew() = default;

  virtual std::size_t size() const = 0;  // workers
  struct Message {
    std::size_t worker = 0;
    std::optional<std::string> text;  // none: this worker is gone, for the reason
    std::string reason = {};
  };
  // Nothing if none came within a moment.
  virtual std::optional<Message> receive() = 0;
  virtual void send(std::size_t worker, const std::string& text) = 0;
  // In place of a worker that is gone or does not answer. Nothing if there can be none.
  virtual bool replace(std::size_t) { return false; }
};

// The other end.
class Foreman {
 public:
  virtual ~Foreman() = default;

  virtual void send(const std::string& text) = 0;
  virtual std::string receive() = 0;
};

// What a worker asks of a case: its record, or nothing if the sweep has to end.
using RunCase = std::function<std::optional<CaseRecord>(std::uint64_t number)>;

// Until there is nothing left. So many cases are asked for that messages are about `interval` seconds apart.
void work_for(Foreman& foreman, const RunCase& run);
// In place of it: the sweep ends with this reason.
void refuse_work(Foreman& foreman, const std::string& reason);

struct HandingOut {
  CaseQueue& queue;
  std::function<void(const CaseRecord& record)> deliver;
  std::function<bool()> stop;
  double interval = 0.05;  // seconds between the messages of a worker; 0: one case at a time
  double limit = 0.0;      // seconds after which a worker that runs one case is replaced; 0: never
};

// What handing out has taken: runs that others did, messages both ways, their bytes, and processor time of the thread
// that did it, recording included.
struct CrewTraffic {
  std::uint64_t runs = 0, messages = 0, bytes = 0;
  double seconds = 0.0;
};

// Until the queue is empty and all workers have gone home; what deliver throws, or a worker has to complain about, is
// thrown then.
CrewTraffic hand_out(Crew& crew, const HandingOut& work);

}  // namespace invar
