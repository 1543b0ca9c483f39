/* bin/invar of the archive that brings all its libraries: starts the command with the loader and the C library in
   ../lib, whatever the system has. The command finds its examples beside the loader's folder. Linked statically. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char here[PATH_MAX], folder[PATH_MAX], loader[PATH_MAX + 64], libraries[PATH_MAX + 64], program[PATH_MAX + 64];
  const ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
  if (length > 0)
    here[length] = '\0';
  else if (strchr(argv[0], '/') == NULL || realpath(argv[0], here) == NULL) { /* where there is no /proc */
    fputs("invar: give the path of this program, as there is no /proc\n", stderr);
    return 1;
  }
  strcpy(folder, here);
  *strrchr(folder, '/') = '\0'; /* bin */
  *strrchr(folder, '/') = '\0';
  snprintf(loader, sizeof loader, "%s/lib/" LOADER, folder);
  snprintf(libraries, sizeof libraries, "%s/lib", folder);
  snprintf(program, sizeof program, "%s/libexec/invar", folder);
  char** words = calloc((size_t)argc + 7, sizeof *words);
  if (words == NULL) return 1;
  char** word = words;
  *word++ = loader;
  *word++ = "--library-path";
  *word++ = libraries;
  *word++ = "--argv0";
  *word++ = argv[0];
  *word++ = program;
  for (int i = 1; i < argc; ++i) *word++ = argv[i];
  execv(loader, words);
  perror(loader);
  return 1;
}
