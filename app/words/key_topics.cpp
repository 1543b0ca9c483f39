// See key_topics.h.
#include "app/words/key_topics.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/words/help.h"
#include "invar/read/model_schema.h"

namespace invar::app {

namespace {

using Json = nlohmann::json;

struct Place {
  std::string table;  // "[[body]]", "[system]", "[[system.input]]"
  std::string holds;  // "a number"
};
using Keys = std::map<std::string, std::vector<Place>>;

std::string one_kind(const std::string& kind) {
  return kind == "string"    ? "a text"
         : kind == "boolean" ? "true or false"
         : kind == "array"   ? "a list"
         : kind == "object"  ? "a table"
         : kind == "integer" ? "a whole number"
                             : "a number";
}

// "a number or a formula", "one of midpoint, radau5 …"
std::string held(const Json& schema) {
  if (schema.contains("enum")) {
    std::string words;
    for (const Json& word : schema["enum"]) words += (words.empty() ? "one of " : ", ") + word.get<std::string>();
    return words;
  }
  if (!schema.contains("type")) return "a value";
  const Json& type = schema["type"];
  std::set<std::string> kinds;
  for (const Json& kind : type.is_array() ? type : Json::array({type})) kinds.insert(kind.get<std::string>());
  const bool formula = kinds.contains("number") && kinds.contains("string");
  std::string text;
  for (const std::string& kind : kinds) {
    if (formula && kind == "string") continue;
    text += (text.empty() ? "" : " or ") + one_kind(kind) + (formula && kind == "number" ? " or a formula" : "");
  }
  return text;
}

void gather(const Json& schema, const std::string& path, bool list, Keys& keys) {
  if (schema.contains("items")) gather(schema["items"], path, true, keys);
  if (!schema.contains("properties")) return;
  for (const auto& [name, inside] : schema["properties"].items()) {
    const std::string table = path.empty() ? "the head of the file" : list ? "[[" + path + "]]" : "[" + path + "]";
    const bool is_table =
        inside.contains("properties") || (inside.contains("items") && inside["items"].contains("properties"));
    if (!path.empty() || !is_table) keys[name].push_back({table, held(inside)});
    gather(inside, path.empty() ? name : path + "." + name, false, keys);
  }
}

Keys all_keys() {
  Keys keys;
  gather(Json::parse(model_schema()), {}, false, keys);
  return keys;
}

}  // namespace

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (const auto& [name, places] : all_keys()) names.push_back(name);
  return names;
}

std::string about_key(const std::string& name) {
  const Keys keys = all_keys();
  const auto found = keys.find(name);
  if (found == keys.end()) return {};
  std::map<std::string, std::string> tables;  // by what they hold
  for (const Place& place : found->second)
    tables[place.holds] += (tables[place.holds].empty() ? "" : ", ") + place.table;
  std::string text;
  for (const auto& [holds, where] : tables) text += wrapped(name + ", a key of " + where + ": " + holds);
  return text + wrapped("see docs/format.md", 2);
}

}  // namespace invar::app
