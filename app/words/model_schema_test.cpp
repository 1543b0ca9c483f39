// The schema of model files says what the readers do: it is made from them anew, takes every model that is right, and
// refuses every one whose fault a schema can see.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/words/model_kinds.h"
#include "app/words/schema_models.h"
#include "invar/base/error.h"
#include "invar/model/bad_models/bad_models.h"
#include "invar/model/file/document.h"
#include "invar/read/model_schema.h"

namespace invar::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string contents(const fs::path& file) {
  std::ostringstream all;
  all << std::ifstream(file).rdbuf();
  return all.str();
}

const fs::path sources = fs::path(INVAR_EXAMPLES_DIR).parent_path();

// Models that are right: the examples, and those of `invar new`.
std::vector<ModelText> good_models() {
  std::vector<ModelText> models;
  for (const auto& folder : fs::directory_iterator(INVAR_EXAMPLES_DIR))
    if (const fs::path file = folder.path() / "model.toml"; fs::exists(file))
      models.push_back({contents(file), file.string()});
  std::ranges::sort(models, {}, &ModelText::file);  // folders have no order
  for (const ModelKind& kind : model_kind_table()) models.push_back({std::string(kind.text), "model.toml"});
  return models;
}

std::vector<ModelText> all_models() {
  std::vector<ModelText> models = good_models();
  models.push_back({good_model_with(0, ""), "p.toml"});
  for (ModelText& model : further_models(INVAR_EXAMPLES_DIR "/pendulum/model.toml")) models.push_back(std::move(model));
  for (const BadModel& bad : bad_models())
    if (bad.text.size() < 20000) models.push_back({bad.text, "p.toml"});  // the others only try the size
  return models;
}

// ---- As much of a validator of JSON schemas as this one needs ----

bool has_type(const model::Value& value, const std::string& type) {
  switch (value.data.index()) {
    case 0: return type == "boolean";
    case 1: return type == "integer" || type == "number";
    case 2: return type == "number";
    case 3: return type == "string";
    case 4: return type == "array";
    default: return type == "object";
  }
}

std::string complaint(const json& schema, const model::Value& value, const std::string& place);

std::string complaint(const json& schema, const model::Table& table, const std::string& place) {
  if (schema.contains("required"))
    for (const std::string key : schema["required"])
      if (std::ranges::find(table, key, &model::Entry::key) == table.end()) return place + ": missing " + key;
  for (const model::Entry& entry : table) {
    const std::string inner = place + "." + entry.key;
    if (schema.contains("properties") && schema["properties"].contains(entry.key)) {
      if (const std::string found = complaint(schema["properties"][entry.key], entry.value, inner); !found.empty())
        return found;
    } else if (schema.contains("additionalProperties")) {
      const json& others = schema["additionalProperties"];
      if (others == false) return inner + ": unknown key";
      if (const std::string found = complaint(others, entry.value, inner); !found.empty()) return found;
    }
  }
  return {};
}

bool fits_simply(const json& schema, const model::Value& value) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (schema.contains("enum")) return text && std::ranges::find(schema["enum"], json(*text)) != schema["enum"].end();
  if (!schema.contains("type")) return true;
  const json& type = schema["type"];
  if (type.is_string()) return has_type(value, type);
  return std::ranges::any_of(type, [&](const json& one) { return has_type(value, one); });
}

std::string complaint(const json& schema, const model::Value& value, const std::string& place) {
  if (!fits_simply(schema, value)) return place + ": kind";
  if (schema.contains("anyOf") &&
      std::ranges::none_of(schema["anyOf"], [&](const json& one) { return fits_simply(one, value); }))
    return place + ": none of several";
  if (const auto* table = std::get_if<model::Table>(&value.data)) return complaint(schema, *table, place);
  const auto* items = std::get_if<model::Array>(&value.data);
  if (!items || !schema.contains("items")) return {};
  for (const model::Value& item : *items)
    if (const std::string found = complaint(schema["items"], item, place + "[]"); !found.empty()) return found;
  return {};
}

const json& schema() {
  static const json parsed = json::parse(model_schema());
  return parsed;
}

