// Moves from rest to rest. Each is symmetric, c(t) = 1 - c(T - t), so only the first half is ever evaluated: small
// numbers near an end are then sums of small numbers, never differences of large ones.
#include "invar/model/trajectory/profile.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "invar/base/error.h"

namespace invar {
namespace {

bool is_past(double knot, double t, Side side) { return t > knot || (t == knot && side == Side::right); }

// I(s) = ∫₀ˢ x^k(1-x)^k dx / ∫₀¹ … as a series about s ≤ 1/2: the value is s^(k+1) Σ_i C(k+i,i) (1-s)^i, and the
// derivative a power of (s+δ)(1-s-δ) = s(1-s) + (1-2s)δ - δ².
void smooth_step(int k, double s, std::span<double> out) {
  const double r = 1.0 - s;
  double sum = 0.0, power = 1.0, binomial = 1.0, central = 1.0, low = 1.0;
  for (int i = 0; i <= k; ++i) {
    sum += binomial * power;
    power *= r;
    low *= s;
    binomial *= static_cast<double>(k + i + 1) / (i + 1);
  }
  for (int i = 1; i <= k; ++i) central *= 2.0 * (2 * i - 1) / i;  // C(2k,k)

  std::fill(out.begin(), out.end(), 0.0);
  out[0] = low * sum;
  if (out.size() == 1) return;
  out[1] = (2 * k + 1) * central;
  for (int i = 0; i < k; ++i)
    for (std::size_t j = out.size() - 1; j >= 1; --j)
      out[j] = s * r * out[j] + (j > 1 ? (r - s) * out[j - 1] : 0.0) - (j > 2 ? out[j - 2] : 0.0);
  for (std::size_t j = 2; j < out.size(); ++j) out[j] /= static_cast<double>(j);
}

// From a series in t/scale to one in t.
void rescale(double scale, std::span<double> out) {
  double factor = 1.0;
  for (double& x : out) {
    x *= factor;
    factor /= scale;
  }
}

class MoveFunction : public TimeFunction {
 public:
  explicit MoveFunction(const Move& move)
      : move_(move), end_(move.start + move.duration), middle_(move.start + 0.5 * move.duration) {
    expects(move.duration > 0.0 && std::isfinite(end_), "a move of positive duration");
  }

  void series(double t, Side side, std::span<double> out) const override {
    if (out.empty()) return;
    const bool in_second_half = is_past(middle_, t, side);
    std::fill(out.begin(), out.end(), 0.0);
    if (is_past(move_.start, t, side) && !is_past(end_, t, side)) {
      const double x = std::clamp(in_second_half ? end_ - t : t - move_.start, 0.0, 0.5 * move_.duration);
      rise({t, side, in_second_half, x}, out);
    }
    // γ = from + Δ c(x), or to - Δ c(x) with x running backwards.
    double factor = (in_second_half ? -1.0 : 1.0) * (move_.to - move_.from);
    for (double& x : out) {
      x *= factor;
      if (in_second_half) factor = -factor;
    }
    out[0] += in_second_half ? move_.to : move_.from;
  }

  std::vector<double> knots() const override { return {move_.start, end_}; }

 protected:
  struct Place {
    double t;
    Side side;
    bool in_second_half;
    double x;  // ≤ duration/2: time since the start, or in the second half until the end
  };

  const Move& move() const { return move_; }
  double middle() const { return middle_; }
  double end() const { return end_; }

 private:
  // The series of c in x; `out` comes filled with zeros.
  virtual void rise(const Place& place, std::span<double> out) const = 0;

  Move move_;
  double end_, middle_;
};

class PolynomialMove final : public MoveFunction {
 public:
  PolynomialMove(int degree, const Move& move) : MoveFunction(move), k_((degree - 1) / 2) {
    expects(degree >= 1 && degree <= highest_degree && degree % 2 == 1, "an odd degree");
  }
  int smoothness() const override { return k_; }
  std::string describe() const override {
    if (k_ == 0) return "linear ramp";
    if (k_ > 4) return "polynomial of degree " + std::to_string(2 * k_ + 1);
    std::string powers = std::to_string(k_ + 1);
    for (int i = k_ + 2; i <= 2 * k_ + 1; ++i) powers += "-" + std::to_string(i);
    return powers + " polynomial";
  }

 private:
  void rise(const Place& place, std::span<double> out) const override {
    smooth_step(k_, place.x / move().duration, out);
    rescale(move().duration, out);
  }

