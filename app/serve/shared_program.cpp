// See shared_program.h.
#include "app/serve/shared_program.h"

namespace invar::app {

namespace {

// The policy of the page names its program by a hash; now it comes from where the page does.
std::string with_policy_of_server(std::string head) {
  constexpr std::string_view before = "script-src 'sha256-";
  const std::size_t policy = head.find(before), end = head.find("'", policy + before.size());
  if (policy == head.npos || end == head.npos) return {};
  return head.replace(policy, end + 1 - policy, "script-src 'self'");
}

}  // namespace

PageAndProgram program_apart(const std::string& page) {
  constexpr std::string_view opening = "<script>", closing = "</script>";
  const std::size_t begin = page.rfind(opening), end = page.rfind(closing);
  if (begin == page.npos || end == page.npos || end < begin) return {page, {}};
  const std::string head = with_policy_of_server(page.substr(0, begin));
  if (head.empty()) return {page, {}};
  const std::size_t program = begin + opening.size();
  return {head + "<script src=\"program.js\">" + page.substr(end), page.substr(program, end - program)};
}

}  // namespace invar::app
