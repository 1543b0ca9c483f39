// See key_tree.h.
#include "invar/read/key_tree.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "invar/base/error.h"
#include "invar/model/file/document.h"
#include "invar/read/read_problem.h"

namespace invar {

namespace {

using namespace model;
using ValueKind = KeyTree::Kind;

// In the order of the kinds of values.
constexpr ValueKind kinds_of_values[] = {ValueKind::truth, ValueKind::whole, ValueKind::real,
                                         ValueKind::text,  ValueKind::list,  ValueKind::table};

KeyTree& made(std::unique_ptr<KeyTree>& place) {
  if (!place) place = std::make_unique<KeyTree>();
  return *place;
}

// Notes what readers ask of one document. Whatever they read that stands elsewhere, as a part put together for them, is
// passed over.
class Notes : public Watcher {
 public:
  Notes(const Document& document, KeyTree& tree) : tree_(&tree) {
    root_ = &document.root;
    enter(document.root);
    watcher = this;
  }
  ~Notes() override { watcher = nullptr; }

  bool has_seen(const Value& value) const { return seen_.contains(&value); }
  KeyTree* tree_of(const Table& table) {
    if (const auto found = tables_.find(&table); found != tables_.end()) return found->second;
    KeyTree* tree = nullptr;
    if (&table == root_)
      tree = tree_;
    else if (const auto value = values_.find(&table); value != values_.end())
      tree = tree_of(*value->second);
    if (tree) tables_.emplace(&table, tree);
    return tree;
  }

  void asks(const Table& table, std::string_view key, bool is_name) override {
    KeyTree* const tree = tree_of(table);
    if (!tree) return;
    std::set<std::string, std::less<>>& names = names_[&table];
    if (is_name) {
      made(tree->names);
      names.emplace(key);
    } else if (!names.contains(key)) {
      tree->keys[std::string(key)];
    }
  }
  void misses(const Table& table, std::string_view key) override {
    if (KeyTree* const tree = tree_of(table)) tree->missed.emplace(key);
  }
  void closes(const Table& table) override {
    if (KeyTree* const tree = tree_of(table)) tree->closed = true;
  }
  void looks_for(const Value& value, std::size_t kind) override {
    seen_.insert(&value);
    if (KeyTree* const tree = tree_of(value)) tree->kinds.insert(kinds_of_values[kind]);
  }
  void chooses(const Value& value, std::span<const std::string> words) override {
    KeyTree* const tree = tree_of(value);
    if (!tree) return;
    for (const std::string& word : words)
      if (std::ranges::find(tree->words, word) == tree->words.end()) tree->words.push_back(word);
  }

  // The document was a model: what it does without can be done without.
  void was_right() {
    for (const auto& [table, tree] : tables_) {
      std::set<std::string> here;
      for (const Entry& entry : *table) here.insert(entry.key);
      std::set<std::string> both;
      std::ranges::set_intersection(tree->present, here, std::inserter(both, both.end()));
      tree->present = std::exchange(tree->read, true) ? both : here;
    }
  }

 private:
  struct Place {
    const Table* table = nullptr;  // in which the value stands under a key …
    const std::string* key = nullptr;
    const Value* list = nullptr;  // … or the list of which it is an item
  };

  void enter(const Table& table) {
    for (const Entry& entry : table) {
      places_[&entry.value] = {&table, &entry.key, nullptr};
      enter(entry.value);
    }
  }
  void enter(const Value& value) {
    if (const Table* table = value.peek<Table>()) {
      values_[table] = &value;
      enter(*table);
    }
    if (const Array* items = value.peek<Array>())
      for (const Value& item : *items) {
        places_[&item] = {nullptr, nullptr, &value};
        enter(item);
      }
  }

  KeyTree* tree_of(const Value& value) {
    const auto found = places_.find(&value);
    if (found == places_.end()) return nullptr;
    const Place& place = found->second;
    KeyTree* const above = place.list ? tree_of(*place.list) : tree_of(*place.table);
    if (!above) return nullptr;
    if (place.list) return &made(above->items);
    if (names_[place.table].contains(*place.key)) return &made(above->names);
    const auto key = above->keys.find(*place.key);
    return key == above->keys.end() ? &above->unasked[*place.key] : &key->second;
  }

