// See instant_batch.h.
#include "invar/device/instant_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/device/step_kernel.h"
#include "invar/device/sweep_coefficients.h"
#include "invar/tape/statements.h"

namespace invar {

namespace {

constexpr int most_sweeps = 6;         // as in sweep.cpp
constexpr double predicted_to = 1e-5;  // from there two sweeps reach round-off

double factorial_of(std::size_t n) { return std::tgamma(static_cast<double>(n) + 1.0); }

using Coefficient = SweepCoefficient;

std::size_t terms_of(const Jet& jet, const Coefficient& c) {
  return jet.x[c.unknown].size() > c.order ? jet.x[c.unknown].size() - c.order : 1;
}

// Coefficients as polynomials about the bases, base by base: Σ_m x^(m)/(n! (m-n)!) h^(m-n).
std::vector<double> base_table(std::span<const Jet> bases, std::span<const Coefficient> coefficients) {
  std::vector<double> table;
  for (const Jet& jet : bases)
    for (const Coefficient& c : coefficients)
      for (std::size_t m = c.order; m < c.order + terms_of(bases.front(), c); ++m) {
        const bool known = m < jet.x[c.unknown].size();
        table.push_back(known ? jet.x[c.unknown][m] / (factorial_of(c.order) * factorial_of(m - c.order)) : 0.0);
      }
  return table;
}

std::string sweep_kernel(const Sweep& sweep, std::span<const Jet> bases, std::span<const std::size_t> wanted,
                         const TimePieces& pieces) {
  const std::vector<Coefficient> needed = needed_coefficients(sweep);
  const std::vector<double> scale = change_scales(sweep, bases, needed);
  const std::size_t coefficients = sweep.function().output_count();
  std::string predictions, changes, stores, ends;
  std::size_t width = 0;
  for (std::size_t k = 0; k < needed.size(); ++k) {
    const std::size_t terms = terms_of(bases.front(), needed[k]);
    predictions += fmt::format("X[{}] = LOAD(base[{}]);\n", k, width + terms - 1);
    for (std::size_t m = terms - 1; m-- > 0;)
      predictions += fmt::format("X[{0}] = fma(X[{0}], by, LOAD(base[{1}]));\n", k, width + m);
    width += terms;
    changes +=
        fmt::format("worst = fmax(worst, fabs(Y[{0}] - X[{0}]) * {1});\nsum += 0.0 * Y[{0}];\nX[{0}] = Y[{0}];\n", k,
                    kernel_number(scale[k]));
  }
  std::vector<std::size_t> place(coefficients, coefficients);
  for (std::size_t k = 0; k < needed.size(); ++k) place[needed[k].place] = k;
  const auto input = [&](std::size_t k) {
    if (k < coefficients) return place[k] < coefficients ? element("X", place[k]) : std::string("0.0");
    if (k + 1 == sweep.function().input_count()) return std::string("t");
    return fmt::format("r{}", k - coefficients);
  };
  const auto output = [&](std::size_t k, std::span<const std::string> value) {
    std::string text;
    if (place[k] < coefficients) text += element("Y", place[k]) + " = " + value[0] + ";\n";
    for (std::size_t w = 0; w < wanted.size(); ++w)
      if (sweep.first(wanted[w]) == k) text += element("found", w) + " = " + value[0] + ";\n";
    return text;
  };
  for (std::size_t w = 0; w < wanted.size(); ++w)
    stores += fmt::format("  A->array[1][{0} * n + p] = done ? found[{0}] : NAN;\n", w);
  return fmt::format(R"c(
static INLINE void invar_point(const invar_arguments *A, const long long p)
{{
  const long long n = A->count;
  const double t = LOAD(A->array[0][p]), first = LOAD(A->array[2][0]), distance = LOAD(A->array[2][1]);
  long long b = (long long)((t - first) / distance + 0.5);
  b = b < 0 ? 0 : b > {0} ? {0} : b;
  const double *const base = A->array[2] + 2 + b * {1};
  const double by = t - (first + (double)b * distance);
  double X[{2}], Y[{2}], found[{3}];
)c",
                     bases.size() - 1, width, std::max<std::size_t>(needed.size(), 1),
                     std::max<std::size_t>(wanted.size(), 1)) +
         predictions + pieces_text(pieces, sweep.reference_lengths(), "A->array[3]", "A->array[4]") +
         fmt::format(R"c(
  int done = 0;
  ROLL for (int k = 0; k < {}; ++k) {{
    {{
)c",
                     most_sweeps) +
         statements(sweep.function(), {.input = input, .output = output}) +
         "    }\n    double worst = 0.0, sum = 0.0;\n" + changes +
         fmt::format(R"c(
    if (!(sum == 0.0) || (k == 0 && worst > {})) break;
    done = worst <= {};
    if (done) break;
  }}
)c",
                     kernel_number(worthless_prediction), kernel_number(sweep_is_solved)) +
         stores + "}\n";
}

TimePieces pieces_of(const Sweep& sweep, std::span<const Jet> bases) {
  return time_pieces(sweep.references(), sweep.reference_lengths(), bases.front().t, bases.back().t);
}

}  // namespace

double InstantBatch::reach(const Jet& jet, const Sweep& sweep) {
  double h = std::numeric_limits<double>::infinity();
  for (const Coefficient& c : needed_coefficients(sweep)) {
    const Derivatives& x = jet.x[c.unknown];
    double scale = 0.0;
    for (const Derivatives& other : jet.x)
      if (c.order < other.size()) scale = std::max(scale, 1e-3 * std::abs(other[c.order]));
    if (c.order < x.size()) scale = (scale + std::abs(x[c.order])) / factorial_of(c.order);
    for (std::size_t m = x.size() - 2; m < x.size(); ++m) {
      if (m <= c.order) continue;
      const double term = std::abs(x[m]) / (factorial_of(c.order) * factorial_of(m - c.order));
      if (term > 0.0) h = std::min(h, std::pow(predicted_to * scale / term, 1.0 / static_cast<double>(m - c.order)));
    }
  }
  return 2.0 * h;
}

InstantBatch::InstantBatch(Device& device, const Sweep& sweep, std::span<const Jet> bases,
                           std::span<const std::size_t> wanted)
    : device_(&device),
      wanted_(wanted.size()),
      first_(bases.front().t),
      distance_(bases.size() > 1 ? (bases.back().t - first_) / static_cast<double>(bases.size() - 1) : 1.0),
      bases_(device, 2 + base_table(bases, needed_coefficients(sweep)).size()),
      places_(device, 2 * pieces_of(sweep, bases).size()),
      coefficients_(device, pieces_of(sweep, bases).coefficient.size()) {
  const TimePieces pieces = pieces_of(sweep, bases);
  kernel_ = device.build(sweep_kernel(sweep, bases, wanted, pieces));
  bases_.write(std::vector<double>{first_, distance_});
  bases_.write(base_table(bases, needed_coefficients(sweep)), 2);
  places_.write(pieces.begin);
  places_.write(pieces.middle, pieces.size());
  coefficients_.write(pieces.coefficient);
}

void InstantBatch::write(std::span<const double> times) {
  if (!times_ || times_->size() != times.size()) {
    times_ = std::make_unique<DeviceArray>(*device_, times.size());
    found_ = std::make_unique<DeviceArray>(*device_, wanted_ * times.size());
  }
  times_->write(times);
}

void InstantBatch::run() {
  expects(times_ != nullptr, "instants");
  kernel_->run(
      {.array = {times_->memory(), found_->memory(), bases_.memory(), places_.memory(), coefficients_.memory()},
       .count = static_cast<std::int64_t>(times_->size())});
}

std::vector<double> InstantBatch::read() const {
  std::vector<double> result(found_->size());
  found_->read(result);
  return result;
}

std::vector<double> InstantBatch::operator()(std::span<const double> times) {
  write(times);
  run();
  return read();
}

}  // namespace invar
