// Numbers of a model file by where they stand, as --set and sweeps name them:
//
//   initial.x    control.seed    trajectory.1.duration    body.load.mass    body.load.position.2
//
// Items of [[…]] go by their name or their number from 1, those of lists by their number.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "invar/model/file/document.h"

namespace invar::model {

// The names in [parameters], which come before places that are called alike.
std::vector<std::string> parameter_names(const Document& document);

// Is it a place, and not the name of a parameter?
bool is_place(const Document& document, std::string_view name);

// The number that stands there; nothing if there is none. InputError if nothing can stand there.
std::optional<double> number_at(Document document, const std::string& place);

// The new value has no position of its own. InputError if nothing can stand there.
void set_value(Document& document, const std::string& place, Value value);

// A number as a file would have it: a whole one without a point.
Value number_value(double number);

}  // namespace invar::model
