// Which of several ways to do the same again and again takes the least work, found by doing: each is tried for some
// turns, the cheapest is taken for many, and then the others are tried again, ever more seldom, and only those that are
// not far more expensive.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace invar {

class CheapestWay {
 public:
  explicit CheapestWay(std::size_t ways = 1) : mean_(ways, unknown) {}

  std::size_t way() const { return way_; }

  // The way at hand took so much this time.
  void took(double work) {
    sum_ += work;
    if (++turns_ < length_ || mean_.size() == 1) return;
    mean_[way_] = sum_ / turns_;
    sum_ = 0.0;
    turns_ = 0;
    choose();
  }

  // What a way that was never tried is likely to take.
  void expect(std::size_t way, double work) {
    if (mean_[way] == unknown) mean_[way] = work;
  }

  void forget() { *this = CheapestWay(mean_.size()); }

 private:
  static constexpr double unknown = -1.0, far_more = 1.5;
  static constexpr int trial = 6, shortest = 48, longest = 3000;  // turns

  void choose() {
    const auto not_tried = std::ranges::find(mean_, unknown);
    const auto best = static_cast<std::size_t>(std::ranges::min_element(mean_) - mean_.begin());
    length_ = trial;
    if (not_tried != mean_.end()) {
      way_ = static_cast<std::size_t>(not_tried - mean_.begin());
    } else if (const std::size_t other = another(best); way_ == best && other != best && !returned_) {
      way_ = last_tried_ = other;
      returned_ = true;
    } else {
      way_ = best;
      length_ = stay_;
      stay_ = std::min(2 * stay_, longest);
      returned_ = false;
    }
  }

  // The next one that might be cheaper.
  std::size_t another(std::size_t best) const {
    for (std::size_t k = 1; k <= mean_.size(); ++k) {
      const std::size_t next = (last_tried_ + k) % mean_.size();
      if (next != best && mean_[next] < far_more * mean_[best]) return next;
    }
    return best;
  }

  std::vector<double> mean_;  // work of a turn
  std::size_t way_ = 0, last_tried_ = 0;
  double sum_ = 0.0;
  int turns_ = 0, length_ = trial, stay_ = shortest;
  bool returned_ = false;  // from a way that was tried?
};

}  // namespace invar
