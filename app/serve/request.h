// The head of an HTTP/1.1 request [RFC 9112], as far as a page of one's own needs it.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace invar::app {

struct Request {
  std::string method, target;                 // "GET", "/token/report"; without what follows a ?
  std::map<std::string, std::string> fields;  // names in small letters
};

// Whether a head is there as a whole, and 0 or the status with which it is refused: 400, 414, 431, 505.
struct ReadRequest {
  bool complete = false;
  int refused = 0;
  Request request = {};
};

inline constexpr std::size_t longest_head = 8192;

ReadRequest read_request(std::string_view text);

}  // namespace invar::app
