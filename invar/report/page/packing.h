// Numbers in a page: base64 of IEEE numbers, or, of what goes on smoothly, multiples of a quantum as differences of
// some order in Rice's code [Robinson, SHORTEN: simple lossless and near-lossless waveform compression, 1994].
//
// What runs over time in steps is foretold by what was before: the p-th difference of x(t) is about (h d/dt)ᵖ x, and
// takes few bits. Blocks of such differences share the number k of bits that are written as they are; the rest of each
// is a number of ones.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace invar {

// To the last bit.
nlohmann::ordered_json packed_double(std::span<const double> values);
// In single precision, for pictures.
nlohmann::ordered_json packed_float(std::span<const double> values);

// To half a quantum, which becomes a power of two. The numbers of one row stand together, `width` of them. Nothing if
// one of them is not finite or is more than 2⁴⁴ quanta.
std::optional<nlohmann::ordered_json> packed_smooth(std::span<const double> values, std::size_t width, double quantum);

// How many characters it takes.
std::size_t packed_size(const nlohmann::ordered_json& packed);

// Any of these, or a list of numbers.
std::vector<double> unpacked(const nlohmann::ordered_json& packed);

}  // namespace invar
