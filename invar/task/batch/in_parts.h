// The same for many numbers, in several threads.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace invar {

// work(first, last) for parts of [0, count) that together are all of it. What one of them throws is thrown again.
template <class Work>
void in_parts(std::size_t count, std::size_t threads, const Work& work) {
  if (threads <= 1 || count < 2 * threads) return work(std::size_t{0}, count);
  std::exception_ptr trouble;
  std::mutex telling;
  {
    std::vector<std::jthread> others;
    for (std::size_t k = 0; k < threads; ++k)
      others.emplace_back([&, first = count * k / threads, last = count * (k + 1) / threads] {
        try {
          work(first, last);
        } catch (...) {
          const std::scoped_lock lock(telling);
          if (!trouble) trouble = std::current_exception();
        }
      });
  }
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace invar
