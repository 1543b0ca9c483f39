// Numbers in a page: base64 of IEEE numbers, or, of what goes on smoothly, multiples of a quantum as differences of
// some order in Rice's code [Robinson, SHORTEN: simple lossless and near-lossless waveform compression, 1994].
//
// What runs over time in steps is foretold by what was before: the p-th difference of x(t) is about (h d/dt)ᵖ x, and
// takes few bits. Blocks of such differences share the number k of bits that are written as they are; the rest of each
// is a number of ones.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace invar {

struct Packed {
  enum class Kind { f64, f32, rice };
  Kind kind = Kind::f64;
  std::string text;  // base64
  // Of Rice's code: how many numbers, the order of the differences, and their unit; `width` numbers stand together.
  std::size_t count = 0;
  int order = 0;
  double quantum = 1.0;
  std::size_t width = 1;
};

// To the last bit.
Packed packed_double(std::span<const double> values);
// In single precision, for pictures.
Packed packed_float(std::span<const double> values);

// To half a quantum, which becomes a power of two. The numbers of one row stand together, `width` of them. Nothing if
// one of them is not finite or is more than 2⁴⁴ quanta.
std::optional<Packed> packed_smooth(std::span<const double> values, std::size_t width, double quantum);

std::vector<double> unpacked(const Packed& packed);

// As the page has it, and back.
template <class Json>
Json written(const Packed& p) {
  if (p.kind == Packed::Kind::f64) return {{"f64", p.text}};
  if (p.kind == Packed::Kind::f32) return {{"f32", p.text}};
  Json json = {{"rice", p.text}, {"count", p.count}, {"order", p.order}, {"quantum", p.quantum}};
  if (p.width > 1) json["width"] = p.width;
  return json;
}

template <class Json>
Packed read_packed(const Json& json) {
  if (json.contains("f64")) return {.kind = Packed::Kind::f64, .text = json["f64"]};
  if (json.contains("f32")) return {.kind = Packed::Kind::f32, .text = json["f32"]};
  return {Packed::Kind::rice, json["rice"], json["count"], json["order"], json["quantum"], json.value("width", 1u)};
}

}  // namespace invar
