// A JSON schema of model files, for editors that check and complete TOML by one.
#pragma once

#include <string>
#include <string_view>

#include "invar/read/key_tree.h"

namespace invar {

std::string json_schema(const KeyTree& keys);

// docs/invar.schema.json, which is part of the program; a test makes it anew from the readers.
std::string_view model_schema();

}  // namespace invar
