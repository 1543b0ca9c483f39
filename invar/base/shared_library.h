// Libraries that are loaded while a program runs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace invar {

// Nothing if it cannot be loaded. It is unloaded with the last copy. A name without a folder is looked for where the
// system looks.
using SharedLibrary = std::shared_ptr<void>;
SharedLibrary load_library(const std::string& path);

// A function or a constant in it, or in what it was linked with; null if there is none of this name.
void* find_in(const SharedLibrary& library, const char* name);

// Where libraries of our own lie: the folder of the running program, and of the library or module with this code.
std::vector<std::filesystem::path> own_folders();

}  // namespace invar
