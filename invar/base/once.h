// A value that is made when it is first asked for, by whichever thread asks; the others wait.
#pragma once

#include <mutex>
#include <optional>

namespace invar {

template <class T>
class Once {
 public:
  // If making it throws, the next to ask tries again.
  template <class Make>
  const T& get(const Make& make) {
    std::call_once(made_, [&] { value_.emplace(make()); });
    return *value_;
  }

 private:
  std::once_flag made_;
  std::optional<T> value_;
};

}  // namespace invar
