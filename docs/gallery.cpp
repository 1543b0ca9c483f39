// Writes gallery.md, a table of what kind of inverse problem each bundled example is, convergence.svg, the error of every
// method over the time step, and andrews_balance.svg, the energy balance of three schemes, into the folder given.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <string>
#include <vector>

#include "invar/expr/error.h"
#include "invar/model/read.h"
#include "invar/record/file.h"
#include "invar/record/trajectory.h"
#include "invar/report/plot.h"
#include "invar/task/invert.h"
#include "invar/task/simulate.h"

namespace {

using namespace invar;
namespace fs = std::filesystem;

const fs::path examples = INVAR_EXAMPLES_DIR;

// ---- The table ----

// Model files with trajectories for their outputs; model.toml comes before the variants in the same folder.
std::vector<fs::path> inverse_models() {
  std::vector<fs::path> models;
  for (const auto& entry : fs::recursive_directory_iterator(examples)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".toml" || path.filename() == "expected.toml") continue;
    if (!read_problem(path).targets.empty()) models.push_back(path);
  }
  std::ranges::sort(models, {}, [](const fs::path& p) {
    return std::pair(p.parent_path().string(), p.filename() == "model.toml" ? "" : p.filename().string());
  });
  return models;
}

std::string name_of(const fs::path& model) {
  const std::string folder = model.parent_path().filename();
  return model.filename() == "model.toml" ? folder : folder + " (" + model.stem().string() + ")";
}

std::string link_to(const fs::path& model) {
  return fmt::format("[{}](../examples/{})", name_of(model), fs::relative(model, examples).string());
}

// What rounding leaves of a zero is written as zero.
std::string eigenvalues(const std::vector<std::complex<double>>& values) {
  constexpr double rounding = 1e-6;  // a double zero is known to the square root of the machine precision
  double size = 1.0;
  for (const auto& z : values) size = std::max(size, std::abs(z));
  const auto clean = [&](double x) { return std::abs(x) < rounding * size ? 0.0 : x; };
  std::vector<std::pair<double, double>> sorted;
  for (const auto& z : values) sorted.emplace_back(clean(z.real()), std::abs(clean(z.imag())));
  std::ranges::sort(sorted);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto [re, im] = sorted[i];
    if (im == 0.0) {
      list.push_back(fmt::format("{:.4g}", re));
      continue;
    }
    ++i;  // its conjugate
    list.push_back((re == 0.0 ? "" : fmt::format("{:.4g} ", re)) + fmt::format("± {:.4g}i", im));
  }
  return fmt::format("{}", fmt::join(list, ", "));
}

std::string needed(const Summary::Inversion& s) {
  std::vector<int> orders;
  for (const auto& n : s.needed_derivatives)
    if (std::ranges::find(orders, n.order) == orders.end()) orders.push_back(n.order);
  if (orders.size() == 1) return std::to_string(orders.front());
  std::vector<std::string> list;
  for (int order : orders) {
    std::vector<std::string> outputs;
    for (const auto& n : s.needed_derivatives)
      if (n.order == order) outputs.push_back(n.output);
    list.push_back(fmt::format("{}: {}", fmt::join(outputs, ", "), order));
  }
  return fmt::format("{}", fmt::join(list, "; "));
}

// Only the size: further digits of round-off differ between machines.
std::string size_of(double error) { return error > 0.0 ? fmt::format("{:.0e}", error) : "0"; }

struct Entry {
  std::string row;
  std::string remarks;
};

