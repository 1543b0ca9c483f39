// A target for libFuzzer, which is guided by what code an input reaches; INVAR_TARGET is its name. See driver.cpp for
// the corpus.
#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  invar::fuzz::INVAR_TARGET.take({reinterpret_cast<const char*>(data), size});
  return 0;
}
