// Given functions of time as polynomials on pieces, all on the same ones, for machines that know no others.
//
// On each piece a function is its Taylor polynomial about the middle. Pieces end at the knots of all functions and are
// halved until the polynomials give the functions and their derivatives at both ends to round-off, relative to their
// largest value on the piece. Profiles and splines are such polynomials themselves.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "invar/system/reference.h"

namespace invar {

struct TimePieces {
  std::vector<double> begin, middle;  // of each piece; times before the first one count as its own
  std::size_t functions = 0, terms = 0;
  std::vector<double> coefficient;  // [(piece * functions + function) * terms + term]

  std::size_t size() const { return begin.size(); }
  // Taylor coefficients of function f at t, of the piece to the right.
  void series(std::size_t f, double t, std::span<double> out) const;
};

// From `from` to `to`, with so many Taylor coefficients of each reference. InputError if a function has no such pieces.
TimePieces time_pieces(std::span<const Reference> references, std::span<const std::size_t> lengths, double from,
                       double to);

// C text that sets r0, r1, … to the Taylor coefficients at `t` of all functions one after the other, with the pieces in
// two arrays: begin and middle, and the coefficients.
std::string pieces_text(const TimePieces& pieces, std::span<const std::size_t> lengths, const std::string& places,
                        const std::string& coefficients);

}  // namespace invar
