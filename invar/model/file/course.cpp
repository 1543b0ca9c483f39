// See course.h.
#include "invar/model/file/course.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "invar/base/message.h"
#include "invar/expr/parse.h"
#include "invar/model/file/samples.h"
#include "invar/model/trajectory/sampled.h"

namespace invar::model {
namespace {

constexpr std::array<std::string_view, 4> forms = {"profile", "via", "file", "expr"};
constexpr std::array<std::string_view, 7> details = {"from",       "to",    "start",     "duration",
                                                     "accelerate", "times", "smoothness"};
constexpr std::size_t most_samples = 100000;  // each is a knot, and solvers stop at knots

std::vector<double> read_values(const Reading& reading, const Section& section, const Entry& entry,
                                const Wanted& wanted) {
  std::vector<double> values;
  for (const Value* value : read_entries(section, entry, wanted))
    values.push_back(read_number(reading, *value, where(section, entry.key)));
  return values;
}

double read_positive(const Reading& reading, Section& section, std::string_view key) {
  const Entry& entry = section.require(key);
  const double value = read_number(reading, entry.value, where(section, key));
  if (!(value > 0.0)) section.fail(entry.value.position, in_quotes(key) + " must be positive");
  return value;
}

// The degree of polyN and of "linear"; nothing if the profile is none of these.
std::optional<int> read_degree(const Section& section, const Entry& entry, std::string_view profile) {
  if (profile == "linear") return 1;
  if (!profile.starts_with("poly") || profile.size() == 4) return std::nullopt;
  int degree = 0;
  const auto [end, error] = std::from_chars(profile.data() + 4, profile.data() + profile.size(), degree);
  if (end != profile.data() + profile.size()) return std::nullopt;
  if (error != std::errc() || degree < 3 || degree > highest_degree || degree % 2 == 0)
    section.fail(entry.value.position, "profile " + in_quotes(profile) + ": the degree must be odd, from 3 to " +
                                           std::to_string(highest_degree));
  return degree;
}

[[noreturn]] void refuse_profile(const Section& section, const Entry& entry, const std::string& profile) {
  const std::string meant = suggestion(
      profile, {"poly3", "poly5", "poly7", "poly9", "poly11", "poly13", "poly15", "three-phase", "harmonic", "linear"});
  section.fail(entry.value.position,
               "unknown profile " + in_quotes(profile) +
                   (meant.empty() ? "; use \"polyN\" with an odd degree N, \"three-phase\", \"harmonic\" or \"linear\""
                                  : meant));
}

double read_acceleration(const Reading& reading, Section& section, double duration) {
  const double accelerate = read_positive(reading, section, "accelerate");
  if (accelerate > 0.5 * duration)
    section.fail(section.require("accelerate").value.position,
                 "\"accelerate\" must be at most half the duration, " + print(Expr(0.5 * duration)));
  return accelerate;
}

std::vector<Course> read_moves(const Reading& reading, Section& section, const Entry& form, const Wanted& wanted) {
  const std::string& profile = section.string("profile");
  const std::optional<int> degree = read_degree(section, form, profile);
  const bool three_phase = profile == "three-phase";
  if (!degree && !three_phase && profile != "harmonic") refuse_profile(section, form, profile);
  refuse_details(section, "the profile " + in_quotes(profile),
                 {"from", "to", "start", "duration", three_phase ? "accelerate" : ""});
  const std::vector<double> from = read_values(reading, section, section.require("from"), wanted);
  const std::vector<double> to = read_values(reading, section, section.require("to"), wanted);
  const Entry* start_entry = section.find("start");
  const double start = start_entry ? read_number(reading, start_entry->value, where(section, "start")) : 0.0;
  const double duration = read_positive(reading, section, "duration");
  const double accelerate = three_phase ? read_acceleration(reading, section, duration) : 0.0;
  if (!std::isfinite(start + duration))
    section.fail(section.require("duration").value.position, "\"duration\" is too large");

  std::vector<Course> courses;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Move move{from[i], to[i], start, duration};
    if (from[i] == to[i])
      courses.push_back({constant_function(from[i]), from[i], start + duration});
    else
      courses.push_back({degree        ? polynomial_move(*degree, move)
                         : three_phase ? three_phase_move(accelerate, move)
                                       : harmonic_move(move),
                         std::nullopt, start + duration});
  }
  return courses;
}

int read_smoothness(const Reading& reading, Section& section) {
  constexpr int usual = 4;
  const Entry* entry = section.find("smoothness");
  if (entry == nullptr) return usual;
  const double k = read_number(reading, entry->value, where(section, "smoothness"));
  if (k != std::floor(k) || k < 1 || k > highest_smoothness)
    section.fail(entry->value.position,
                 "\"smoothness\" must be a whole number from 1 to " + std::to_string(highest_smoothness));
  return static_cast<int>(k);
}

// One spline for each column of values. Those of outputs are differentiated often, so the error of the samples counts.
std::vector<Course> splines(const Section& section, Position position, const std::vector<Samples>& columns,
                            int smoothness, const Wanted& wanted) {
  std::vector<Course> courses;
  try {
    for (const Samples& c : columns)
      courses.push_back({wanted.differentiated ? sampled(c, smoothness) : spline(c.times, c.values, smoothness),
                         std::nullopt, c.times.back()});
  } catch (const InputError& error) {
    section.fail(position, error.what());
  }
  return courses;
}

// Half a unit of the last digit of the larger numbers in a column: the finest that is found, since zeros at the end may
// be missing. Numbers of three digits and less count as exact, somebody typed them.
double rounding(const CsvFile& file, const std::string& name) {
  constexpr double larger = 0.1, typed = 1e-3;
  const std::vector<double> values = file.table.column(name);
  const std::size_t width = file.table.columns.size(), column = *file.table.find(name);
  double most = 0.0, unit = std::numeric_limits<double>::infinity();
  for (const double x : values) most = std::max(most, std::abs(x));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::abs(values[i]) >= larger * most) unit = std::min(unit, file.last_places[i * width + column]);
  return unit < typed * most ? 0.5 * unit : 0.0;
}

