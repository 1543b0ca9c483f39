// See page_server.h. One thread waits for all connections by poll(); what it serves is exchanged under a lock.
#include "app/serve/page_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "app/serve/answer.h"
#include "app/serve/shared_program.h"
#include "invar/base/error.h"

namespace invar::app {

namespace {

// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int operator*() const { return number_; }

 private:
  int number_;
};

void set_up(int descriptor) {
  ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

struct Connection {
  Descriptor socket;
  std::string asked = {}, to_send = {};
  bool answered = false, events = false, over = false;
  std::size_t told = 0;  // so many events

  void send() {
    while (!to_send.empty()) {
      const ssize_t count = ::send(*socket, to_send.data(), to_send.size(), 0);  // the program ignores SIGPIPE
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) over = errno != EAGAIN && errno != EWOULDBLOCK;
      if (count <= 0) return;
      to_send.erase(0, static_cast<std::size_t>(count));
    }
    if (answered && !events) over = true;
  }
};

}  // namespace

class PageServer::Server {
 public:
  explicit Server(std::string page) {
    served_.page = std::move(page);
    served_.token = random_token();
    listen();
    int ends[2];
    if (::pipe(ends) != 0) fail("a pipe");
    woken_ = Descriptor(ends[0]), wake_ = Descriptor(ends[1]);
    for (const int end : ends) set_up(end);
    thread_ = std::thread([this] { serve(); });
  }

  ~Server() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake();
    thread_.join();
  }

  std::string url() const { return "http://" + served_.host + "/" + served_.token + "/"; }

  void show(const std::string& report) {
    PageAndProgram parts = program_apart(report);
    const std::lock_guard lock(mutex_);
    served_.report = std::move(parts.page);
    served_.program = std::move(parts.program);
  }

  void tell(std::string_view event) {
    {
      const std::lock_guard lock(mutex_);
      event_ = "data: " + std::string(event) + "\n\n";
      ++events_;
    }
    wake();
  }

 private:
  [[noreturn]] static void fail(const char* what) {
    throw InputError(std::string("invar watch: ") + what + " cannot be had: " + std::strerror(errno));
  }

  void listen() {
    listening_ = Descriptor(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);  // port 0: a free one
    socklen_t size = sizeof address;
    if (*listening_ < 0 || ::bind(*listening_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::listen(*listening_, 16) != 0 || ::getsockname(*listening_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      fail("a port of 127.0.0.1");
    set_up(*listening_);
    served_.host = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }

  void wake() {
    const char byte = 0;
    while (::write(*wake_, &byte, 1) < 0 && errno == EINTR) {
    }
  }

  void serve() {
    sigset_t all;  // signals are for the thread that computes
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    for (;;) {
      std::vector<pollfd> waiting = {{*woken_, POLLIN, 0}, {*listening_, POLLIN, 0}};
      for (const Connection& c : connections_)
        waiting.push_back({*c.socket, static_cast<short>(c.to_send.empty() ? POLLIN : POLLIN | POLLOUT), 0});
      ::poll(waiting.data(), waiting.size(), -1);
      for (char bytes[64]; ::read(*woken_, bytes, sizeof bytes) > 0;) {
      }
      for (std::size_t i = 0; i < connections_.size(); ++i)
        if (waiting[i + 2].revents != 0) take_turn(connections_[i]);
      if (waiting[1].revents != 0) accept();
      const std::lock_guard lock(mutex_);
      if (ending_) return;
      for (Connection& c : connections_)
        if (c.events && std::exchange(c.told, events_) != events_) c.to_send += event_, c.send();
      std::erase_if(connections_, [](const Connection& c) { return c.over; });
    }
  }

  void accept() {
    constexpr std::size_t most = 64;
    Descriptor socket(::accept(*listening_, nullptr, nullptr));
    if (*socket < 0 || connections_.size() == most) return;
    set_up(*socket);
    connections_.push_back({std::move(socket)});
  }

  void take_turn(Connection& c) {
    char bytes[4096];
    const ssize_t count = ::recv(*c.socket, bytes, sizeof bytes, 0);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) c.over = true;
    if (count > 0 && !c.answered) {
      c.asked.append(bytes, static_cast<std::size_t>(count));
      answer(c);
    }
    c.send();
  }

  void answer(Connection& c) {
    const ReadRequest asked = read_request(c.asked);
    if (!asked.complete && asked.refused == 0) return;
    const std::lock_guard lock(mutex_);
    const Answer answer = answer_to(asked, served_);
    c.to_send = in_http(answer, asked.request.method != "HEAD");
    c.answered = true;
    c.events = answer.events && asked.request.method != "HEAD";
    if (c.events) c.to_send += event_;
    c.told = events_;
  }

  Served served_;
  std::string event_;       // the last one, as it is sent
  std::size_t events_ = 0;  // so many there were
  bool ending_ = false;
  std::mutex mutex_;  // of all above
  Descriptor listening_, woken_, wake_;
  std::vector<Connection> connections_;  // of the thread alone
  std::thread thread_;
};

PageServer::PageServer(std::string page) : server_(std::make_unique<Server>(std::move(page))) {}
PageServer::~PageServer() = default;
std::string PageServer::url() const { return server_->url(); }
void PageServer::show(const std::string& report) { server_->show(report); }
void PageServer::tell(std::string_view event) { server_->tell(event); }

}  // namespace invar::app
