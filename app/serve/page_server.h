// A page for a browser on this machine, and nobody else: at a free port of 127.0.0.1, under a path that begins with a
// random word. Besides the page that stays there is a report, which is replaced now and then, and events that tell the
// page of it [Server-Sent Events, WHATWG HTML 9.2]. Every answer closes its connection but that of events.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace invar::app {

class PageServer {
 public:
  explicit PageServer(std::string page);  // InputError if no port can be had
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  std::string url() const;
  void show(const std::string& report);
  void tell(std::string_view event);  // one line; who comes later hears the last one

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace invar::app
