// See pages.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <complex>

#include "docs/make/pages.h"
#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"

namespace invar::docs {

namespace fs = std::filesystem;

namespace {

// Model files with trajectories for their outputs; model.toml comes before the variants in the same folder.
std::vector<fs::path> inverse_models() {
  std::vector<fs::path> models;
  for (const auto& entry : fs::recursive_directory_iterator(examples_folder())) {
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
  return fmt::format("[{}](../examples/{})", name_of(model), fs::relative(model, examples_folder()).string());
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

std::string needed(const InversionSummary& s) {
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
    const InversionSummary& i = *s.part<InversionSummary>();
    const bool exact = is_exact(kind_in(inverse_methods, s.method).value());
    const std::size_t remarks = s.warnings.size() + (i.window_error ? 1 : 0);
    Entry entry;
    entry.row =
        fmt::format("| {} | {} | {}{} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, i.unknowns, i.index,
                    i.formal_index != i.index ? fmt::format(" ({})", i.formal_index) : "", i.degrees_of_freedom,
                    i.flat ? "yes" : "no", eigenvalues(i.zero_dynamics), needed(i), i.realisation, s.method,
                    exact ? size_of(i.equation_residual) : "", i.round_trip ? size_of(*i.round_trip) : "",
                    s.status != RunStatus::done ? name_of(s.status)
                    : remarks == 0              ? ""
                                                : fmt::format("{}, below", remarks));
    if (s.status != RunStatus::done) entry.remarks += fmt::format("  - {}\n", s.message);
    if (i.window_error) entry.remarks += fmt::format("  - {}\n", i.verification);
    for (const std::string& w : s.warnings) entry.remarks += fmt::format("  - {}\n", w);
    return entry;
  } catch (const InputError& refusal) {
    return {fmt::format("| {} | | | | | | | | | | | refused, below |\n", name),
            fmt::format("  - refused: {}\n", refusal.what())};
  }
}

}  // namespace

std::string inverse_table() {
  std::string table, remarks;
  for (const fs::path& model : inverse_models()) {
    const Entry entry = describe(model);
    table += entry.row;
    if (!entry.remarks.empty()) remarks += fmt::format("- {}\n{}", name_of(model), entry.remarks);
  }
  return "# What kind of inverse problem each example is\n\n"
         "What `invar invert` finds for each bundled example with trajectories; `make gallery` writes this page. What "
         "the "
         "words mean is told in [inversion.md](inversion.md).\n\n"
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

}  // namespace invar::docs
