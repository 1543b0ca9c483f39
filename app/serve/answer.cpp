// See answer.h.
#include "app/serve/answer.h"

#include <fmt/format.h>

#include <random>

namespace invar::app {

namespace {

Answer refusal(int status, const char* reason) {
  return {.status = status, .type = "text/plain; charset=utf-8", .body = std::string(reason) + "\n"};
}

std::string_view reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 414: return "URI Too Long";
    case 431: return "Request Header Fields Too Large";
    case 505: return "HTTP Version Not Supported";
    default: return "Bad Request";
  }
}

// Takes as long for any two texts of one length.
bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

Answer answer_to(const ReadRequest& asked, const Served& served) {
  if (asked.refused != 0) return refusal(asked.refused, "this is no request");
  const Request& request = asked.request;
  const auto host = request.fields.find("host");
  if (host == request.fields.end() || host->second != served.host) return refusal(403, "this host is not served here");
  // A page of another origin can send requests, but not read what is answered; it gets nothing anyway.
  const auto origin = request.fields.find("origin");
  if (origin != request.fields.end() && origin->second != "http://" + served.host)
    return refusal(403, "this origin is not served here");
  const std::string_view target = request.target;
  const std::size_t end = std::min(target.find('/', 1), target.size());
  if (!is_same(target.substr(1, end - 1), served.token)) return refusal(403, "the address lacks its random word");
  if (request.method != "GET" && request.method != "HEAD") return refusal(405, "there is only something to get");
  const std::string_view place = target.substr(end);
  if (place == "/") return {.body = served.page};
  if (place == "/report" && !served.report.empty()) return {.body = served.report};
  if (place == "/program.js" && !served.program.empty())
    return {.type = "text/javascript; charset=utf-8", .body = served.program, .lasting = true};
  if (place == "/events") return {.type = "text/event-stream", .events = true};
  return refusal(404, "there is nothing here");
}

std::string in_http(const Answer& answer, bool with_body) {
  std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nCache-Control: {}\r\nReferrer-Policy: no-referrer\r\n"
      "X-Content-Type-Options: nosniff\r\nX-Frame-Options: SAMEORIGIN\r\nCross-Origin-Resource-Policy: same-origin\r\n",
      answer.status, reason_of(answer.status), answer.type,
      answer.lasting ? "private, max-age=86400, immutable" : "no-store");
  if (answer.status == 405) text += "Allow: GET, HEAD\r\n";
  if (!answer.events) text += fmt::format("Content-Length: {}\r\nConnection: close\r\n", answer.body.size());
  text += "\r\n";
  return with_body ? text + answer.body : text;
}

std::string random_token() {
  std::random_device source;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", source());
  return token;
}

}  // namespace invar::app