Entry describe(const fs::path& model) {
  const std::string name = link_to(model);
  Problem problem = read_problem(model);
  try {
    const Summary s = invert(problem).summary;
    const Summary::Inversion& i = *s.inversion;
    const bool exact = s.method == "taylor" || s.method == "stable-inversion";
    Entry entry;
    entry.row =
        fmt::format("| {} | {} | {}{} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, i.unknowns, i.index,
                    i.formal_index != i.index ? fmt::format(" ({})", i.formal_index) : "", i.degrees_of_freedom,
                    i.flat ? "yes" : "no", eigenvalues(i.zero_dynamics), needed(i), i.realisation, s.method,
                    exact ? size_of(i.equation_residual) : "", i.round_trip ? size_of(*i.round_trip) : "",
                    s.status != "done"   ? s.status
                    : s.warnings.empty() ? ""
                                         : fmt::format("{}, below", s.warnings.size()));
    if (s.status != "done") entry.remarks += fmt::format("  - {}\n", s.message);
    for (const std::string& w : s.warnings) entry.remarks += fmt::format("  - {}\n", w);
    return entry;
  } catch (const InputError& refusal) {
    return {fmt::format("| {} | | | | | | | | | | | refused, below |\n", name),
            fmt::format("  - refused: {}\n", refusal.what())};
  }
}

std::string gallery() {
  std::string table, remarks;
  for (const fs::path& model : inverse_models()) {
    const Entry entry = describe(model);
    table += entry.row;
    if (!entry.remarks.empty()) remarks += fmt::format("- {}\n{}", name_of(model), entry.remarks);
  }
  return "# Gallery of inverse problems\n\n"
         "What `invar invert` finds for each bundled example; `make gallery` writes this page. What the words mean is "
         "told "
         "in [inversion.md](inversion.md).\n\n"
         "- *index*: of the equations with the outputs prescribed; in brackets what the formulas alone suggest, where "
         "that is wrong.\n"
         "- *states*, *eigenvalues*: of the internal dynamics, at rest. A flat system has none.\n"
         "- *derivatives*: of the trajectory of each output that must be continuous.\n"
         "- *residual*: of the equations along the motion, relative to their terms.\n"
         "- *round trip*: largest departure from the trajectories in a simulation with the inputs found.\n\n"
         "| system | unknowns | index | states | flat | eigenvalues | derivatives | realisation | method | residual | "
         "round trip | warnings |\n"
         "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n" +
         table + "\n## Warnings and refusals\n\n" + remarks;
}

// ---- The figure ----

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
  Problem problem = read_problem(examples / "overhead_crane_inverse/model.toml");
  problem.invert.method = method.method;
  if (!method.integrator.empty()) problem.invert.integrator = method.integrator;
  problem.invert.step = step;
  problem.invert.verify = false;
  const Inversion run = invert(problem);
  if (run.summary.status != "done") throw InputError(method.label + ": " + run.summary.message);
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
  const Trajectory closed_form = read_csv(examples / "overhead_crane_inverse/reference.csv");
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

std::string convergence() {
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

// ---- The energy balance of the squeezer ----

// T + V - M (β - β₀), which the exact motion keeps, at all times [Yang 2017, section 3.5].
std::vector<double> balance_of_squeezer(const std::string& method, double step) {
  constexpr double torque = 0.033;
  Problem problem = read_problem(examples / "andrews_bodies/model.toml");
  problem.simulate.method = method;
  problem.simulate.step = step;
  problem.simulate.every = 1;
  const Simulation run = simulate(problem);
  if (run.summary.status != "done") throw InputError(method + ": " + run.summary.message);
  std::vector<double> balance = run.trajectory.column("energy.total");
  const std::vector<double> beta = run.trajectory.column("beta");
  for (std::size_t i = 0; i < balance.size(); ++i) balance[i] -= torque * (beta[i] - beta[0]);
  return balance;
}

std::string energy_balance() {
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: gallery FOLDER\n");
    return 1;
  }
  try {
    const fs::path folder = argv[1];
    write_text(folder / "andrews_balance.svg", energy_balance());
    write_text(folder / "convergence.svg", convergence());
    write_text(folder / "gallery.md", gallery());
  } catch (const std::exception& error) {
    fmt::print(stderr, "gallery: {}\n", error.what());
    return 1;
  }
}
