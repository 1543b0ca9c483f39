// See model_schema.h. JSON schema draft 7 [json-schema.org], which Taplo understands. Where readers take one of several
// kinds of values it says so by a list of types, so that an editor can name them.
#include "invar/read/model_schema.h"

#include <nlohmann/json.hpp>

asm(".section .rodata\n"
    ".global invar_schema_begin\n"
    ".global invar_schema_end\n"
    "invar_schema_begin:\n"
    ".incbin \"" INVAR_SCHEMA
    "\"\n"
    "invar_schema_end:\n"
    ".previous\n");

extern "C" const char invar_schema_begin[];
extern "C" const char invar_schema_end[];

namespace invar {

namespace {

using Json = nlohmann::ordered_json;
using ValueKind = KeyTree::Kind;

Json types(const KeyTree& tree, bool with_text) {
  Json list = Json::array();
  const auto add = [&](ValueKind kind, const char* type) {
    if (tree.kinds.contains(kind)) list.push_back(type);
  };
  add(ValueKind::truth, "boolean");
  if (tree.kinds.contains(ValueKind::real))
    list.push_back("number");
  else
    add(ValueKind::whole, "integer");
  if (with_text) add(ValueKind::text, "string");
  add(ValueKind::list, "array");
  add(ValueKind::table, "object");
  return list;
}

Json schema_of(const KeyTree& tree);

void describe_table(const KeyTree& tree, Json& schema) {
  for (const auto& [key, inner] : tree.keys) schema["properties"][key] = schema_of(inner);
  if (const std::set<std::string> required = tree.required(); !required.empty()) schema["required"] = required;
  if (tree.names)
    schema["additionalProperties"] = schema_of(*tree.names);
  else if (tree.closed)
    schema["additionalProperties"] = false;
}

Json schema_of(const KeyTree& tree) {
  Json schema = Json::object();
  const bool words = !tree.words.empty() && tree.kinds.contains(ValueKind::text);
  const Json others = types(tree, !words);
  if (words && others.empty())
    schema["enum"] = tree.words;
  else if (words)
    schema["anyOf"] = {{{"enum", tree.words}}, {{"type", others}}};
  else if (others.size() == 1)
    schema["type"] = others[0];
  else if (!others.empty())
    schema["type"] = others;
  if (tree.items) schema["items"] = schema_of(*tree.items);
  describe_table(tree, schema);
  return schema;
}

}  // namespace

std::string json_schema(const KeyTree& keys) {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "Invar model"},
                 {"description", "What is asked of a multibody system, and what it is: docs/format.md"},
                 {"type", "object"}};
  describe_table(keys, schema);
  return schema.dump(1) + "\n";
}

std::string_view model_schema() {
  return {invar_schema_begin, static_cast<std::size_t>(invar_schema_end - invar_schema_begin)};
}

}  // namespace invar
