// A list of numbers that holds the first few in itself: very many short lists cost no allocations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace invar {

template <class T, std::size_t inside>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_default_constructible_v<T>);

 public:
  using value_type = T;

  ShortList() = default;
  ShortList(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  ShortList(std::size_t count, T value) { assign(count, value); }
  ShortList(const ShortList& other) { assign(other.begin(), other.end()); }
  ShortList(ShortList&& other) noexcept { take(other); }
  ShortList& operator=(const ShortList& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  ShortList& operator=(ShortList&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  ~ShortList() { release(); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return room_ > inside ? place_.outside : place_.within; }
  const T* data() const { return room_ > inside ? place_.outside : place_.within; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void resize(std::size_t count, T value = T()) {
    give_room(count);
    if (count > size_) std::fill(data() + size_, data() + count, value);
    size_ = static_cast<std::uint32_t>(count);
  }
  void push_back(T value) { resize(size() + 1, value); }
  void assign(std::size_t count, T value) {
    size_ = 0;
    resize(count, value);
  }
  template <class Iterator>
    requires(!std::is_integral_v<Iterator>)
  void assign(Iterator first, Iterator last) {
    const auto count = static_cast<std::size_t>(last - first);
    size_ = 0;
    give_room(count);
    std::copy(first, last, data());
    size_ = static_cast<std::uint32_t>(count);
  }

  friend bool operator==(const ShortList& a, const ShortList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void give_room(std::size_t count) {
    if (count <= room_) return;
    const std::size_t room = std::max<std::size_t>(count, 2 * room_);
    T* const more = new T[room];
    std::copy(begin(), end(), more);
    release();
    place_.outside = more;
    room_ = static_cast<std::uint32_t>(room);
  }
  void release() {
    if (room_ > inside) delete[] place_.outside;
    room_ = inside;
  }
  void take(ShortList& other) {
    place_ = other.place_;
    size_ = std::exchange(other.size_, 0);
    room_ = std::exchange(other.room_, inside);
  }

  union Place {
    T within[inside];
    T* outside;
  };
  Place place_;
  std::uint32_t size_ = 0, room_ = inside;  // more room than inside: outside
};

}  // namespace invar
