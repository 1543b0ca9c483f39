// For tests that must not share their program: counts every allocation, by C and C++ code and by the libraries they
// call.
#pragma once

#include <atomic>
#include <cstddef>

namespace invar::test {
inline std::atomic<long> allocations = 0;
}

// glibc's own entry points; replacing malloc and its relatives this way also catches operator new and C libraries. The
// address sanitizer brings its own malloc, so these tests are not built with it.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);

void* malloc(std::size_t size) {
  ++invar::test::allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++invar::test::allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  ++invar::test::allocations;
  return __libc_realloc(old, size);
}
}
