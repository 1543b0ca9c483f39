// The parts of a model file in which tasks have their settings.
#pragma once

#include <span>
#include <string_view>

namespace invar::model {

struct Reading;
class Section;

struct FilePart {
  std::string_view key;              // "simulate" of [simulate]
  void (*read)(Reading&, Section&);  // takes what is its own from the top level of the file
};

std::span<const FilePart> task_parts();

}  // namespace invar::model
