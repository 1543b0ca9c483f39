// Commented models to start from, which `invar new` writes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace invar::app {

struct ModelKind {
  std::string_view name, help;
  std::string_view tasks;  // that it is made for, with spaces between
  std::string_view text;   // of the file
};

// To add one is to add a row.
std::span<const ModelKind> model_kind_table();

std::vector<std::string> model_kinds();
std::string model_kinds_in_words();
// InputError if there is none.
const ModelKind& model_kind(const std::string& name);

}  // namespace invar::app
