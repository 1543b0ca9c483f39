// What `invar help` knows about the keys of a model file, from the schema that editors have.
#pragma once

#include <string>
#include <vector>

namespace invar::app {

std::vector<std::string> key_names();
// Where a key stands, and what may stand under it; empty if no table has it.
std::string about_key(const std::string& name);

}  // namespace invar::app
