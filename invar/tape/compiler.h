// The C compiler that turns tapes into machine code.
#pragma once

#include <string>

namespace invar {

// Where and how to build machine code.
struct Compiler {
  std::string command = "cc";  // found in PATH; no shell is involved
  std::string cache;           // folder, private to the user; created with mode 0700
};

}  // namespace invar
