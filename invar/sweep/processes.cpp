// See processes.h. A message is its length in 8 bytes and its text, over a pipe each way.
#include "invar/sweep/processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "invar/base/error.h"

namespace invar {

namespace {

constexpr int moment = 100;  // milliseconds

std::string with_length(const std::string& text) {
  const auto size = std::bit_cast<std::array<char, 8>>(std::uint64_t{text.size()});
  return std::string(size.data(), size.size()) + text;
}

// Removes a whole message from the beginning; nothing if there is none yet.
std::optional<std::string> take_message(std::string& bytes) {
  std::array<char, 8> size{};
  if (bytes.size() < size.size()) return std::nullopt;
  std::copy_n(bytes.begin(), size.size(), size.begin());
  const auto length = std::bit_cast<std::uint64_t>(size);
  if (bytes.size() < size.size() + length) return std::nullopt;
  std::string message = bytes.substr(size.size(), length);
  bytes.erase(0, size.size() + length);
  return message;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Bytes of data that this process has now.
double data_size() {
  long pages[6] = {};
  const std::unique_ptr<std::FILE, decltype([](std::FILE* f) { std::fclose(f); })> file(
      std::fopen("/proc/self/statm", "r"));
  if (!file || std::fscanf(file.get(), "%ld %ld %ld %ld %ld %ld", pages, pages + 1, pages + 2, pages + 3, pages + 4,
                           pages + 5) != 6)
    return 0.0;
  return static_cast<double>(pages[5]) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void limit_memory(double bytes) {
  const auto most = static_cast<rlim_t>(data_size() + bytes);
  const rlimit limit = {most, most};
  ::setrlimit(RLIMIT_DATA, &limit);
}

class PipeEnd : public Foreman {
 public:
  PipeEnd(int from, int to) : from_(from), to_(to) {}

  // Without a master there is nobody to work for.
  void send(const std::string& text) override {
    if (!write_all(to_, with_length(text))) ::_exit(0);
  }
  std::string receive() override {
    for (;;) {
      if (std::optional<std::string> message = take_message(partial_)) return *std::move(message);
      char piece[1 << 12];
      const ssize_t count = ::read(from_, piece, sizeof piece);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) ::_exit(0);
      partial_.append(piece, static_cast<std::size_t>(count));
    }
  }

 private:
  int from_, to_;
  std::string partial_;
};

}  // namespace

Processes::Processes(std::size_t count, double memory, RunCase run)
    : memory_(memory), run_(std::move(run)), workers_(count) {
  for (Worker& worker : workers_) begin(worker);
}

Processes::~Processes() {
  for (Worker& worker : workers_) end(worker);
}

void Processes::begin(Worker& worker) {
  int there[2], back[2];
  if (::pipe2(there, O_CLOEXEC) != 0 || ::pipe2(back, O_CLOEXEC) != 0)
    throw InputError("--memory: no pipe to another process can be made");
  const pid_t process = ::fork();
  if (process < 0) throw InputError("--memory: no process can be started");
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);   // the journal is free as soon as its owner is gone
    for (const Worker& other : workers_)  // else they would outlive this program
      if (other.process > 0) {
        ::close(other.to);
        ::close(other.from);
      }
    ::close(there[1]);
    ::close(back[0]);
    if (memory_ > 0.0) limit_memory(memory_);
    PipeEnd foreman(there[0], back[1]);
    try {
      work_for(foreman, run_);
    } catch (const std::exception&) {
    }
    ::_exit(0);
  }
  ::close(there[0]);
  ::close(back[1]);
  worker = {process, there[1], back[0]};
}

void Processes::end(Worker& worker) {
  if (worker.process <= 0) return;
  ::close(worker.to);
  ::close(worker.from);
  ::kill(worker.process, SIGKILL);
  while (::waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR) {
  }
  worker = {};
}

std::string Processes::last_words(Worker& worker) const {
  int status = 0;
  while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  ::close(worker.to);
  ::close(worker.from);
  worker = {};
  if (WIFSIGNALED(status)) return fmt::format("its process was ended by signal {}", WTERMSIG(status));
  return fmt::format("its process ended with status {}", WEXITSTATUS(status));
}

std::optional<Crew::Message> Processes::receive() {
  std::vector<pollfd> files;
  for (const Worker& worker : workers_) files.push_back({worker.from, POLLIN, 0});  // those below 0 are passed by
  if (::poll(files.data(), files.size(), moment) <= 0) return std::nullopt;
  for (std::size_t w = 0; w < workers_.size(); ++w) {
    if (files[w].revents == 0) continue;
    char piece[1 << 16];
    const ssize_t count = ::read(workers_[w].from, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Message{w, std::nullopt, last_words(workers_[w])};
    workers_[w].partial.append(piece, static_cast<std::size_t>(count));
    if (std::optional<std::string> message = take_message(workers_[w].partial)) return Message{w, std::move(message)};
  }
  return std::nullopt;
}

// One that has died meanwhile is noticed when it is listened to.
void Processes::send(std::size_t worker, const std::string& text) {
  if (workers_[worker].process > 0) write_all(workers_[worker].to, with_length(text));
}

bool Processes::replace(std::size_t worker) {
  end(workers_[worker]);
  begin(workers_[worker]);
  return true;
}

}  // namespace invar
