// See pages.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "docs/make/pages.h"
#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/record/trajectory.h"
#include "invar/report/plot/plot.h"
#include "invar/task/invert/invert.h"
#include "invar/task/simulate/simulate.h"

namespace invar::docs {

namespace {

struct Method {
  std::string method, integrator, label;
  double from = 0.0;  // errors count from this time on
};

const Method taylor = {"taylor", "", "Taylor"};

// BDF2 starts with a step of Euler, which shows where the trajectory sets in. Its two curves, first and eighth, share a
// colour in the picture.
const std::vector<Method> methods = {
    {"minimal-extension", "bdf2", "minimal extension, BDF2"},
    {"direct", "implicit-euler", "direct, Euler"},
    {"projection", "implicit-euler", "projection, Euler"},
    {"minimal-extension", "radau5", "minimal extension, Radau IIA"},
    {"minimal-extension", "implicit-euler", "minimal extension, Euler"},
    {"minimal-extension-1", "implicit-euler", "minimal extension to index 1"},
    taylor,
    {"minimal-extension", "bdf2", "minimal extension, BDF2, t ≥ 0.3 s", 0.3},
};

constexpr double steps[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1};

Trajectory inputs_of_crane(const Method& method, double step) {
  Problem problem = read_problem(examples_folder() / "overhead_crane_inverse/model.toml");
  problem.settings.of<InvertSettings>().method = method.method;
  if (!method.integrator.empty()) problem.settings.of<InvertSettings>().integrator = method.integrator;
  problem.settings.of<InvertSettings>().step = step;
  problem.settings.of<InvertSettings>().verify = false;
  const Inversion run = invert(problem);
  if (run.summary.status != RunStatus::done) throw InputError(method.label + ": " + run.summary.message);
  return run.inputs;
}

// Largest difference from `from` on, relative to the largest value of each input, at the times that both tables hold.
double difference(const Trajectory& a, const Trajectory& b, double from) {
  constexpr double same_time = 1e-9;
  double worst = 0.0;
  for (const char* input : {"F", "M"}) {
    double size = 0.0, error = 0.0;
    for (double value : b.column(input)) size = std::max(size, std::abs(value));
    for (std::size_t i = 0, j = 0; i < a.rows(); ++i) {
      const double t = a.value(i, "t");
      while (j < b.rows() && b.value(j, "t") < t - same_time) ++j;
      if (j == b.rows()) break;
      if (t < from || b.value(j, "t") > t + same_time) continue;
      error = std::max(error, std::abs(a.value(i, input) - b.value(j, input)));
    }
    worst = std::max(worst, error / size);
  }
  return worst;
}

// Slope of the last points of the curve, by least squares in logarithms.
double order(const std::vector<double>& errors) {
  constexpr std::size_t finest = 4;
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < finest; ++i) {
    const double x = std::log10(steps[i]), y = std::log10(errors[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (finest * sxy - sx * sy) / (finest * sxx - sx * sx);
}

// Errors against `taylor`; its own against the closed form in 17 digits.
std::vector<double> errors_of(const Method& method) {
  const Trajectory closed_form = read_csv(examples_folder() / "overhead_crane_inverse/reference.csv");
  std::vector<double> errors;
  for (double step : steps) {
    const bool exact = method.method == taylor.method;
    errors.push_back(
        difference(inputs_of_crane(method, step), exact ? closed_form : inputs_of_crane(taylor, step), method.from));
  }
  return errors;
}

bool hides(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double visible = 0.05;  // relative difference, about the width of a line
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] - b[i]) > visible * b[i]) return false;
  return true;
}

std::string legend(const Method& method, const std::vector<double>& errors) {
  constexpr double round_off = 1e-10;  // errors below do not come from the step
  const bool exact = *std::ranges::max_element(errors) < round_off;
  return method.label + (exact ? ": exact" : fmt::format(": order {:.1f}", order(errors)));
}

// T + V - M (β - β₀), which the exact motion keeps, at all times [Yang 2017, section 3.5].
std::vector<double> balance_of_squeezer(const std::string& method, double step) {
  constexpr double torque = 0.033;
  Problem problem = read_problem(examples_folder() / "andrews_bodies/model.toml");
  problem.settings.of<SimulateSettings>().method = method;
  problem.settings.of<SimulateSettings>().step = step;
  problem.settings.of<SimulateSettings>().every = 1;
  const Simulation run = simulate(problem);
  if (run.summary.status != RunStatus::done) throw InputError(method + ": " + run.summary.message);
  std::vector<double> balance = run.trajectory.column("energy.total");
  const std::vector<double> beta = run.trajectory.column("beta");
  for (std::size_t i = 0; i < balance.size(); ++i) balance[i] -= torque * (beta[i] - beta[0]);
  return balance;
}

}  // namespace

std::string convergence_figure() {
  std::vector<std::vector<double>> all;
  Trajectory table{{"h"}, {}};
  for (const Method& method : methods) {
    const std::vector<double> errors = errors_of(method);
    const bool hidden = std::ranges::any_of(all, [&](const auto& other) { return hides(other, errors); });
    table.columns.push_back(legend(method, errors) + (hidden ? " (same line)" : ""));
    all.push_back(errors);
  }
  for (std::size_t k = 0; k < std::size(steps); ++k) {
    table.values.push_back(steps[k]);
    for (const auto& errors : all) table.values.push_back(errors[k]);
  }
  PlotOptions options;
  options.title = "Overhead crane: error of the inputs over the time step";
  options.panels = {{"largest error, relative to the largest input",
                     std::vector<std::string>(table.columns.begin() + 1, table.columns.end())}};
  options.x = "h";
  options.x_label = "h [s]";
  options.log_x = options.log_y = true;
  options.panel_height = 420.0;
  return plot_svg(table, options);
}

std::string energy_figure() {
  constexpr double step = 3e-4;
  Trajectory table{{"t [ms]", "energy-momentum", "variational", "generalized-alpha"}, {}};
  std::vector<std::vector<double>> curves;
  for (std::size_t k = 1; k < table.columns.size(); ++k) curves.push_back(balance_of_squeezer(table.columns[k], step));
  for (std::size_t i = 0; i < curves.front().size(); ++i) {
    table.values.push_back(1e3 * step * static_cast<double>(i));
    for (const auto& curve : curves) table.values.push_back(curve[i]);
  }
  PlotOptions options;
  options.title = "Andrews' squeezer: energy less the work of the torque, steps of 0.3 ms";
  options.panels = {{"T + V - M (β - β₀) [J]", {table.columns.begin() + 1, table.columns.end()}}};
  options.x = options.x_label = table.columns.front();
  options.panel_height = 300.0;
  return plot_svg(table, options);
}

}  // namespace invar::docs