std::vector<double> read_times(const Reading& reading, Section& section) {
  const Entry& entry = section.require("times");
  const auto* items = entry.value.as<Array>();
  if (items == nullptr)
    section.fail(entry.value.position, "\"times\" must be an array, not " + std::string(kind_name(entry.value)));
  std::vector<double> times;
  for (const Value& item : *items) {
    times.push_back(read_number(reading, item, where(section, "times")));
    if (times.size() > 1 && !(times.back() > times[times.size() - 2]))
      section.fail(item.position, "\"times\" must ascend");
  }
  return times;
}

std::vector<Course> read_via(const Reading& reading, Section& section, const Entry& form, const Wanted& wanted) {
  refuse_details(section, "\"via\"", {"times", "smoothness"});
  const auto* points = form.value.as<Array>();
  if (points == nullptr)
    section.fail(form.value.position, "\"via\" must be an array, not " + std::string(kind_name(form.value)));
  if (points->size() < 2) section.fail(form.value.position, "\"via\" must have at least two points");
  const std::vector<double> times = read_times(reading, section);
  if (times.size() != points->size())
    section.fail(section.require("times").value.position, "\"times\" must have an entry for each of the " +
                                                              std::to_string(points->size()) + " points, not " +
                                                              std::to_string(times.size()));
  std::vector<Samples> columns(wanted.names.size(), {times, {}, 0.0, true, "\"via\""});
  for (const Value& point : *points) {
    const std::vector<double> row = read_values(reading, section, {form.key, form.position, point}, wanted);
    for (std::size_t i = 0; i < row.size(); ++i) columns[i].values.push_back(row[i]);
  }
  return splines(section, form.value.position, columns, read_smoothness(reading, section), wanted);
}

std::vector<Course> read_samples_of(const Reading& reading, Section& section, const Entry& form, const Wanted& wanted) {
  refuse_details(section, "\"file\"", {"smoothness"});
  const CsvFile file = read_samples(read_path(reading, section, "file"));
  if (file.table.rows() > most_samples)
    file.fail(file.row_lines[most_samples], "more than " + std::to_string(most_samples) + " samples");
  std::vector<Samples> columns;
  for (const std::string& name : wanted.names) {
    if (!file.table.find(name)) file.fail(file.header_line, "no column " + in_quotes(name));
    columns.push_back(
        {file.table.column("t"), file.table.column(name), rounding(file, name), false, section.string("file")});
  }
  return splines(section, form.value.position, columns, read_smoothness(reading, section), wanted);
}

// `from` and `to` alone: a value that is held.
std::vector<Course> read_constants(const Reading& reading, Section& section, const Wanted& wanted) {
  const std::vector<double> from = read_values(reading, section, section.require("from"), wanted);
  const std::vector<double> to = read_values(reading, section, section.require("to"), wanted);
  if (from != to)
    section.fail(section.position(), "missing \"profile\", which says how to get from \"from\" to \"to\"");
  refuse_details(section, "a value that is held", {"from", "to"});
  std::vector<Course> courses;
  for (const double value : from) courses.push_back({constant_function(value), value, 0.0});
  return courses;
}

}  // namespace

const Entry* find_form(Section& section) {
  const Entry* found = nullptr;
  for (const std::string_view key : forms) {
    const Entry* entry = section.find(key);
    if (entry && found) section.fail(entry->position, "give either " + in_quotes(found->key) + " or " + in_quotes(key));
    if (entry) found = entry;
  }
  bool has_values = true;
  for (const std::string_view key : details) {
    const bool is_there = section.find(key) != nullptr;
    if (key == "from" || key == "to") has_values = has_values && is_there;
  }
  section.finish();  // a mistyped key would seem to be missing
  if (!found && !has_values) section.fail(section.position(), "missing \"profile\", \"via\", \"file\" or \"expr\"");
  return found;
}

void refuse_details(Section& section, const std::string& form, std::initializer_list<std::string_view> fitting) {
  for (const std::string_view key : details) {
    const Entry* entry = section.find(key);
    if (entry && std::find(fitting.begin(), fitting.end(), key) == fitting.end())
      section.fail(entry->position, in_quotes(key) + " has no meaning with " + form);
  }
}

std::vector<Course> read_courses(const Reading& reading, Section& section, const Entry* form, const Wanted& wanted) {
  if (form == nullptr) return read_constants(reading, section, wanted);
  if (form->key == "profile") return read_moves(reading, section, *form, wanted);
  if (form->key == "via") return read_via(reading, section, *form, wanted);
  expects(form->key == "file", "a form that is no formula");
  return read_samples_of(reading, section, *form, wanted);
}

std::vector<const Value*> read_entries(const Section& section, const Entry& entry, const Wanted& wanted) {
  std::vector<const Value*> values;
  const auto* items = wanted.is_list ? entry.value.as<Array>() : nullptr;
  if (items == nullptr) {
    if (wanted.names.size() > 1)
      section.fail(entry.value.position,
                   in_quotes(entry.key) + " must be an array, not " + std::string(kind_name(entry.value)));
    return {&entry.value};
  }
  if (items->size() != wanted.names.size())
    section.fail(entry.value.position, in_quotes(entry.key) + " must have one entry per output, " +
                                           std::to_string(wanted.names.size()) + ", not " +
                                           std::to_string(items->size()));
  for (const Value& item : *items) values.push_back(&item);
  return values;
}

}  // namespace invar::model
