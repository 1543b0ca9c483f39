// Machine code for one C function: built by the C compiler, kept in a private cache, loaded into this process.
//
// The cache holds, under a name made from everything that decides the machine code, the C source, the library and the
// digest of the library. A library is used only if the source is the same byte for byte, its own digest is right, and
// the key inside it is the expected one; otherwise it is built anew. So damage to the cache costs time, never a result.
#pragma once

#include <memory>
#include <string>

#include "invar/tape/compiler.h"

namespace invar {

struct MachineCode {
  std::shared_ptr<void> library;                    // keeps the code loaded
  void (*entry)(const double*, double*) = nullptr;  // null where nothing could be built
};

// `source` is C99 that defines void invar_function(const double *in, double *out).
MachineCode build_machine_code(const std::string& source, const Compiler& compiler);

}  // namespace invar
