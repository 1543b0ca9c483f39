// Machine code of a function, for one point and for many: none at first, maybe some later. Copies of the function share
// it, so that all of them go on with machine code as soon as it is there, in whatever thread they are.
//
// Only function.cpp and compilation.cpp include this.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

namespace invar {

class CodeSlot {
 public:
  // Null as long as there is none.
  void* entry() const { return entry_.load(std::memory_order_acquire); }

  // True for the first who wants to fill it, until that gives up.
  bool claim() { return !claimed_.exchange(true); }
  void give_up() { claimed_ = false; }

  // Points at a time, where there is some.
  std::size_t width() const { return width_; }

  // By the one who has claimed it, once.
  void fill(std::shared_ptr<void> library, void* entry, std::size_t width) {
    library_ = std::move(library);
    width_ = width;
    entry_.store(entry, std::memory_order_release);
  }
  // What another one has by now.
  void share(const CodeSlot& other) {
    if (void* const entry = other.entry()) fill(other.library_, entry, other.width_);
  }

 private:
  std::shared_ptr<void> library_;
  std::size_t width_ = 1;
  std::atomic<void*> entry_ = nullptr;
  std::atomic<bool> claimed_ = false;
};

struct FunctionCode {
  std::string name;  // of what the function computes, for reports
  CodeSlot point, lanes;
};

}  // namespace invar
