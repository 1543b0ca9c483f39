// All kinds of force elements and their readers. A new kind is a header, a source with its reader, and two lines here.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "invar/model/mechanism/force_element.h"

namespace invar {

namespace model {

struct Reading;
class Section;

// One item of a [[…]] table, whose name was read; the reader finishes the section.
using ForceReader = std::shared_ptr<ForceElement>(Reading& reading, Section& item);
ForceReader read_spring, read_force, read_bushing;

}  // namespace model

struct ForceKind {
  std::string_view name;  // as in model files
  bool connects;          // two bodies: what a diagnosis lists
  model::ForceReader* read;
};
inline constexpr std::array force_kinds = {
    ForceKind{"spring", true, model::read_spring},
    ForceKind{"force", false, model::read_force},
    ForceKind{"bushing", true, model::read_bushing},
};

}  // namespace invar
