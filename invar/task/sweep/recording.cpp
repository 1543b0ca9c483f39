// See recording.h.
#include "invar/task/sweep/recording.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "invar/base/message.h"

namespace invar {

namespace {

constexpr std::array<std::string_view, 7> recording_kinds = {"end", "min", "max", "peak", "mean", "rms", "series"};
constexpr std::size_t end_kind = 0, series_kind = 6;

std::optional<std::size_t> kind_of(std::string_view word) {
  const auto found = std::ranges::find(recording_kinds, word);
  if (found == recording_kinds.end()) return std::nullopt;
  return static_cast<std::size_t>(found - recording_kinds.begin());
}

}  // namespace

RecordingChoice::RecordingChoice(const std::vector<std::string>& items) {
  for (const std::string& item : items) {
    const std::size_t dot = item.rfind('.');
    const auto kind = kind_of(dot == item.npos ? item : item.substr(dot + 1));
    if (item == "figures")
      figures_ = true;
    else if (kind)
      items_.push_back({dot == item.npos ? std::string() : item.substr(0, dot), *kind});
    else
      throw InputError("cannot record " + in_quotes(item) +
                       "; write figures, or COLUMN.KIND with end, min, max, peak, mean, rms or series");
  }
}

bool RecordingChoice::wants_series() const { return std::ranges::count(items_, series_kind, &Item::kind) > 0; }

std::string_view recording_word(const RecordingChoice::Item& item) { return recording_kinds[item.kind]; }

Recording::Recording(const RecordingChoice& choice) : choice_(&choice) {}
Recording::~Recording() = default;

void Recording::keep(const std::vector<std::string>& columns, std::size_t column, std::size_t kind) {
  const std::string name = columns[column] + "." + std::string(recording_kinds[kind]);
  if (std::ranges::find(kept_, name, &Kept::name) != kept_.end()) return;
  kept_.push_back({name, column, kind});
  if (kind == series_kind) {
    for (const std::size_t j : {time_, column})
      if (std::ranges::find(in_series_, j) == in_series_.end()) in_series_.push_back(j);
  } else if (kind != end_kind && std::ranges::find(running_, column, &Running::column) == running_.end()) {
    running_.push_back({column});
  }
}

void Recording::begin(const std::vector<std::string>& columns, std::size_t) {
  begun_ = true;
  series_.resize(columns.size());
  const auto time = std::ranges::find(columns, "t");
  time_ = static_cast<std::size_t>(time == columns.end() ? 0 : time - columns.begin());
  for (const RecordingChoice::Item& item : choice_->items()) {
    if (item.column.empty()) {
      for (std::size_t j = 0; j < columns.size(); ++j)
        if (item.kind == series_kind || j != time_) keep(columns, j, item.kind);
      continue;
    }
    const auto found = std::ranges::find(columns, item.column);
    if (found == columns.end())
      throw UnknownColumn("cannot record " + in_quotes(item.column + "." + std::string(recording_kinds[item.kind])) +
                          ": the task has no column " + in_quotes(item.column) + suggestion(item.column, columns));
    keep(columns, static_cast<std::size_t>(found - columns.begin()), item.kind);
  }
}

void Recording::Running::add(double before, double x, double h) {
  min = std::min(min, x);
  max = std::max(max, x);
  integral += 0.5 * h * (before + x);
  square += 0.5 * h * (before * before + x * x);
}

void Recording::append(std::span<const double> row) {
  const double t = row[time_];
  if (rows_ == 0) {
    begin_ = t;
    for (Running& r : running_) r.begin(row[r.column]);
  } else {
    for (Running& r : running_) r.add(last_[r.column], row[r.column], t - last_[time_]);
  }
  for (const std::size_t j : in_series_) series_[j].push_back(row[j]);
  last_.assign(row.begin(), row.end());
  ++rows_;
}

// Of ends alone nobody needs the rows before.
void Recording::append_rows(std::span<const double> rows, std::size_t width) {
  if (rows.empty()) return;
  if (rows_ == 0 || !running_.empty() || !in_series_.empty()) return RowSink::append_rows(rows, width);
  rows_ += rows.size() / width;
  last_.assign(rows.end() - static_cast<std::ptrdiff_t>(width), rows.end());
}

void Recording::finish() {}

std::vector<NamedNumber> Recording::numbers() const {
  std::vector<NamedNumber> list;
  if (rows_ == 0) return list;
  const double T = last_[time_] - begin_;
  for (const auto& [name, column, kind] : kept_) {
    if (kind == series_kind) continue;
    const double end = last_[column];
    const auto found = std::ranges::find(running_, column, &Running::column);
    const Running r = found == running_.end() ? Running() : *found;
    const double values[] = {end,
                             r.min,
                             r.max,
                             std::max(r.max, -r.min),
                             T > 0.0 ? r.integral / T : end,
                             T > 0.0 ? std::sqrt(r.square / T) : std::abs(end)};
    list.push_back({name, values[kind]});
  }
  return list;
}

std::vector<NamedSeries> Recording::series() const {
  std::vector<NamedSeries> list;
  const auto add = [&](const std::string& name, std::size_t column) {
    if (std::ranges::find(list, name, &NamedSeries::name) == list.end()) list.push_back({name, series_[column]});
  };
  for (const auto& [name, column, kind] : kept_) {
    if (kind != series_kind) continue;
    add("t", time_);
    add(name.substr(0, name.rfind('.')), column);
  }
  return list;
}

namespace {

// Does it say how long computing took?
bool is_time(std::string_view key) { return key == "computing_time" || key.ends_with("seconds"); }

void flatten(const std::string& name, const JsonValue& value, std::vector<NamedNumber>& list) {
  const auto number = [&](double x) { list.push_back({name, x}); };
  if (std::holds_alternative<std::nullptr_t>(value.data)) number(std::numeric_limits<double>::quiet_NaN());
  if (const auto* x = std::get_if<bool>(&value.data)) number(*x ? 1.0 : 0.0);
  if (const auto* x = std::get_if<std::int64_t>(&value.data)) number(static_cast<double>(*x));
  if (const auto* x = std::get_if<std::uint64_t>(&value.data)) number(static_cast<double>(*x));
  if (const auto* x = std::get_if<double>(&value.data)) number(*x);
  if (const auto* object = std::get_if<JsonObject>(&value.data))
    for (const auto& [key, part] : *object)
      if (!is_time(key)) flatten(name + "." + key, part, list);
}

}  // namespace

std::vector<NamedNumber> figures_of(const Summary& s) {
  std::vector<NamedNumber> list = {{"steps", static_cast<double>(s.steps)},
                                   {"substeps", static_cast<double>(s.substeps)},
                                   {"newton_iterations.total", static_cast<double>(s.newton_iterations.total)}};
  if (s.adaptive > 0.0) list.push_back({"rejected_steps", static_cast<double>(s.rejected_steps)});
  if (s.accuracy.measured) {
    list.push_back({"accuracy.drift_position", s.accuracy.drift_position});
    list.push_back({"accuracy.drift_velocity", s.accuracy.drift_velocity});
    list.push_back({"accuracy.energy.relative", s.accuracy.energy_relative});
  }
  for (const auto& part : s.parts)
    if (!part->key().empty()) flatten(std::string(part->key()), JsonObject(part->figures()), list);
  return list;
}

}  // namespace invar
