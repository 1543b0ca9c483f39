// See sampled.h.
#include "invar/model/trajectory/sampled.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "invar/model/trajectory/rest_spline.h"

namespace invar {
namespace {

class Other final : public TimeFunction {
 public:
  Other(RestSpline spline, int smoothness) : spline_(std::move(spline)), smoothness_(smoothness) {}
  void series(double t, Side side, std::span<double> out) const override { spline_.series(t, side, out); }
  std::vector<double> knots() const override { return spline_.knots(); }
  int smoothness() const override { return smoothness_; }
  std::string describe() const override { return "spline of degree " + std::to_string(spline_.degree()); }

 private:
  RestSpline spline_;
  int smoothness_;
};

// What is near samples: the spline, what errors of one, up and down, do to it, and a coarser one.
struct Nearby {
  RestSpline spline, response;
  std::optional<RestSpline> coarser;
};

class NearSamples final : public SampledFunction {
 public:
  NearSamples(Nearby nearby, double error, int smoothness, const Samples& samples)
      : near_(std::move(nearby)),
        error_(error),
        smoothness_(smoothness),
        samples_(samples.times.size()),
        source_(samples.source) {}

  void series(double t, Side side, std::span<double> out) const override { near_.spline.series(t, side, out); }
  std::vector<double> knots() const override { return near_.spline.knots(); }
  int smoothness() const override { return smoothness_; }
  std::string describe() const override {
    const std::size_t knots = near_.spline.knots().size();
    return "spline of degree " + std::to_string(near_.spline.degree()) + " " +
           (knots == samples_ ? "through " : "with " + std::to_string(knots) + " knots near ") +
           std::to_string(samples_) + " points";
  }
  double sample_error() const override { return error_; }
  const std::string& source() const override { return source_; }
  std::vector<std::shared_ptr<const TimeFunction>> others() const override {
    constexpr double deviations = 2.0;
    std::vector<double> control = near_.spline.control();
    for (std::size_t i = 0; i < control.size(); ++i) control[i] += deviations * error_ * near_.response.control()[i];
    const RestSpline off(near_.spline.knots(), static_cast<std::size_t>(smoothness_), std::move(control));
    std::vector<std::shared_ptr<const TimeFunction>> all = {std::make_shared<Other>(off, smoothness_)};
    if (near_.coarser) all.push_back(std::make_shared<Other>(*near_.coarser, smoothness_));
    return all;
  }

 private:
  Nearby near_;
  double error_;
  int smoothness_;
  std::size_t samples_;
  std::string source_;
};

// Up and down without order, but always the same.
std::vector<double> ups_and_downs(std::size_t count, std::uint64_t seed) {
  std::vector<double> signs;
  std::uint64_t state = 0x9E3779B97F4A7C15U * seed;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    signs.push_back((state >> 63U) != 0U ? 1.0 : -1.0);
  }
  return signs;
}

std::vector<double> some_knots(const std::vector<double>& times, std::size_t intervals) {
  std::vector<double> knots;
  const std::size_t last = times.size() - 1;
  for (std::size_t i = 0; i <= intervals; ++i) knots.push_back(times[(i * last + intervals / 2) / intervals]);
  return knots;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

double mean_square(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double x : values) sum += x * x;
  return sum / static_cast<double>(values.size());
}

// A spline with so many intervals: its highest continuous derivative, what unit errors make of that, and what it leaves
// over.
struct Level {
  RestSpline spline, response;
  std::vector<double> derivative;
  double noise, largest_noise;  // root mean square over time, and the largest
  double left_over;             // standard deviation of the samples from it
};

class Levels {
 public:
  Levels(const Samples& samples, std::size_t k) : samples_(samples), k_(k), columns_{samples.values} {
    constexpr std::size_t enough = 2000, trials = 4;
    for (std::size_t i = 1; i <= trials; ++i) columns_.push_back(ups_and_downs(samples.times.size(), i));
    const std::size_t stride = std::max<std::size_t>(1, samples.times.size() / enough);
    for (std::size_t i = 0; i + 1 < samples.times.size(); i += stride) {
      instants_.push_back(samples.times[i]);
      instants_.push_back(0.5 * (samples.times[i] + samples.times[i + 1]));
    }
  }

  Level with(std::size_t intervals) const {
    std::vector<RestSpline> found =
        nearest_splines(some_knots(samples_.times, intervals), k_, samples_.times, columns_);
    double squares = 0.0, most = 0.0;
    for (std::size_t i = 1; i < found.size(); ++i) {
      const std::vector<double> noise = highest(found[i]);
      squares += mean_square(noise) / static_cast<double>(found.size() - 1);
      most = std::max(most, largest(noise));
    }
    std::vector<double> derivative = highest(found[0]);
    const double rest = left_over(found[0], intervals);
    return {std::move(found[0]), std::move(found[1]), std::move(derivative), std::sqrt(squares), most, rest};
  }