  const Table* root_;
  KeyTree* tree_;
  std::unordered_set<const Value*> seen_;
  std::unordered_map<const Value*, Place> places_;
  std::unordered_map<const Table*, const Value*> values_;
  std::unordered_map<const Table*, KeyTree*> tables_;
  std::unordered_map<const Table*, std::set<std::string, std::less<>>> names_;
};

// Whether it is a model.
bool watch_reading(const Document& document, Notes& notes) {
  try {
    read_problem(document);
    notes.was_right();
    return true;
  } catch (const InputError&) {
    return false;  // what was noted until then counts
  }
}
bool watch_reading(const Document& document, KeyTree& tree) {
  Notes notes(document, tree);
  return watch_reading(document, notes);
}

// ---- The same model with something else in one place ----

using Path = std::vector<std::size_t>;  // places in tables and lists, from the root down

Path below(Path path, std::size_t place) {
  path.push_back(place);
  return path;
}

Value* value_at(Document& document, const Path& path) {
  Value* value = nullptr;
  for (const std::size_t place : path) {
    Table* const table = value == nullptr ? &document.root : std::get_if<Table>(&value->data);
    value = table ? &(*table)[place].value : &std::get<Array>(value->data)[place];
  }
  return value;
}

Table* table_at(Document& document, const Path& path) {
  return path.empty() ? &document.root : std::get_if<Table>(&value_at(document, path)->data);
}

struct Place {
  std::string name;  // body[].mass
  Path path;
};

void list_places(const Table& table, const Place& above, std::vector<Place>& places);

void list_places(const Value& value, const Place& place, std::vector<Place>& places) {
  places.push_back(place);
  if (const Table* table = value.peek<Table>()) list_places(*table, place, places);
  const Array* items = value.peek<Array>();
  for (std::size_t i = 0; items && i < items->size(); ++i)
    list_places((*items)[i], {place.name + "[]", below(place.path, i)}, places);
}

void list_places(const Table& table, const Place& above, std::vector<Place>& places) {
  for (std::size_t i = 0; i < table.size(); ++i)
    list_places(table[i].value, {above.name + "." + table[i].key, below(above.path, i)}, places);
}

std::vector<Place> places_in(const Document& document) {
  std::vector<Place> places;
  list_places(document.root, {}, places);
  return places;
}

std::vector<Value> other_values(Position at) {
  const auto numbers = [&](std::size_t count) { return Array(count, {at, 1.0}); };
  const auto texts = [&](std::size_t count) { return Array(count, {at, std::string("a")}); };
  return {{at, true},    {at, std::int64_t{1}}, {at, 0.5},        {at, std::string("a")}, {at, Array{}},
          {at, Table{}}, {at, numbers(2)},      {at, numbers(3)}, {at, texts(2)},         {at, texts(3)}};
}

class Exploration {
 public:
  explicit Exploration(KeyTree& tree) : tree_(tree) {}

  // Something else, and nothing, in each place that no document before had.
  void change(Document& document, const std::vector<Place>& places, bool is_right) {
    for (const Place& place : places) {
      const std::string name = place.name + "=" + std::to_string(value_at(document, place.path)->data.index());
      if (!tried_.insert(name).second) continue;
      Value& value = *value_at(document, place.path);
      for (Value& other : other_values(value.position)) {
        std::swap(value, other);
        watch_reading(document, tree_);
        std::swap(value, other);
      }
      if (Table* const table = table_at(document, {place.path.begin(), place.path.end() - 1}))
        leave_out(document, *table, place.path.back(), is_right);
    }
  }

  // Something under each key that no model has.
  void add(Document& document) {
    std::vector<Place> tables = places_in(document);
    tables.push_back({});
    for (const Place& place : tables)
      if (table_at(document, place.path)) add_to(document, place);
  }

