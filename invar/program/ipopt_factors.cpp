// See ipopt_factors.h.
#include "invar/program/ipopt_factors.h"

#include <algorithm>
#include <exception>

#if __has_include(<HSLLoader.h>)
#include <HSLLoader.h>

namespace invar {

namespace {

thread_local IpoptFactors* current = nullptr;

constexpr int done = 0, singular = -5, impossible = -100;
enum Info { status = 0, needed_reals = 4, needed_integers = 5, negative_pivots = 14, info_size = 20 };

// The pattern, numbered from one. The number of the system goes to the first of the integers that are kept for us.
void analyse(ipfint* n, ipfint* count, const ipfint* row, const ipfint* col, ipfint*, ipfint*, ipfint* kept, ipfint*,
             ipfint* steps, ipfint*, ipfint*, double*, ipfint* info, double*) {
  std::fill_n(info, static_cast<int>(info_size), done);
  *steps = 1;
  info[needed_reals] = *count;
  info[needed_integers] = 1;
  try {
    std::vector<SymmetricEntry> entries;
    for (ipfint e = 0; e < *count; ++e) entries.push_back({row[e] - 1, col[e] - 1});
    current->systems.push_back(
        std::make_unique<SymmetricFactors>(static_cast<std::size_t>(*n), entries, SymmetricFactors::Values::unlike));
    kept[0] = static_cast<ipfint>(current->systems.size()) - 1;
  } catch (const std::exception&) {
    info[status] = impossible;
  }
}

void factorise(ipfint*, ipfint* count, const ipfint*, const ipfint*, double* values, ipfint*, ipfint* integers, ipfint*,
               ipfint* kept, ipfint*, ipfint* largest, ipfint*, ipfint*, double* control, ipfint* info) {
  std::fill_n(info, static_cast<int>(info_size), done);
  *largest = 1;
  integers[0] = kept[0];
  try {
    SymmetricFactors& factors = *current->systems[static_cast<std::size_t>(kept[0])];
    if (!factors.factor({values, static_cast<std::size_t>(*count)}, control[0])) info[status] = singular;
    info[negative_pivots] = static_cast<ipfint>(factors.negative_eigenvalues());
  } catch (const std::exception&) {
    info[status] = impossible;
  }
}

void solve_with_factors(ipfint* n, double*, ipfint*, ipfint* integers, ipfint*, double*, ipfint*, double* b, ipfint*,
                        ipfint*, ipfint*, double*) {
  current->systems[static_cast<std::size_t>(integers[0])]->solve({b, static_cast<std::size_t>(*n)});
}

void set_defaults(ipfint*, double*) {}

}  // namespace

bool IpoptFactors::possible() { return true; }
IpoptFactors::IpoptFactors() {
  current = this;
  LSL_setMA27(analyse, factorise, solve_with_factors, set_defaults);
}
IpoptFactors::~IpoptFactors() {
  LSL_setMA27(nullptr, nullptr, nullptr, nullptr);
  current = nullptr;
}

}  // namespace invar

#else

namespace invar {

bool IpoptFactors::possible() { return false; }
IpoptFactors::IpoptFactors() = default;
IpoptFactors::~IpoptFactors() = default;

}  // namespace invar

#endif