  int k_;
};

class ThreePhaseMove final : public MoveFunction {
 public:
  ThreePhaseMove(double accelerate, const Move& move) : MoveFunction(move), ramp_(accelerate) {
    expects(accelerate > 0.0 && accelerate <= 0.5 * move.duration, "ramps within the duration");
    // Where rounding leaves no room for the middle phase there is none.
    const double left = move.start + accelerate, right = end() - accelerate;
    const bool meet = !(right - left > 1e-12 * move.duration);
    ramp_end_ = meet ? middle() : left;
    ramp_begin_ = meet ? middle() : right;
  }
  std::vector<double> knots() const override {
    if (ramp_end_ == ramp_begin_) return {move().start, ramp_end_, end()};
    return {move().start, ramp_end_, ramp_begin_, end()};
  }
  int smoothness() const override { return 4; }
  std::string describe() const override { return "three-phase move"; }

 private:
  void rise(const Place& place, std::span<double> out) const override {
    const bool ramping =
        place.in_second_half ? is_past(ramp_begin_, place.t, place.side) : !is_past(ramp_end_, place.t, place.side);
    const double speed = 1.0 / (move().duration - ramp_);
    if (ramping) {
      ramp(std::min(place.x / ramp_, 1.0), out);
      rescale(ramp_, out);
      for (double& c : out) c *= speed * ramp_;
    } else {
      out[0] = speed * (place.x - 0.5 * ramp_);
      if (out.size() > 1) out[1] = speed;
    }
  }

  // F(s) = ∫₀ˢ I = 7s⁵ - 14s⁶ + 10s⁷ - 5/2 s⁸; in the second half F(s) = s - 1/2 + F(1-s).
  static void ramp(double s, std::span<double> out) {
    const bool upper = s > 0.5;
    const double x = upper ? 1.0 - s : s;
    const double value = std::pow(x, 5) * (7.0 + x * (-14.0 + x * (10.0 - 2.5 * x)));
    if (out.size() > 1) {
      smooth_step(3, x, out.subspan(1));
      if (upper) {  // I(s) = 1 - I(1-s)
        double sign = -1.0;
        for (double& c : out.subspan(1)) {
          c *= sign;
          sign = -sign;
        }
        out[1] += 1.0;
      }
      for (std::size_t j = 2; j < out.size(); ++j) out[j] /= static_cast<double>(j);
    }
    out[0] = upper ? s - 0.5 + value : value;
  }

  double ramp_;                   // length of a ramp
  double ramp_end_, ramp_begin_;  // of the first and of the second one
};

class HarmonicMove final : public MoveFunction {
 public:
  using MoveFunction::MoveFunction;
  int smoothness() const override { return 1; }
  std::string describe() const override { return "harmonic move"; }

 private:
  void rise(const Place& place, std::span<double> out) const override {
    const double angle = std::numbers::pi * place.x / move().duration;
    const double sine = std::sin(angle), cosine = std::cos(angle), half = std::sin(0.5 * angle);
    const double cycle[] = {-cosine, sine, cosine, -sine};  // derivatives of -cos
    double factor = 0.5;                                    // 1/2 π^j/j!
    for (std::size_t j = 0; j < out.size(); ++j) {
      out[j] = j == 0 ? half * half : factor * cycle[j % 4];
      factor *= std::numbers::pi / static_cast<double>(j + 1);
    }
    rescale(move().duration, out);
  }
};

class Constant final : public TimeFunction {
 public:
  explicit Constant(double value) : value_(value) {}
  void series(double, Side, std::span<double> out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    if (!out.empty()) out[0] = value_;
  }
  std::vector<double> knots() const override { return {}; }
  int smoothness() const override { return analytic; }
  std::string describe() const override { return "constant"; }

 private:
  double value_;
};

}  // namespace

TimeFunctionPtr polynomial_move(int degree, const Move& move) { return std::make_shared<PolynomialMove>(degree, move); }
TimeFunctionPtr three_phase_move(double accelerate, const Move& move) {
  return std::make_shared<ThreePhaseMove>(accelerate, move);
}
TimeFunctionPtr harmonic_move(const Move& move) { return std::make_shared<HarmonicMove>(move); }
TimeFunctionPtr constant_function(double value) { return std::make_shared<Constant>(value); }

}  // namespace invar
