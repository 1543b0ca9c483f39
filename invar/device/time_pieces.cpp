// See time_pieces.h.
#include "invar/device/time_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/base/error.h"

namespace invar {

namespace {

constexpr std::size_t most_terms = 20;
constexpr std::size_t most_pieces = 4096;
constexpr double round_off = 16 * std::numeric_limits<double>::epsilon();

struct Piece {
  double begin, end;
  std::vector<double> coefficient;
};

// Coefficients of a polynomial about another place, `by` away, up to out.size() of them [Horner's rule, again and
// again].
void shift_polynomial(std::span<const double> from, double by, std::span<double> out) {
  std::vector<double> c(from.begin(), from.end());
  for (std::size_t n = 0; n < out.size(); ++n) {
    for (std::size_t m = c.size() - 1; m-- > n;) c[m] = std::fma(c[m + 1], by, c[m]);
    out[n] = n < c.size() ? c[n] : 0.0;
  }
}

bool is_exact(const TimeFunction& f, std::size_t length, const Piece& piece, std::span<const double> about_middle) {
  const double middle = 0.5 * (piece.begin + piece.end);
  std::vector<double> there(length), found(length);
  for (const auto& [t, side] : {std::pair(piece.begin, Side::right), std::pair(piece.end, Side::left)}) {
    f.series(t, side, there);
    shift_polynomial(about_middle, t - middle, found);
    for (std::size_t n = 0; n < length; ++n) {
      // What the terms about the middle amount to bounds what rounding does.
      double size = std::abs(there[n]), power = 1.0, binomial = 1.0;
      for (std::size_t m = n; m < about_middle.size(); ++m) {
        size += std::abs(about_middle[m]) * power * binomial;
        power *= std::abs(t - middle);
        binomial *= static_cast<double>(m + 1) / static_cast<double>(m + 1 - n);
      }
      if (!(std::abs(there[n] - found[n]) <= round_off * size)) return false;
    }
  }
  return true;
}

}  // namespace

void TimePieces::series(std::size_t f, double t, std::span<double> out) const {
  const auto after = std::upper_bound(begin.begin(), begin.end(), t);
  const std::size_t piece = after == begin.begin() ? 0 : static_cast<std::size_t>(after - begin.begin()) - 1;
  shift_polynomial(std::span(coefficient).subspan((piece * functions + f) * terms, terms), t - middle[piece], out);
}

TimePieces time_pieces(std::span<const Reference> references, std::span<const std::size_t> lengths, double from,
                       double to) {
  expects(from < to, "an interval of time");
  std::vector<double> ends = {from, to};
  for (const Reference& r : references)
    for (const double knot : r.function->knots())
      if (knot > from && knot < to) ends.push_back(knot);
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<Piece> open, done;
  for (std::size_t k = ends.size() - 1; k-- > 0;) open.push_back({ends[k], ends[k + 1], {}});
  while (!open.empty()) {
    Piece piece = std::move(open.back());
    open.pop_back();
    const double middle = 0.5 * (piece.begin + piece.end);
    piece.coefficient.resize(references.size() * most_terms);
    bool exact = true;
    for (std::size_t f = 0; exact && f < references.size(); ++f) {
      const std::span<double> c = std::span(piece.coefficient).subspan(f * most_terms, most_terms);
      references[f].function->series(middle, Side::right, c);
      exact = is_exact(*references[f].function, lengths[f], piece, c);
    }
    if (exact) {
      done.push_back(std::move(piece));
      continue;
    }
    if (done.size() + open.size() > most_pieces || !(middle > piece.begin && middle < piece.end))
      throw InputError("a given function of time is too rough to be evaluated on a GPU");
    open.push_back({middle, piece.end, {}});
    open.push_back({piece.begin, middle, {}});
  }
  TimePieces result;
  result.functions = references.size();
  // Terms that no piece needs are left out.
  for (const Piece& piece : done)
    for (std::size_t f = 0; f < references.size(); ++f) {
      double largest = 0.0, power = 1.0;
      const double reach = 0.5 * (piece.end - piece.begin);
      const double* const c = piece.coefficient.data() + f * most_terms;
      for (std::size_t n = 0; n < most_terms; ++n, power *= reach) largest = std::max(largest, std::abs(c[n]) * power);
      power = 1.0;
      for (std::size_t n = 0; n < most_terms; ++n, power *= reach)
        if (n < lengths[f] || std::abs(c[n]) * power > 1e-20 * largest) result.terms = std::max(result.terms, n + 1);
    }
  for (const Piece& piece : done) {
    result.begin.push_back(piece.begin);
    result.middle.push_back(0.5 * (piece.begin + piece.end));
    for (std::size_t f = 0; f < references.size(); ++f)
      for (std::size_t n = 0; n < result.terms; ++n)
        result.coefficient.push_back(piece.coefficient[f * most_terms + n]);
  }
  return result;
}

std::string pieces_text(const TimePieces& pieces, std::span<const std::size_t> lengths, const std::string& places,
                        const std::string& coefficients) {
  std::size_t values = 0;
  for (const std::size_t length : lengths) values += length;
  std::string text;
  for (std::size_t k = 0; k < values; ++k) text += fmt::format("double r{};\n", k);
  text += fmt::format("{{\nlong long piece = 0, end = {};\n", pieces.size());
  text += fmt::format(
      "while (end - piece > 1) {{\n  const long long half = (piece + end) / 2;\n"
      "  if (t >= LOAD({}[half])) piece = half;\n  else end = half;\n}}\n",
      places);
  text += fmt::format("const double by = t - LOAD({}[{} + piece]);\n", places, pieces.size());
  std::size_t first = 0;
  for (std::size_t f = 0; f < lengths.size(); ++f) {
    text += "{\n";
    for (std::size_t m = 0; m < pieces.terms; ++m)
      text += fmt::format("double c{} = LOAD({}[piece * {} + {}]);\n", m, coefficients, pieces.functions * pieces.terms,
                          f * pieces.terms + m);
    for (std::size_t n = 0; n < lengths[f]; ++n) {
      for (std::size_t m = pieces.terms - 1; m-- > n;) text += fmt::format("c{0} = fma(c{1}, by, c{0});\n", m, m + 1);
      text += fmt::format("r{} = {};\n", first + n, n < pieces.terms ? fmt::format("c{}", n) : "0.0");
    }
    text += "}\n";
    first += lengths[f];
  }
  return text + "}\n";
}

}  // namespace invar
