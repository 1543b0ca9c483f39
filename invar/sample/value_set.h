// The values that a quantity takes in a sweep: listed ones, which are all taken, or some that are drawn.
//
//   4                  one value
//   [1, 2, 3]          these
//   50:500:10          ten of equal distances from 50 to 500, ends included: 50, 100 … 500
//   normal(4, 0.1)     drawn, as are uniform(from, to), lognormal(median, spread) and loguniform(from, to)
//   choice(1, 2, 3)    drawn from these
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace invar {

struct Distribution;

class ValueSet {
 public:
  static constexpr std::size_t most_values = 10'000'000;

  // Throws InputError with what is wrong, on one line that begins with the text.
  static ValueSet read(std::string_view text);
  static ValueSet list(std::vector<double> values);

  bool is_drawn() const { return drawn_; }
  // Of listed values.
  std::size_t count() const { return values_.size(); }
  double operator[](std::size_t k) const { return values_[k]; }
  // What is drawn with a number between 0 and 1; of listed values each has an equal part.
  double at(double u) const;
  // read() gives the same again.
  const std::string& text() const { return text_; }

 private:
  friend struct ValueText;

  bool drawn_ = false;
  std::vector<double> values_;
  const Distribution* distribution_ = nullptr;
  double a_ = 0.0, b_ = 0.0;
  std::string text_;
};

}  // namespace invar
