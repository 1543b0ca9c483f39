// See sweep_page.h. The data as viewer/README.md describes it.
#include "invar/report/sweep/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "invar/record/spread.h"
#include "invar/report/page/packed.h"
#include "invar/report/page/page.h"
#include "invar/report/sweep/bands.h"
#include "invar/report/sweep/failures.h"
#include "invar/sample/sensitivity.h"
#include "invar/sample/statistics.h"

namespace invar {
namespace {

using SweepJson = nlohmann::ordered_json;

constexpr std::array probabilities = {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};

SweepJson packed_list(const std::vector<double>& values) { return {{"f64", packed_text<double>(values)}}; }

// JSON has no numbers that are not finite.
SweepJson finite(double value) { return std::isfinite(value) ? SweepJson(value) : SweepJson(); }

SweepJson finite_list(const std::vector<double>& values) {
  SweepJson list = SweepJson::array();
  for (const double value : values) list.push_back(finite(value));
  return list;
}

// What summary.json tells about the sweep; empty if it does not.
SweepJson told(const SweepTable& table) {
  const SweepJson summary = SweepJson::parse(table.summary, nullptr, false);
  if (!summary.is_object() || !summary.contains("sweep") || !summary["sweep"].is_object()) return SweepJson::object();
  return summary["sweep"];
}

std::string text_in(const SweepJson& json, const char* key) {
  return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

std::vector<std::string> names_in(const SweepJson& json, const char* key) {
  std::vector<std::string> names;
  if (json.contains(key) && json[key].is_array())
    for (const SweepJson& name : json[key])
      if (name.is_string()) names.push_back(name.get<std::string>());
  return names;
}

// A word as a shell reads it.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// What computes a case once more, but for its values.
std::string command_in(const SweepJson& known, const SweepTable& table) {
  std::vector<std::string> words = names_in(known, "repeat");
  if (words.empty()) words = {table.task, table.name};
  std::string command = "invar";
  for (const std::string& word : words) command += " " + quoted(word);
  return command;
}

// As many cases as the page has room for: the extreme ones of every figure and some of each stretch of the others.
std::vector<std::size_t> cases_shown(const SweepTable& table) {
  constexpr std::size_t numbers = 300000, least = 2000, extreme = 10;
  const std::size_t columns = table.varied.size() + table.figures.size();
  const std::size_t most = std::max(least, numbers / std::max<std::size_t>(1, columns));
  std::vector<std::size_t> all(table.cases());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (all.size() <= most) return all;
  std::set<std::size_t> chosen;
  for (const std::size_t k : spread_rows(all.size(), most)) chosen.insert(k);
  for (std::size_t f = 0; f < table.figures.size(); ++f) {
    const std::vector<double> values = table.figure_column(f);
    std::vector<std::size_t> known;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (std::isfinite(values[k])) known.push_back(k);
    if (known.empty()) continue;
    const double median = quantiles(values, std::array{0.5})[0];
    const auto add = [&](auto rank) {
      const auto end = known.begin() + static_cast<std::ptrdiff_t>(std::min(extreme, known.size()));
      std::ranges::partial_sort(known, end, {}, rank);
      chosen.insert(known.begin(), end);
    };
    add([&](std::size_t k) { return values[k]; });
    add([&](std::size_t k) { return -values[k]; });
    add([&](std::size_t k) { return -std::abs(values[k] - median); });
  }
  return {chosen.begin(), chosen.end()};
}

std::vector<double> chosen_of(const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  std::vector<double> list;
  for (const std::size_t k : rows) list.push_back(values[k]);
  return list;
}

SweepJson column_of(const std::string& name, const std::vector<double>& values, const std::vector<std::size_t>& rows) {
  const Moments found = moments(values);
  const Histogram counted = histogram(values);
  return {{"name", name},
          {"values", packed_list(chosen_of(values, rows))},
          {"count", found.count},
          {"mean", finite(found.mean)},
          {"deviation", finite(found.deviation)},
          {"quantiles", finite_list(quantiles(values, probabilities))},
          {"histogram", {{"from", counted.from}, {"to", counted.to}, {"counts", counted.counts}}}};
}

SweepJson interval(const SensitivityIndex& index) {
  return SweepJson::array({finite(index.value), finite(index.low), finite(index.high)});
}

// Sobol indices of every figure; none unless the samples are Saltelli's and nothing else is varied.
SweepJson sensitivity_of(const SweepTable& table, const std::vector<std::string>& drawn) {
  if (drawn.size() != table.varied.size() || drawn.empty() || table.cases() % (drawn.size() + 2) != 0) return {};
  constexpr std::size_t least = 100, most = 1000, affordable = 20'000'000;  // draws: seconds at most
  const std::size_t bases = table.cases() / (drawn.size() + 2);
  SensitivityOptions options;
  options.resamples = std::clamp(affordable / std::max<std::size_t>(1, bases * table.figures.size()), least, most);
  SweepJson figures = SweepJson::array();
  std::size_t counted = 0;
  for (std::size_t f = 0; f < table.figures.size(); ++f) {
    const SensitivityResult found = sobol_indices(table.figure_column(f), drawn.size(), options);
    if (!std::isfinite(found.of.front().total.value)) continue;
    counted = std::max(counted, found.base_samples);
    SweepJson first = SweepJson::array(), total = SweepJson::array();
    for (const Sensitivity& s : found.of) {
      first.push_back(interval(s.first_order));
      total.push_back(interval(s.total));
    }
    figures.push_back({{"name", table.figures[f]}, {"first_order", first}, {"total", total}});
  }
  return {{"base_samples", counted}, {"drawn", drawn}, {"figures", figures}};
}

SweepJson bands_of(const ReportedSweep& sweep) {
  SweepJson bands = SweepJson::array();
  if (!sweep.series || sweep.table.series.size() < 2) return bands;
  const std::vector<std::vector<double>> times = sweep.series("t");
  for (const std::string& name : sweep.table.series) {
    if (name == "t") continue;
    const SeriesBand band = series_band(times, sweep.series(name), probabilities);
    if (band.time.empty()) continue;
    SweepJson lists = SweepJson::array();
    for (const std::vector<double>& list : band.quantiles) lists.push_back({{"f32", packed_text<float>(list)}});
    bands.push_back({{"name", name}, {"time", packed_list(band.time)}, {"quantiles", lists}});
  }
  return bands;
}

SweepJson failures_json(const SweepTable& table) {
  SweepJson list = SweepJson::array();
  for (const FailureGroup& group : failures_of(table))
    list.push_back({{"status", std::string(name_of(group.status))},
                    {"reason", group.reason},
                    {"count", group.count},
                    {"cases", group.cases}});
  return list;
}

SweepJson sweep_json(const ReportedSweep& sweep, const SweepJson& known) {
  const SweepTable& table = sweep.table;
  const std::vector<std::size_t> rows = cases_shown(table);
  const std::vector<std::string> drawn = names_in(known, "drawn");
  SweepJson varied = SweepJson::array(), figures = SweepJson::array();
  SweepJson linear = SweepJson::array(), of_ranks = SweepJson::array();
  std::vector<std::vector<double>> given;
  for (std::size_t v = 0; v < table.varied.size(); ++v) {
    given.push_back(table.varied_column(v));
    varied.push_back(column_of(table.varied[v], given.back(), rows));
    if (std::ranges::find(drawn, table.varied[v]) != drawn.end()) varied.back()["drawn"] = true;
  }
  for (std::size_t f = 0; f < table.figures.size(); ++f) {
    const std::vector<double> values = table.figure_column(f);
    figures.push_back(column_of(table.figures[f], values, rows));
    SweepJson pearson = SweepJson::array(), spearman = SweepJson::array();
    for (const std::vector<double>& column : given) {
      pearson.push_back(finite(pearson_correlation(column, values)));
      spearman.push_back(finite(spearman_correlation(column, values)));
    }
    linear.push_back(pearson);
    of_ranks.push_back(spearman);
  }
  std::vector<double> status;
  for (const std::size_t k : rows) status.push_back(static_cast<double>(table.status[k]));
  SweepJson json = {{"cases", table.cases()}, {"probabilities", probabilities},   {"varied", varied},
                    {"figures", figures},     {"status", packed_list(status)},    {"pearson", linear},
                    {"spearman", of_ranks},   {"failures", failures_json(table)}, {"command", command_in(known, table)},
                    {"folder", sweep.folder}};
  if (rows.size() < table.cases()) json["shown"] = packed_list({rows.begin(), rows.end()});
  if (text_in(known, "sampling") == "saltelli")
    if (SweepJson found = sensitivity_of(table, drawn); found.is_object()) json["sensitivity"] = std::move(found);
  if (SweepJson bands = bands_of(sweep); !bands.empty()) json["bands"] = std::move(bands);
  for (const auto& [number, report] : sweep.reports) json["reports"][std::to_string(number)] = report;
  return json;
}

}  // namespace

std::string sweep_page(const ReportedSweep& sweep) {
  const SweepTable& table = sweep.table;
  const SweepJson known = told(table);
  std::array<std::size_t, 3> counts = {};
  for (const CaseStatus status : table.status) ++counts[static_cast<std::size_t>(status)];
  SweepJson numbers = SweepJson::array({{{"label", "cases"}, {"value", table.cases()}}});
  std::string verdict = fmt::format("{} {} of {}", table.cases(), table.cases() == 1 ? "run" : "runs", table.task);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    const std::string_view name = name_of(static_cast<CaseStatus>(k));
    verdict += fmt::format("{} {} {}", numbers.size() == 1 ? ":" : ",", counts[k], name);
    numbers.push_back({{"label", name}, {"value", counts[k]}});
  }
  SweepJson report = {{"format", 1},          {"name", table.name}, {"task", "sweep"},           {"verdict", verdict},
                      {"status", "complete"}, {"figures", numbers}, {"runs", SweepJson::array()}};
  if (const std::string design = text_in(known, "design"); !design.empty()) report["said"] = {design};
  report["sweep"] = sweep_json(sweep, known);
  report["details"] = SweepJson::array();
  if (!table.model.empty()) report["details"].push_back({{"title", "Model file"}, {"text", table.model}});
  if (!table.summary.empty()) report["details"].push_back({{"title", "summary.json"}, {"text", table.summary}});
  if (!table.version.empty()) report["version"] = "invar " + table.version;
  return filled_template(report.dump(-1, ' ', false, SweepJson::error_handler_t::replace));
}

}  // namespace invar
