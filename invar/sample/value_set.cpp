#include "invar/sample/value_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/sample/distribution.h"

namespace invar {

// Takes the text of a set apart.
struct ValueText {
  std::string_view whole;

  [[noreturn]] void refuse(const std::string& what) const { throw InputError(in_quotes(whole) + ": " + what); }

  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
  }

  double number(std::string_view text) const {
    text = trimmed(text);
    std::string_view digits = text;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    double value = 0.0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty()) refuse("a number is missing");
    if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
      refuse(in_quotes(text) + " is no number; write 4, [1, 2, 3], 50:500:10 or normal(4, 0.1)");
    return value;
  }

  std::vector<double> numbers(std::string_view text, char between) const {
    std::vector<double> list;
    for (;;) {
      const std::size_t end = text.find(between);
      list.push_back(number(text.substr(0, end)));
      if (list.size() > ValueSet::most_values) refuse("too many values");
      if (end == std::string_view::npos) return list;
      text.remove_prefix(end + 1);
    }
  }

  // Both ends are taken exactly.
  ValueSet grid(std::string_view text) const {
    const std::vector<double> given = numbers(text, ':');
    if (given.size() != 3) refuse("write from:to:count, as 50:500:10 for 50, 100 … 500");
    const double from = given[0], to = given[1], count = given[2];
    if (!(count >= 1.0) || count != std::floor(count)) refuse("the count of values must be 1, 2, 3 …");
    if (count > static_cast<double>(ValueSet::most_values)) refuse("too many values");
    if (count == 1.0 && from != to) refuse("one value cannot be both ends");
    ValueSet set;
    for (double k = 0.0; k < count; ++k)
      set.values_.push_back(k == 0.0 ? from : (from * (count - 1.0 - k) + to * k) / (count - 1.0));
    for (const double value : set.values_)
      if (!std::isfinite(value)) refuse("the values are too large");
    set.text_ = fmt::format("{}:{}:{}", from, to, count);
    return set;
  }

  ValueSet drawn(std::string_view name, std::string_view inside) const {
    ValueSet set;
    set.drawn_ = true;
    const std::vector<double> given = numbers(inside, ',');
    set.text_ = fmt::format("{}({})", name, fmt::join(given, ", "));
    if (name == "choice") {
      set.values_ = given;
      return set;
    }
    std::vector<std::string> names = {"choice"};
    for (const Distribution& d : distributions()) {
      names.emplace_back(d.name);
      if (d.name != name) continue;
      if (given.size() != 2) refuse(fmt::format("write {}({}, {})", d.name, d.parameters[0], d.parameters[1]));
      if (const std::string_view complaint = d.complaint(given[0], given[1]); !complaint.empty())
        refuse(fmt::format("{}({}, {}): {}", d.name, d.parameters[0], d.parameters[1], complaint));
      set.distribution_ = &d;
      set.a_ = given[0];
      set.b_ = given[1];
      return set;
    }
    refuse("unknown distribution " + in_quotes(name) + suggestion(std::string(name), names));
  }

  ValueSet read() const {
    const std::string_view text = trimmed(whole);
    if (text.empty()) refuse("no values; write 4, [1, 2, 3], 50:500:10 or normal(4, 0.1)");
    if (text.front() == '[') {
      if (text.back() != ']') refuse("the list has no end");
      return ValueSet::list(numbers(text.substr(1, text.size() - 2), ','));
    }
    if (const std::size_t open = text.find('('); open != std::string_view::npos) {
      if (text.back() != ')') refuse("the parenthesis has no end");
      return drawn(trimmed(text.substr(0, open)), text.substr(open + 1, text.size() - open - 2));
    }
    if (text.find(':') != std::string_view::npos) return grid(text);
    return ValueSet::list(numbers(text, ','));
  }
};

ValueSet ValueSet::read(std::string_view text) { return ValueText{text}.read(); }

ValueSet ValueSet::list(std::vector<double> values) {
  if (values.empty()) throw InputError("a list of values has none");
  for (const double value : values)
    if (!std::isfinite(value)) throw InputError("a list of values has one that is not finite");
  ValueSet set;
  set.text_ = values.size() == 1 ? fmt::format("{}", values[0]) : fmt::format("[{}]", fmt::join(values, ", "));
  set.values_ = std::move(values);
  return set;
}

double ValueSet::at(double u) const {
  if (distribution_) return distribution_->quantile(u, a_, b_);
  const auto place = static_cast<std::size_t>(u * static_cast<double>(values_.size()));
  return values_[std::min(place, values_.size() - 1)];
}

}  // namespace invar
