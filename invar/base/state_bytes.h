// The state of a computation as bytes, to the last bit, for the same program to go on with. One list of fields serves
// both ways:
//
//   template <class Archive>
//   void store(Archive& archive) { archive(t_, node_, counts_); }
//
//   StateWriter writer; writer(run); … StateReader reader(bytes); reader(run);
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "invar/base/error.h"

namespace invar {

class StateWriter {
 public:
  template <class... Fields>
  void operator()(Fields&... fields) {
    (write(fields), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <class T>
  void write(T& value) {
    if constexpr (std::is_arithmetic_v<T>)
      bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    else
      value.store(*this);
  }
  void write(std::string& text) {
    write_size(text.size());
    bytes_ += text;
  }
  template <class T>
  void write(std::vector<T>& list) {
    write_size(list.size());
    if constexpr (std::is_same_v<T, double>)
      bytes_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(double));
    else
      for (T& item : list) write(item);
  }
  void write_size(std::uint64_t size) { write(size); }

  std::string bytes_;
};

// InputError where the bytes are not those of such a state.
class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}

  template <class... Fields>
  void operator()(Fields&... fields) {
    (read(fields), ...);
  }
  void finish() const {
    if (!rest_.empty()) fail();
  }

 private:
  [[noreturn]] static void fail() { throw InputError("the stored state is damaged"); }

  template <class T>
  void read(T& value) {
    if constexpr (std::is_arithmetic_v<T>)
      std::memcpy(&value, take(sizeof value).data(), sizeof value);
    else
      value.store(*this);
  }
  void read(std::string& text) { text = take(size_of(1)); }
  template <class T>
  void read(std::vector<T>& list) {
    const std::size_t size = size_of(std::is_same_v<T, double> ? sizeof(double) : 1);
    list.resize(size);
    if constexpr (std::is_same_v<T, double>)
      std::memcpy(list.data(), take(size * sizeof(double)).data(), size * sizeof(double));
    else
      for (T& item : list) read(item);
  }

  // Of a list whose items take at least so many bytes.
  std::size_t size_of(std::size_t bytes) {
    std::uint64_t size = 0;
    read(size);
    if (size > rest_.size() / bytes) fail();
    return static_cast<std::size_t>(size);
  }
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace invar
