#include "invar/sample/sensitivity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "invar/base/error.h"
#include "invar/sample/counter_random.h"
#include "invar/sample/statistics.h"

namespace invar {
namespace {

// What a base sample adds to the sums of which the indices are made.
struct Terms {
  double mean = 0.0, square = 0.0;   // of f at A and B
  std::vector<double> first, total;  // f(B)(f(A_i) - f(A)) and (f(A) - f(A_i))²/2
};

std::vector<Terms> terms_of(std::span<const double> results, std::size_t drawn) {
  const std::size_t points = drawn + 2;
  const double centre = moments(results).mean;  // the sums are of distances from it: nothing is lost in differences
  std::vector<Terms> list;
  for (std::size_t start = 0; start + points <= results.size(); start += points) {
    const std::span<const double> f = results.subspan(start, points);
    if (!std::ranges::all_of(f, [](double x) { return std::isfinite(x); })) continue;
    const double a = f[0] - centre, b = f[1] - centre;
    Terms& terms = list.emplace_back();
    terms.mean = 0.5 * (a + b);
    terms.square = 0.5 * (a * a + b * b);
    for (std::size_t i = 0; i < drawn; ++i) {
      const double change = f[i + 2] - f[0];
      terms.first.push_back(b * change);
      terms.total.push_back(0.5 * change * change);
    }
  }
  return list;
}

// First-order indices, then total ones.
class IndexSums {
 public:
  explicit IndexSums(std::size_t drawn) : first_(drawn), total_(drawn) {}

  void add(const Terms& terms) {
    count_ += 1.0;
    mean_ += terms.mean;
    square_ += terms.square;
    for (std::size_t i = 0; i < first_.size(); ++i) {
      first_[i] += terms.first[i];
      total_[i] += terms.total[i];
    }
  }

  std::vector<double> indices() const {
    const double mean = mean_ / count_, variance = square_ / count_ - mean * mean;
    std::vector<double> list;
    for (const auto* sums : {&first_, &total_})
      for (const double sum : *sums)
        list.push_back(variance > 0.0 ? sum / count_ / variance : std::numeric_limits<double>::quiet_NaN());
    return list;
  }

 private:
  double count_ = 0.0, mean_ = 0.0, square_ = 0.0;
  std::vector<double> first_, total_;
};

}  // namespace

SensitivityResult sobol_indices(std::span<const double> results, std::size_t drawn, const SensitivityOptions& options) {
  expects(drawn > 0 && results.size() % (drawn + 2) == 0, "results of whole base samples");
  expects(options.confidence > 0.0 && options.confidence < 1.0, "a confidence between 0 and 1");
  const std::vector<Terms> terms = terms_of(results, drawn);
  SensitivityResult answer;
  answer.base_samples = terms.size();
  IndexSums sums(drawn);
  for (const Terms& t : terms) sums.add(t);
  std::vector<double> value(2 * drawn, std::numeric_limits<double>::quiet_NaN());
  if (terms.size() >= 2) value = sums.indices();

  std::vector<std::vector<double>> spread(2 * drawn);
  for (std::size_t k = 0; terms.size() >= 2 && k < options.resamples; ++k) {
    IndexSums again(drawn);
    for (std::size_t j = 0; j < terms.size(); ++j) {
      const double u = unit_number(random_bits(options.seed, j, static_cast<std::uint32_t>(k), DrawnFor::resamples));
      again.add(terms[static_cast<std::size_t>(u * static_cast<double>(terms.size()))]);
    }
    const std::vector<double> indices = again.indices();
    for (std::size_t i = 0; i < indices.size(); ++i) spread[i].push_back(indices[i]);
  }
  const double outside = 0.5 * (1.0 - options.confidence);
  const std::array ends = {outside, 1.0 - outside};
  for (std::size_t i = 0; i < drawn; ++i) {
    const auto index = [&](std::size_t place) {
      const std::vector<double> range = quantiles(spread[place], ends);
      return SensitivityIndex{value[place], range[0], range[1]};
    };
    answer.of.push_back({index(i), index(drawn + i)});
  }
  return answer;
}

}  // namespace invar
