// See baumgarte_setting.h.
#include "invar/task/run/baumgarte_setting.h"

#include <fmt/format.h>

#include "invar/base/error.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/file/reading.h"
#include "invar/scheme/runge_kutta.h"

namespace invar {

std::optional<SettingError> find_baumgarte_error(const std::optional<Baumgarte>& terms) {
  if (!terms || terms->follows_step || (terms->alpha > 0.0 && terms->beta >= 0.0)) return std::nullopt;
  return SettingError{"baumgarte", "needs a positive first number (damping) and a second that is not negative"};
}

void require_stable(const std::optional<Baumgarte>& terms, const Scheme& scheme, double step) {
  if (!terms) return;
  if (!scheme.explicit_method)
    throw InputError(fmt::format(
        "baumgarte: {} keeps the constraints without such terms (at velocity level too with stabilise = true); they "
        "are for rk4, dormand-prince, lie-rk4, lie-dormand-prince and lie-euler",
        scheme.info.name));
  const double largest = largest_stable_step(scheme.explicit_method(), *terms);
  if (step > largest)
    throw InputError(
        fmt::format("baumgarte: with α = {:.6g} and β = {:.6g} errors of the constraints grow {:.2g}-fold in every "
                    "step of {:.6g} s "
                    "with {}; take steps below {:.3g} s, smaller numbers, or baumgarte = true, which follows the step",
                    terms->alpha, terms->beta, growth_of_errors(scheme.explicit_method(), *terms, step), step,
                    scheme.info.name, largest));
}

namespace model {

std::optional<Baumgarte> read_baumgarte(const Reading& reading, Section& section) {
  const Entry* entry = section.find("baumgarte");
  if (!entry) return std::nullopt;
  if (!entry->value.as<Array>())
    return section.boolean("baumgarte") ? std::optional<Baumgarte>(Baumgarte()) : std::nullopt;
  const std::vector<double> numbers = read_numbers(reading, section, *entry, 2);
  return Baumgarte{false, numbers[0], numbers[1]};
}

}  // namespace model

}  // namespace invar
