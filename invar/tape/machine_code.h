// Machine code for one C function: built by the C compiler, kept in a private cache, loaded into this process.
//
// The cache holds, under a name made from everything that decides the machine code, the C source, the library and the
// digest of the library. A library is used only if the source is the same byte for byte, its own digest is right, and
// the key inside it is the expected one; otherwise it is built anew. So damage to the cache costs time, never a result.
#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "invar/tape/compiler.h"

namespace invar {

struct Tape;

struct MachineCode {
  std::shared_ptr<void> library;  // keeps the code loaded
  void* entry = nullptr;          // null where nothing could be built
  bool cached = false;            // it was there already
  std::size_t width = 1;          // points at a time
};

struct BuildLimits {
  bool only_cached = false;   // nothing is built
  std::stop_token stop = {};  // kills the compiler
};

// What the processor at hand can do with several numbers at once, at most `widest`: how many, and the options of the
// compiler for that.
struct VectorUnit {
  std::size_t width = 2;
  std::span<const char* const> flags;
};
VectorUnit vector_unit(std::size_t widest);

// `source` is C99 that defines a function invar_function.
MachineCode build_machine_code(const std::string& source, const Compiler& compiler,
                               std::span<const char* const> more_flags = {}, const BuildLimits& limits = {});

// Of a tape: for one point, or for as many as fill a register of the processor at hand, at most `widest`.
MachineCode machine_code_of(const Tape& tape, std::size_t widest, const Compiler& compiler,
                            const BuildLimits& limits = {});

}  // namespace invar
