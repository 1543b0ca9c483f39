// See request.h.
#include "app/serve/request.h"

#include <algorithm>

namespace invar::app {

namespace {

constexpr std::size_t longest_line = 2048, most_fields = 64;

// What names of methods and fields are made of [RFC 9110, section 5.6.2].
bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool is_visible(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
}

std::string in_small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// GET /token/report HTTP/1.1
int read_line(std::string_view line, Request& request) {
  if (line.size() > longest_line) return 414;
  const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
  if (first == line.npos || second == line.npos) return 400;
  const std::string_view method = line.substr(0, first), target = line.substr(first + 1, second - first - 1),
                         version = line.substr(second + 1);
  if (!is_token(method) || target.empty() || target.front() != '/' || !is_visible(target)) return 400;
  if (!version.starts_with("HTTP/")) return 400;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return 505;
  request.method = method;
  request.target = target.substr(0, target.find('?'));
  return 0;
}

int read_field(std::string_view line, Request& request) {
  const std::size_t colon = line.find(':');
  if (colon == line.npos || !is_token(line.substr(0, colon))) return 400;
  std::string_view value = line.substr(colon + 1);
  while (!value.empty() && (value.front() == ' ' || value.front() == '\t')) value.remove_prefix(1);
  while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
  if (std::ranges::any_of(value, [](char c) { return (c >= 0 && c < 0x20 && c != '\t') || c == 0x7f; })) return 400;
  if (request.fields.size() == most_fields) return 431;
  // A field that is given twice means two things, as with two hosts.
  return request.fields.emplace(in_small_letters(line.substr(0, colon)), value).second ? 0 : 400;
}

}  // namespace

ReadRequest read_request(std::string_view text) {
  ReadRequest read;
  const std::size_t end = text.find("\r\n\r\n");
  if (end == text.npos || end > longest_head) {
    if (text.size() > longest_head) read.refused = 431;
    return read;
  }
  read.complete = true;
  for (std::size_t at = 0; at < end && read.refused == 0;) {
    const std::size_t stop = std::min(text.find("\r\n", at), end);
    const std::string_view line = text.substr(at, stop - at);
    read.refused = at == 0 ? read_line(line, read.request) : read_field(line, read.request);
    at = stop + 2;
  }
  if (end == 0) read.refused = 400;
  return read;
}

}  // namespace invar::app
