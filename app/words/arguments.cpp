// See arguments.h.
#include "app/words/arguments.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "invar/base/error.h"
#include "invar/base/message.h"

namespace invar::app {

double number(const std::string& text, const std::string& what) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && std::isfinite(value)) return value;
  std::string reason = what + ": " + in_quotes(text) + " is not a number";
  const std::string_view rest(stop, static_cast<std::size_t>(end - stop));
  if (error == std::errc() && stop != text.data() && rest.find_first_of("0123456789.,") == rest.npos)
    reason += "; values are SI without units: " + text.substr(0, text.size() - rest.size());
  throw InputError(reason);
}

std::vector<double> numbers(const std::string& text, const std::string& what) {
  std::vector<double> values;
  for (std::size_t from = 0, comma = 0; !text.empty() && comma != std::string::npos; from = comma + 1) {
    comma = text.find(',', from);
    values.push_back(number(text.substr(from, comma - from), what));
  }
  return values;
}

double seconds(const std::string& text, const std::string& what) {
  const bool has_unit = text.size() > 1 && text.back() == 's';
  const double value = number(has_unit ? text.substr(0, text.size() - 1) : text, what);
  if (!(value > 0.0)) throw InputError(what + ": " + text + " is not positive");
  return value;
}

double bytes(const std::string& text, const std::string& what) {
  constexpr std::pair<std::string_view, double> units[] = {{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"", 1.0}};
  const auto unit = std::ranges::find_if(units, [&](const auto& u) { return text.ends_with(u.first); });
  const double value = number(text.substr(0, text.size() - unit->first.size()), what) * unit->second;
  if (!(value > 0.0)) throw InputError(what + ": " + text + " is not positive");
  return value;
}

double whole_number(const std::string& text, const std::string& what) {
  constexpr double most = 1e9;
  const double count = number(text, what);
  if (count != std::floor(count) || std::abs(count) > most)
    throw InputError(what + ": " + in_quotes(text) + " is not a whole number");
  return count;
}

std::pair<std::string, double> assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw InputError("--set " + text + ": write --set name=value");
  return {text.substr(0, equals), number(text.substr(equals + 1), "--set " + text)};
}

void require_known(const std::string& text, const std::vector<std::string>& known, const std::string& what) {
  if (std::ranges::find(known, text) != known.end()) return;
  const std::string meant = suggestion(text, known);
  throw InputError(what + ": unknown " + in_quotes(text) + (meant.empty() ? "; there are " + one_of(known) : meant));
}

std::string one_of(const std::vector<std::string>& words) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return list;
}

}  // namespace invar::app
