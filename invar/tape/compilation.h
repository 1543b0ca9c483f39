// Formulas that are evaluated so often that a C compiler pays become machine code in the background, while they are
// interpreted further. Bits are the same either way, so that nobody can tell from a result when that happened.
//
//   Compilation compilation(compiler);
//   LoopProgress progress;
//   for (…) { progress.reached(fraction); f(in, out, scratch); }
//   compilation.report();
//
// Every function tells, some thousand times a second, how much it has interpreted (function.cpp). How much is left
// follows from the rate since the innermost loop began, where that tells how far it is; otherwise as much is expected
// as there was: then at most twice the time is spent that was needed, however long it lasts. Where that pays
// (compile_cost.h) a thread looks into the cache, or runs the compiler.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "invar/tape/code_report.h"
#include "invar/tape/compiler.h"

namespace invar {

struct FunctionCode;
struct Tape;

// While it exists, evaluations of this thread that pay are compiled. One inside another that has no compiler leaves its
// place to that. The end kills the compiler, if it still runs, and leaves nothing behind but what is in the cache.
class Compilation {
 public:
  explicit Compilation(const std::optional<Compiler>& compiler);
  ~Compilation();
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  // What happened so far.
  CodeReport report() const;

 private:
  friend struct Evaluated;
  class Work;
  std::unique_ptr<Work> work_;  // none without a compiler
  Work* outer_ = nullptr;
};

// How far the loop at hand is. One inside another takes its place until it ends.
class LoopProgress {
 public:
  LoopProgress();
  ~LoopProgress();
  LoopProgress(const LoopProgress&) = delete;
  LoopProgress& operator=(const LoopProgress&) = delete;

  // A part from 0 to 1 of the work of the loop.
  void reached(double fraction) { fraction_ = fraction; }

  double fraction() const { return fraction_; }
  std::uint64_t number() const { return number_; }  // no other loop of this thread has it

 private:
  double fraction_ = 0.0;
  std::uint64_t number_;
  const LoopProgress* outer_;
};

// What a function tells the compilation of its thread, if there is one.
struct Evaluated {
  std::shared_ptr<FunctionCode> code;
  std::shared_ptr<const Tape> tape;
  bool lanes = false;

  void interpreted(std::uint64_t instructions) const;
  void by_machine_code() const;
};

}  // namespace invar