 private:
  // A key, and where it cannot be missed with each other one that might need it.
  void leave_out(Document& document, Table& table, std::size_t place, bool is_right) {
    const Table whole = table;
    table.erase(table.begin() + static_cast<std::ptrdiff_t>(place));
    const Table rest = table;
    if (!watch_reading(document, tree_) && is_right)
      for (std::size_t i = 0; i < rest.size(); ++i) {
        table.erase(table.begin() + static_cast<std::ptrdiff_t>(i));
        watch_reading(document, tree_);
        table = rest;
      }
    table = whole;
  }

  std::vector<std::string> unknown_keys(Document& document, const Path& path) {
    Notes notes(document, tree_);
    watch_reading(document, notes);
    std::vector<std::string> keys;
    if (const KeyTree* tree = notes.tree_of(*table_at(document, path)))
      for (const auto& [key, inner] : tree->keys)
        if (inner.kinds.empty()) keys.push_back(key);
    return keys;
  }

  void add_to(Document& document, const Place& place) {
    constexpr int most = 3;  // documents in which a key is tried
    for (const std::string& key : unknown_keys(document, place.path)) {
      if (++added_[place.name + "." + key] > most) continue;
      Table& table = *table_at(document, place.path);
      for (const Value& value : other_values(table.empty() ? Position{} : table.front().position)) {
        table.push_back({key, value.position, value});
        watch_reading(document, tree_);
        table.pop_back();
      }
    }
  }

  KeyTree& tree_;
  std::set<std::string> tried_;
  std::map<std::string, int> added_;
};

// ---- From what was noted to what it means ----

void merge(KeyTree&& from, KeyTree& into) {
  into.kinds.merge(from.kinds);
  for (std::string& word : from.words)
    if (std::ranges::find(into.words, word) == into.words.end()) into.words.push_back(std::move(word));
  if (from.items) merge(std::move(*from.items), made(into.items));
  if (from.names) merge(std::move(*from.names), made(into.names));
  for (auto& [key, inner] : from.keys) merge(std::move(inner), into.keys[key]);
  for (auto& [key, inner] : from.unasked) merge(std::move(inner), into.unasked[key]);
}

void settle(KeyTree& tree) {
  for (auto& [key, inner] : tree.unasked) {
    if (const auto asked = tree.keys.find(key); asked != tree.keys.end())
      merge(std::move(inner), asked->second);
    else if (!tree.closed)
      merge(std::move(inner), made(tree.names));
  }
  tree.unasked.clear();
  for (auto& [key, inner] : tree.keys) settle(inner);
  if (tree.items) settle(*tree.items);
  if (tree.names) settle(*tree.names);
}

std::optional<Document> parsed(const ModelText& model) {
  try {
    return parse_document(model.text, model.file);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

std::set<std::string> KeyTree::required() const {
  std::set<std::string> both;
  std::ranges::set_intersection(missed, present, std::inserter(both, both.end()));
  return read ? both : std::set<std::string>();
}

KeyTree keys_of(const std::vector<ModelText>& models) {
  std::vector<Document> documents;
  for (const ModelText& model : models)
    if (std::optional<Document> document = parsed(model)) documents.push_back(std::move(*document));
  // Each place is tried in the shortest model that has it.
  std::ranges::stable_sort(documents, {}, [](const Document& document) { return document.text.size(); });
  KeyTree tree;
  Exploration exploration(tree);
  std::vector<Document*> right;
  for (const bool wanted : {true, false})  // what is right shows more, since it is read to the end
    for (Document& document : documents) {
      std::vector<Place> seen = places_in(document);
      {
        Notes notes(document, tree);
        if (watch_reading(document, notes) != wanted) continue;
        std::erase_if(seen, [&](const Place& place) { return !notes.has_seen(*value_at(document, place.path)); });
      }
      if (wanted) right.push_back(&document);
      exploration.change(document, seen, wanted);
    }
  for (Document* document : right) exploration.add(*document);
  settle(tree);
  return tree;
}

}  // namespace invar