 private:
  // Of errors that are normal the largest is some three deviations; where they are larger in some places than in
  // others, these count.
  double left_over(const RestSpline& spline, std::size_t intervals) const {
    constexpr double usual_largest = 3.5;
    const std::size_t free = samples_.times.size() - 1 - intervals;  // equations less unknowns
    if (free == 0) return 0.0;
    std::vector<double> rest;
    for (std::size_t i = 0; i < samples_.times.size(); ++i) {
      double value = 0.0;
      spline.series(samples_.times[i], Side::right, {&value, 1});
      rest.push_back(value - samples_.values[i]);
    }
    return std::max(std::sqrt(mean_square(rest)), largest(rest) / usual_largest) *
           std::sqrt(static_cast<double>(rest.size()) / static_cast<double>(free));
  }

  std::vector<double> highest(const RestSpline& spline) const {
    std::vector<double> values, series(k_ + 1);
    for (const double t : instants_) {
      spline.series(t, Side::right, series);
      values.push_back(series[k_]);
    }
    return values;
  }

  const Samples& samples_;
  std::size_t k_;
  std::vector<std::vector<double>> columns_;  // the samples, and errors of one
  std::vector<double> instants_;
};

// What splines of three degrees of fineness leave over alike is the error of the samples; a motion that they do not
// resolve is left over more and more. Zero if that cannot be told.
double common_rest(const Levels& levels, std::size_t count) {
  constexpr std::size_t enough = 40;  // with fewer samples it would be chance
  constexpr double alike = 1.6;       // unresolved motion grows by more from the first to the last, chance by less
  constexpr double parts[][3] = {{0.5, 0.33, 0.25}, {0.9, 0.81, 0.73}};
  if (count < enough) return 0.0;
  for (const auto& three : parts) {
    double least = std::numeric_limits<double>::infinity(), most = 0.0;
    for (const double part : three) {
      const double rest = levels.with(static_cast<std::size_t>(part * static_cast<double>(count - 1))).left_over;
      least = std::min(least, rest);
      most = std::max(most, rest);
    }
    if (most <= alike * least) return least;
  }
  return 0.0;
}

// Do the derivatives of two levels differ by no more than the noise of the finer one?
bool agree(const Level& coarse, const Level& fine, double error) {
  constexpr double usual = 1.5, at_most = 4.0;
  std::vector<double> difference = coarse.derivative;
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= fine.derivative[i];
  return std::sqrt(mean_square(difference)) <= usual * error * fine.noise &&
         largest(difference) <= at_most * error * fine.largest_noise;
}

// The coarsest level in a row of levels that all agree with the finer ones; `finest` goes through all samples.
Level balanced(const Levels& levels, Level finest, std::size_t count, double error) {
  std::vector<Level> accepted;
  accepted.push_back(std::move(finest));
  for (std::size_t stride = 2; stride < count; stride += std::max<std::size_t>(1, stride / 3)) {
    Level next = levels.with((count - 1 + stride / 2) / stride);
    for (const Level& finer : accepted)
      if (!agree(next, finer, error)) return std::move(accepted.back());
    accepted.push_back(std::move(next));
  }
  return std::move(accepted.back());
}

}  // namespace

std::shared_ptr<const SampledFunction> sampled(const Samples& samples, int smoothness) {
  constexpr double negligible = 1e-6;  // part of the highest derivative
  // Rounded numbers are off by up to half a unit, on average by 1/√3 of that; computing the spline adds a few of its
  // own.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const std::size_t count = samples.times.size();
  const Levels levels(samples, static_cast<std::size_t>(smoothness));
  const double rounding = std::max(samples.rounding, 2.0 * epsilon * largest(samples.values)) / std::sqrt(3.0);
  const double error = std::max(rounding, common_rest(levels, count));
  Level chosen = levels.with(count - 1);
  if (error * chosen.noise > negligible * std::sqrt(mean_square(chosen.derivative)))
    chosen = balanced(levels, std::move(chosen), count, error);
  const std::size_t fewer = (chosen.spline.knots().size() - 1) * 3 / 4;
  std::optional<RestSpline> coarser;
  if (!samples.complete && fewer >= 1) coarser = levels.with(fewer).spline;
  return std::make_shared<NearSamples>(Nearby{std::move(chosen.spline), std::move(chosen.response), std::move(coarser)},
                                       error, smoothness, samples);
}

}  // namespace invar
