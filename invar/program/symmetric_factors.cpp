// See symmetric_factors.h; the only file that knows MUMPS.
#include "invar/program/symmetric_factors.h"

#include <dmumps_c.h>
#ifndef _WIN32
#include <dlfcn.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "invar/base/interrupt.h"

namespace invar {

namespace {

// Multiplications of a factorisation above which MUMPS, with nested dissection and dense products by a library, is
// quicker.
constexpr double most_work_by_fronts = 3e7;

// SCOTCH, which finds the nested dissection, works in threads and with random numbers that go on from one problem to
// the next: it would give another order each time, and with it other roundings. MUMPS has no other way to ask it for
// one thread than this variable, and sets it itself in its parallel versions; the numbers begin anew where there is a
// SCOTCH to ask. Orders that need no such care (AMD, AMF, PORD) cost up to ten times as much on a chain of bodies.
#ifdef _WIN32
void make_ordering_repeatable() {}  // MUMPS comes without SCOTCH there
#else
void make_ordering_repeatable() {
  static std::once_flag done;
  std::call_once(done, [] { ::setenv("SCOTCH_PTHREAD_NUMBER", "1", 1); });
  using Reset = void (*)();
  if (const auto reset = reinterpret_cast<Reset>(::dlsym(RTLD_DEFAULT, "SCOTCH_randomReset"))) reset();
}
#endif

}  // namespace

std::timed_mutex& mumps_in_use() {
  static std::timed_mutex one_at_a_time;
  return one_at_a_time;
}

std::unique_lock<std::timed_mutex> lock_mumps() {
  constexpr std::chrono::milliseconds between(10);
  std::unique_lock lock(mumps_in_use(), std::try_to_lock);
  while (!lock.owns_lock() && !lock.try_lock_for(between)) poll_interrupt();
  return lock;
}

struct SymmetricFactors::Mumps {
  enum Job { begin = -1, finish = -2, analyse = 1, factorise = 2, solve = 3 };

  DMUMPS_STRUC_C data{};
  std::vector<MUMPS_INT> row, col;
  std::vector<double> values;
  bool analysed = false;

  Mumps(std::size_t size, std::span<const Entry> entries, Values kind);
  ~Mumps() { run(finish); }

  bool run(Job job) {
    data.job = job;
    dmumps_c(&data);
    return data.infog[0] >= 0;
  }
  // Numbered from one in its manual.
  MUMPS_INT& option(int i) { return data.icntl[i - 1]; }
};

SymmetricFactors::Mumps::Mumps(std::size_t size, std::span<const Entry> entries, Values kind) {
  Mumps& m = *this;
  constexpr MUMPS_INT world = -987654, general_symmetric = 2, one_process = 1;
  m.data.comm_fortran = world;
  m.data.sym = general_symmetric;
  m.data.par = one_process;
  m.run(Mumps::begin);
  for (const int stream : {1, 2, 3}) m.option(stream) = -1;
  m.option(4) = 0;  // silent
  if (kind == Values::alike) {
    m.option(6) = 5;   // rows matched with columns in which they are large …
    m.option(12) = 2;  // … become pivots of size two, where the diagonal is zero
    m.option(7) = 5;   // nested dissection, which suits chains of intervals; the same order in every run
    m.option(8) = 0;   // the matrix comes scaled
  } else {
    // Pivots that are small by the measure of a matching of other values would falsify the inertia.
    m.option(6) = 0;
    m.option(7) = 3;  // nested dissection by SCOTCH
    m.option(8) = 77;
    make_ordering_repeatable();
  }
  m.option(10) = 0;    // whoever solves does refine
  m.option(13) = 1;    // counts the eigenvalues of the last front too
  m.option(14) = 100;  // per cent of memory more than was thought, for pivots that had to wait
  for (const Entry& e : entries) {
    m.row.push_back(e.row + 1);
    m.col.push_back(e.col + 1);
  }
  m.values.resize(entries.size());
  m.data.n = static_cast<MUMPS_INT>(size);
  m.data.nz = static_cast<MUMPS_INT>(entries.size());
  m.data.irn = m.row.data();
  m.data.jcn = m.col.data();
  m.data.a = m.values.data();
}

SymmetricFactors::SymmetricFactors(std::size_t size, std::span<const Entry> entries, Values kind)
    : fronts_(size, entries), entries_(entries.begin(), entries.end()), kind_(kind) {}
SymmetricFactors::~SymmetricFactors() = default;

bool SymmetricFactors::factor(std::span<const double> values, double threshold) {
  poll_interrupt();
  if (!mumps_ && fronts_.work(values) <= most_work_by_fronts) return fronts_.factor(values, threshold);
  if (!mumps_) mumps_ = std::make_unique<Mumps>(fronts_.size(), entries_, kind_);
  Mumps& m = *mumps_;
  m.data.cntl[0] = threshold;
  std::copy(values.begin(), values.end(), m.values.begin());
  if (!m.analysed) m.analysed = m.data.n > 0 && m.run(Mumps::analyse);  // the first values stand for all
  constexpr int too_little_memory = -9, tries = 4;
  for (int i = 0; m.analysed && i < tries; ++i) {
    poll_interrupt();
    if (m.run(Mumps::factorise)) return true;
    if (m.data.infog[0] != too_little_memory) return false;
    m.option(14) *= 2;
  }
  return false;
}

std::size_t SymmetricFactors::negative_eigenvalues() const {
  return mumps_ ? static_cast<std::size_t>(mumps_->data.infog[11]) : fronts_.negative_eigenvalues();
}

void SymmetricFactors::solve(std::span<double> b) {
  if (!mumps_) return fronts_.solve(b);
  Mumps& m = *mumps_;
  m.data.rhs = b.data();
  m.data.nrhs = 1;
  m.data.lrhs = m.data.n;
  m.run(Mumps::solve);
}

}  // namespace invar
