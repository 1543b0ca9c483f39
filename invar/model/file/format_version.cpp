// See format_version.h.
#include "invar/model/file/format_version.h"

#include <charconv>
#include <optional>
#include <utility>

namespace invar::model {

namespace {

using Version = std::pair<unsigned, unsigned>;

// MAJOR.MINOR, digits and nothing else.
std::optional<Version> version_of(std::string_view text) {
  Version version;
  const char* const end = text.data() + text.size();
  const auto [dot, wrong] = std::from_chars(text.data(), end, version.first);
  if (wrong != std::errc() || dot == end || *dot != '.') return std::nullopt;
  const auto [rest, also_wrong] = std::from_chars(dot + 1, end, version.second);
  if (also_wrong != std::errc() || rest != end) return std::nullopt;
  return version;
}

}  // namespace

void check_format(Section& top) {
  if (top.find("format") == nullptr) return;
  const std::string& text = top.string("format");
  const Position position = top.require("format").value.position;
  const std::string newest(newest_format);
  const std::optional<Version> version = version_of(text);
  if (!version) top.fail(position, "\"format\" is a version in quotes, such as \"" + newest + "\"");
  if (*version > *version_of(newest_format))
    top.fail(position, "this file is of format " + text + ", and this Invar reads formats up to " + newest +
                           "; a newer one is needed");
}

}  // namespace invar::model
