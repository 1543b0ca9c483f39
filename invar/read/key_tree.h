// Which keys a model file may have and what may stand under them, found out from the readers themselves: they are
// watched while they read models, and while they read them again with something else, or nothing, in place of each
// value. So what is known follows from what the readers do.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace invar {

// What may stand in one place.
struct KeyTree {
  enum class Kind { truth, whole, real, text, list, table };

  std::set<Kind> kinds;                    // that readers look for; none: nobody has looked
  std::vector<std::string> words;          // if a text is one of these
  std::unique_ptr<KeyTree> items;          // of a list
  std::map<std::string, KeyTree> keys;     // of a table
  std::unique_ptr<KeyTree> names;          // what stands under keys that the model chooses
  std::map<std::string, KeyTree> unasked;  // read under keys that nobody asked for: all there are, or before they were
  bool closed = false;                     // other keys are refused
  std::set<std::string> missed;            // without which some reader refused a table
  std::set<std::string> present;           // in every table of models that were read
  bool read = false;                       // in some model that is right

  std::set<std::string> required() const;
};

struct ModelText {
  std::string text, file;  // other files that it names lie beside `file`
};
// From models that are right and models that are not.
KeyTree keys_of(const std::vector<ModelText>& models);

}  // namespace invar
