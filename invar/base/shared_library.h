// Libraries that are loaded while a program runs.
#pragma once

#include <memory>
#include <string>

namespace invar {

// Nothing if it cannot be loaded. It is unloaded with the last copy. A name without a folder is looked for where the
// system looks.
using SharedLibrary = std::shared_ptr<void>;
SharedLibrary load_library(const std::string& path);

// A function or a constant in it; null if there is none of this name.
void* find_in(const SharedLibrary& library, const char* name);

}  // namespace invar
