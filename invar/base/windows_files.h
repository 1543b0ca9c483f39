// What POSIX's calls for files need on Windows, where MinGW has most of them: other flags, and a few that are missing.
// Locks are always granted there.
#pragma once

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

// NOLINTBEGIN: names of POSIX
#define O_CLOEXEC (O_BINARY | O_NOINHERIT)
#define O_NONBLOCK 0
#define O_NOFOLLOW 0
#define S_ISSOCK(mode) false
#define fsync _commit
#define fdatasync _commit
inline constexpr int LOCK_EX = 2, LOCK_NB = 4;
inline int flock(int, int) { return 0; }
// NOLINTEND
#else
#include <sys/file.h>
#endif
