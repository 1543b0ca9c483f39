// A document as TOML text: what parse_document() reads back as the same values.
#pragma once

#include <string>

#include "invar/model/file/document.h"

namespace invar::model {

// Single values first, then tables under their headings, [simulate] and [[body]]; tables inside those in braces. The
// order is otherwise that of the document.
std::string write_document(const Table& root);

}  // namespace invar::model
