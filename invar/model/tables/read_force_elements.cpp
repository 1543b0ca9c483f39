// [[spring]], [[force]] and their like: what pulls and pushes bodies without being an input.
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/forces/force_kinds.h"

namespace invar::model {

void read_force_elements(Reading& reading, Section& top) {
  if (!reading.parts) return;
  for (const ForceKind& kind : force_kinds) {
    const std::string key(kind.name);
    std::size_t count = 0;
    for (Section& item : top.tables(key, "[[" + key + "]]")) {
      const std::string name =
          read_optional_name(reading, item, NameKind::force_element, key + std::to_string(++count), kind.name);
      const std::shared_ptr<ForceElement> element = kind.read(reading, item);
      element->name = name;
      reading.parts->mechanism.force_elements.push_back(element);
    }
  }
}

}  // namespace invar::model
