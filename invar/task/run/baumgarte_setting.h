// The key `baumgarte` of the tables that have it: true, or two numbers.
#pragma once

#include <optional>

#include "invar/model/problem/setting_error.h"
#include "invar/scheme/scheme.h"

namespace invar {

// The rule that the numbers break.
std::optional<SettingError> find_baumgarte_error(const std::optional<Baumgarte>& terms);

// InputError if the scheme has no such terms, or makes errors of the constraints grow with steps of this size.
void require_stable(const std::optional<Baumgarte>& terms, const Scheme& scheme, double step);

namespace model {
struct Reading;
class Section;
std::optional<Baumgarte> read_baumgarte(const Reading& reading, Section& section);
}  // namespace model

}  // namespace invar
