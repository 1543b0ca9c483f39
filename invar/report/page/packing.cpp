// See packing.h.
#include "invar/report/page/packing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "invar/base/error.h"
#include "invar/report/page/packed.h"

namespace invar {

namespace {

using Bytes = std::vector<unsigned char>;

constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Bytes from_base64(std::string_view text) {
  Bytes bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
    if ((count += 6) < 8) continue;
    bytes.push_back(static_cast<unsigned char>(bits >> (count -= 8) & 255));
  }
  return bytes;
}

template <class Number>
std::vector<double> from_ieee(const Bytes& bytes) {
  std::vector<double> values(bytes.size() / sizeof(Number));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Number x;
    std::memcpy(&x, bytes.data() + i * sizeof(Number), sizeof(Number));
    values[i] = static_cast<double>(x);
  }
  return values;
}

// ---- Rice's code ----

constexpr std::size_t block = 128;  // numbers that share k
constexpr int bits_of_k = 6;
constexpr std::uint64_t most_ones = 24;  // then the number follows as it is
constexpr int whole = 52;
constexpr int most_order = 10;
constexpr double largest = 0x1p44;
constexpr std::int64_t exact = std::int64_t{1} << 50;  // in the doubles of a browser, too

std::uint64_t folded(std::int64_t x) {  // 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4 …
  return x < 0 ? 2 * static_cast<std::uint64_t>(-(x + 1)) + 1 : 2 * static_cast<std::uint64_t>(x);
}

std::int64_t unfolded(std::uint64_t u) {
  return u % 2 == 0 ? static_cast<std::int64_t>(u / 2) : -static_cast<std::int64_t>(u / 2) - 1;
}

void take_differences(std::vector<std::int64_t>& x, std::size_t width) {
  for (std::size_t i = x.size(); i-- > width;) x[i] -= x[i - width];
}

std::uint64_t length_of(std::uint64_t u, int k) {
  const std::uint64_t ones = u >> k;
  return ones < most_ones ? ones + 1 + static_cast<std::uint64_t>(k) : most_ones + whole;
}

int best_k(std::span<const std::int64_t> x) {
  std::uint64_t most = 0;
  for (const std::int64_t d : x) most = std::max(most, folded(d));
  int best = 0;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (int k = 0; k <= static_cast<int>(std::bit_width(most)); ++k) {
    std::uint64_t total = 0;
    for (const std::int64_t d : x) total += length_of(folded(d), k);
    if (total < least) {
      least = total;
      best = k;
    }
  }
  return best;
}

class BitWriter {
 public:
  void write(std::uint64_t value, int count) {
    for (int i = count - 1; i >= 0; --i) {
      if (free_ == 0) bytes_.push_back(0), free_ = 8;
      bytes_.back() = static_cast<unsigned char>(bytes_.back() | (value >> i & 1) << --free_);
    }
  }
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
  int free_ = 0;
};

class BitReader {
 public:
  explicit BitReader(const Bytes& bytes) : bytes_(bytes) {}

  bool next() {
    if (place_ >= 8 * bytes_.size()) throw InputError("the data of the page break off");
    const bool bit = bytes_[place_ / 8] >> (7 - place_ % 8) & 1;
    ++place_;
    return bit;
  }
  std::uint64_t read(int count) {
    std::uint64_t value = 0;
    for (int i = 0; i < count; ++i) value = value << 1 | (next() ? 1 : 0);
    return value;
  }

 private:
  const Bytes& bytes_;
  std::size_t place_ = 0;
};

Bytes rice(const std::vector<std::int64_t>& x) {
  BitWriter out;
  for (std::size_t first = 0; first < x.size(); first += block) {
    const auto some = std::span(x).subspan(first, std::min(block, x.size() - first));
    const int k = best_k(some);
    out.write(static_cast<std::uint64_t>(k), bits_of_k);
    for (const std::int64_t d : some) {
      const std::uint64_t u = folded(d), ones = std::min(u >> k, most_ones);
      out.write((std::uint64_t{1} << ones) - 1, static_cast<int>(ones));
      if (ones == most_ones) {
        out.write(u, whole);
        continue;
      }
      out.write(0, 1);
      out.write(u & ((std::uint64_t{1} << k) - 1), k);
    }
  }
  return out.bytes();
}

std::vector<std::int64_t> from_rice(const Bytes& bytes, std::size_t count) {
  BitReader in(bytes);
  std::vector<std::int64_t> x(count);
  int k = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % block == 0) k = static_cast<int>(in.read(bits_of_k));
    std::uint64_t ones = 0;
    while (ones < most_ones && in.next()) ++ones;
    x[i] = unfolded(ones == most_ones ? in.read(whole) : ones << k | in.read(k));
  }
  return x;
}

double bits_in(const std::vector<std::int64_t>& x) {
  double bits = 0.0;
  for (const std::int64_t d : x) bits += static_cast<double>(std::bit_width(folded(d)));
  return bits;
}

}  // namespace

Packed packed_double(std::span<const double> values) {
  return {.kind = Packed::Kind::f64, .text = packed_text<double>(values)};
}

Packed packed_float(std::span<const double> values) {
  return {.kind = Packed::Kind::f32, .text = packed_text<float>(values)};
}

std::optional<Packed> packed_smooth(std::span<const double> values, std::size_t width, double quantum) {
  if (!(quantum > 0.0) || !std::isfinite(quantum)) return std::nullopt;
  const double unit = std::exp2(std::floor(std::log2(quantum)));
  std::vector<std::int64_t> x;
  for (const double v : values) {
    const double multiple = v / unit;
    if (!(std::abs(multiple) < largest)) return std::nullopt;
    x.push_back(std::llround(multiple));
  }
  std::vector<std::int64_t> best = x;
  int order = 0;
  double least = bits_in(x);
  for (int p = 1; p <= most_order; ++p) {
    take_differences(x, width);
    if (std::ranges::any_of(x, [](std::int64_t d) { return d > exact || d < -exact; })) break;
    if (const double bits = bits_in(x); bits < least) {
      best = x;
      order = p;
      least = bits;
    }
  }
  return Packed{Packed::Kind::rice, base64(rice(best)), values.size(), order, unit, width};
}

std::vector<double> unpacked(const Packed& packed) {
  const Bytes bytes = from_base64(packed.text);
  if (packed.kind == Packed::Kind::f32) return from_ieee<float>(bytes);
  if (packed.kind == Packed::Kind::f64) return from_ieee<double>(bytes);
  std::vector<std::int64_t> x = from_rice(bytes, packed.count);
  for (int p = 0; p < packed.order; ++p)
    for (std::size_t i = packed.width; i < x.size(); ++i) x[i] += x[i - packed.width];
  std::vector<double> values;
  for (const std::int64_t n : x) values.push_back(packed.quantum * static_cast<double>(n));
  return values;
}

}  // namespace invar
