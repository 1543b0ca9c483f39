// By the calls of POSIX or of Windows.
#include "invar/base/shared_library.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace invar {

#ifdef _WIN32

SharedLibrary load_library(const std::string& path) {
  const HMODULE library = ::LoadLibraryA(path.c_str());
  if (library == nullptr) return {};
  return {static_cast<void*>(library), [](void* handle) { ::FreeLibrary(static_cast<HMODULE>(handle)); }};
}

void* find_in(const SharedLibrary& library, const char* name) {
  return library ? reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library.get()), name)) : nullptr;
}

std::vector<std::filesystem::path> own_folders() { return {}; }

#else

SharedLibrary load_library(const std::string& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {};
  return {library, [](void* handle) { ::dlclose(handle); }};
}

void* find_in(const SharedLibrary& library, const char* name) {
  return library ? ::dlsym(library.get(), name) : nullptr;
}

std::vector<std::filesystem::path> own_folders() {
  std::vector<std::filesystem::path> folders;
  std::error_code error;
  const auto add = [&](const std::filesystem::path& file) {
    if (!error && file.has_parent_path()) folders.push_back(file.parent_path());
  };
  add(std::filesystem::read_symlink("/proc/self/exe", error));
  Dl_info code = {};
  static const int something_of_ours = 0;
  if (::dladdr(&something_of_ours, &code) != 0 && code.dli_fname != nullptr)
    add(std::filesystem::canonical(code.dli_fname, error));
  return folders;
}

#endif

}  // namespace invar
