// The page of a sweep from the folder of its results.
#pragma once

#include <filesystem>
#include <string>

namespace invar {

// Reports of single cases stand beside it, in folders that are called so and by the number of the case.
inline constexpr const char* case_folder = "case-";

// `name` is what people call the folder, as in a command.
std::string page_of_sweep(const std::filesystem::path& folder, const std::string& name);

}  // namespace invar