std::string complaint_about(const ModelText& model) {
  return complaint(schema(), model::parse_document(model.text, model.file).root, "");
}

// ---- Tests ----

TEST(ModelSchema, IsWhatTheReadersAskFor) {
  const std::string made = json_schema(keys_of(all_models()));
  if (made == model_schema()) return;
  std::ofstream("invar.schema.json") << made;
  ADD_FAILURE() << "renew it: cp " << fs::absolute("invar.schema.json").string() << " docs/";
}

TEST(ModelSchema, TakesEveryModelThatIsRight) {
  for (const ModelText& model : good_models()) EXPECT_EQ(complaint_about(model), "") << model.file;
}

TEST(ModelSchema, TakesTheBenchmarks) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(sources / "benchmarks"))
    if (entry.path().extension() == ".toml" && contents(entry.path()).find("\n[system]") != std::string::npos) {
      ++count;
      EXPECT_EQ(complaint_about({contents(entry.path()), entry.path().string()}), "") << entry.path();
    }
  EXPECT_GT(count, 0);
}

// What a schema can see by itself: a key that nobody knows, one that is always needed, a value of the wrong kind.
// What depends on a value elsewhere it does not see: the dimension of the world, the type of a joint, other keys.
bool can_be_seen(const BadModel& bad) {
  static const std::set<std::string> depends = {
      "line 11 of a mechanism: angle = 1", "line 11 of a mechanism: angular_velocity = [0, 0, 1]",
      "line 14 of a mechanism: type = \"slot\"\naxis = [1, 0]\nsecond_axis = [0, 1]",
      "line 16 of a mechanism: at = [0, 0]\naxis = [1, 0]"};
  if (depends.contains(bad.name)) return false;
  const std::string& error = bad.error;
  const auto says = [&](std::string_view words) { return error.find(words) != std::string::npos; };
  return says(": unknown key ") || says(" must be a number or a formula, not ") || says(" must be a string, not ") ||
         says(" must be true or false, not ") || says(" must be an array, not ") ||
         says(" must be an array of tables, ") || says(" must be a table, not ");
}

TEST(ModelSchema, RefusesWhatASchemaCanSee) {
  int seen = 0, refused = 0, all = 0;
  for (const BadModel& bad : bad_models()) {
    std::string found;
    try {
      found = complaint_about({bad.text, "p.toml"});
    } catch (const InputError&) {
      continue;  // no TOML at all
    }
    ++all;
    refused += !found.empty();
    if (!can_be_seen(bad)) continue;
    ++seen;
    EXPECT_NE(found, "") << bad.name << ": " << bad.error;
  }
  RecordProperty("bad_models", all);
  RecordProperty("refused_by_the_schema", refused);
  std::cout << refused << " of " << all << " bad models refused, " << seen << " of them must be\n";
  EXPECT_GT(seen, 50);
}

// Names of the model's own that would have crept in as keys are not documented; and every key is.
void expect_documented(const json& schema, const std::string& place, const std::string& text) {
  if (schema.contains("properties"))
    for (const auto& [key, inner] : schema["properties"].items()) {
      EXPECT_TRUE(text.find("`" + key + "`") != std::string::npos || text.find(key + " = ") != std::string::npos ||
                  text.find("[" + key + "]") != std::string::npos || text.find("." + key + "]") != std::string::npos)
          << place << "." << key << " is not in docs/format.md";
      const bool typed = inner.contains("type") || inner.contains("enum") || inner.contains("anyOf");
      const bool refused = place.empty() && (key == "formulation" || key == "urdf");  // in their own words
      EXPECT_TRUE(typed || refused) << place << "." << key << ": no model says what may stand there";
      expect_documented(inner, place + "." + key, text);
    }
  if (schema.contains("items")) expect_documented(schema["items"], place + "[]", text);
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
    expect_documented(schema["additionalProperties"], place + ".*", text);
}

TEST(ModelSchema, HasTheKeysOfTheDocumentation) {
  expect_documented(schema(), "", contents(sources / "docs/format.md"));
}

}  // namespace
}  // namespace invar::app
