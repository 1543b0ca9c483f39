// What a server of one page answers to a request, without connections: so it can be tried out.
#pragma once

#include <string>
#include <string_view>

#include "app/serve/request.h"

namespace invar::app {

struct Served {
  std::string token, host;   // "3f…", "127.0.0.1:40321": who asks for another host was led here by somebody else
  std::string page, report;  // an empty report is not there yet
  std::string program;       // of the report
};

struct Answer {
  int status = 200;
  std::string type = "text/html; charset=utf-8", body = {};
  bool events = false;   // the connection stays open for them
  bool lasting = false;  // the same as long as the server lives
};

Answer answer_to(const ReadRequest& asked, const Served& served);

// With the head. `with_body`: HEAD asks for all but that.
std::string in_http(const Answer& answer, bool with_body);

std::string random_token();

}  // namespace invar::app
