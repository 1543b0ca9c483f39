/* Loaded before the C library by fault_test.cpp: system calls on files and allocations that fail as they are told to.
 *
 *   FAULT="full 7"     the seventh call that stores something, and all after it, find no room
 *   FAULT="broken 7"   the seventh one alone fails with an error of the device
 *   FAULT="short 0"    every write stores at most seven bytes
 *   FAULT="again 0"    every other call is interrupted before it does anything
 *   FAULT="memory 7"   the seventh allocation of 64 bytes or more since something was stored fails
 *   FAULT="count 0"    none; at the end the numbers of both kinds of calls are written to the file FAULT_COUNTS
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum { none, full, broken, shorter, again, memory, counting } kind = none;
static long place = 0;
static atomic_long calls = 0, allocations = 0;

static void read_wish(void) __attribute__((constructor));
static void read_wish(void) {
  static const char* const names[] = {"none", "full", "broken", "short", "again", "memory", "count"};
  const char* wish = getenv("FAULT");
  char name[16] = "";
  long number = 0;
  if (!wish || sscanf(wish, "%15s %ld", name, &number) != 2) return;
  for (int k = 0; k < 7; ++k)
    if (strcmp(name, names[k]) == 0) kind = k;
  place = number;
}

static void tell(void) __attribute__((destructor));
static void tell(void) {
  const char* name = getenv("FAULT_COUNTS");
  if (kind != counting || !name) return;
  FILE* file = fopen(name, "w");
  if (!file) return;
  fprintf(file, "%ld %ld\n", (long)calls, (long)allocations);
  fclose(file);
}

/* Does this call fail? Then errno is set. */
static int fails(void) {
  const long now = ++calls;
  errno = kind == full ? ENOSPC : kind == again ? EINTR : EIO;
  return (kind == full && now >= place) || (kind == broken && now == place) || (kind == again && now % 2 == 0);
}

static int is_file(int descriptor) {
  struct stat info;
  return fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
}

#define REAL(type, name, ...)                                   \
  static type (*real)(__VA_ARGS__) = NULL;                      \
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, name)

ssize_t write(int descriptor, const void* bytes, size_t size) {
  REAL(ssize_t, "write", int, const void*, size_t);
  if (!is_file(descriptor)) return real(descriptor, bytes, size);
  if (fails()) return -1;
  return real(descriptor, bytes, kind == shorter && size > 7 ? 7 : size);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  REAL(ssize_t, "pwrite64", int, const void*, size_t, off64_t);
  if (fails()) return -1;
  return real(descriptor, bytes, size, offset);
}
ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  return pwrite64(descriptor, bytes, size, offset);
}

static int opened(const char* function, const char* path, int flags, mode_t mode) {
  int (*real)(const char*, int, ...) = NULL;
  *(void**)&real = dlsym(RTLD_NEXT, function);
  if ((flags & (O_CREAT | O_TRUNC)) != 0 && fails()) return -1;
  return real(path, flags, mode);
}
#define OPEN(name)                                      \
  int name(const char* path, int flags, ...) {          \
    va_list rest;                                       \
    va_start(rest, flags);                              \
    const mode_t mode = va_arg(rest, mode_t);           \
    va_end(rest);                                       \
    return opened(#name, path, flags, mode);            \
  }
OPEN(open)
OPEN(open64)

int fsync(int descriptor) {
  REAL(int, "fsync", int);
  return fails() ? -1 : real(descriptor);
}
int mkdir(const char* path, mode_t mode) {
  REAL(int, "mkdir", const char*, mode_t);
  return fails() ? -1 : real(path, mode);
}
int rename(const char* from, const char* to) {
  REAL(int, "rename", const char*, const char*);
  return kind != again && fails() ? -1 : real(from, to);
}
int renameat2(int a, const char* from, int b, const char* to, unsigned flags) {
  REAL(int, "renameat2", int, const char*, int, const char*, unsigned);
  return kind != again && fails() ? -1 : real(a, from, b, to, flags);
}

static int is_missing(size_t size) {
  const size_t small = 64;
  return size >= small && calls > 0 && ++allocations == place && kind == memory;
}
void* malloc(size_t size) {
  REAL(void*, "malloc", size_t);
  if (is_missing(size)) {
    errno = ENOMEM;
    return NULL;
  }
  return real(size);
}
