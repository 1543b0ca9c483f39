// Documents that programs write and change: text is read back as the same values, and messages say where a value is
// from.
#include "invar/model/file/document.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/model/file/write_document.h"
#include "invar/read/read_problem.h"

namespace invar::model {
namespace {

bool same(const Value& x, const Value& y);

bool same_tables(const Table& x, const Table& y) {
  return std::ranges::equal(x, y,
                            [](const Entry& a, const Entry& b) { return a.key == b.key && same(a.value, b.value); });
}

template <class T>
bool same_of(const Value& x, const Value& y) {
  return x.as<T>() && y.as<T>() && *x.as<T>() == *y.as<T>();
}

// Kinds and values, places aside.
bool same(const Value& x, const Value& y) {
  if (x.as<Table>() && y.as<Table>()) return same_tables(*x.as<Table>(), *y.as<Table>());
  if (x.as<Array>() && y.as<Array>()) return std::ranges::equal(*x.as<Array>(), *y.as<Array>(), same);
  return same_of<bool>(x, y) || same_of<std::int64_t>(x, y) || same_of<double>(x, y) || same_of<std::string>(x, y);
}

TEST(WrittenDocuments, AreReadBackAsTheyWere) {
  const Document given = parse_document(R"toml(title = "a \"quoted\" \\ text\nwith lines\t\u0001 and Größe"
empty = []
whole = -3
large = 9007199254740993
numbers = [0.1, 1.0, -0.0, 1e300, 5e-324, 123456789.123456789, 1e21]
truth = [true, false]
mixed = [[1, 2.0], ["x", { y = 1 }]]
[table]
"x'" = 1
"" = 2
inner = { a = { b = [{ c = 1 }] } }
[[table.list]]
name = "first"
[[table.list]]
deep = [{ e = 1 }, { e = 2 }]
[none]
[[top]]
[[top]]
name = "second"
)toml",
                                        "given");
  const std::string text = write_document(given.root);
  const Document again = parse_document(text, "again");
  EXPECT_TRUE(same_tables(given.root, again.root)) << text;
  EXPECT_EQ(write_document(again.root), text);
}

constexpr const char* mass = R"toml(name = "mass"
[system]
coordinates = ["x"]
kinetic = "x'^2/2"
[initial]
x = 0
[simulate]
until = 1.0
)toml";

std::string refusal(const Document& document) {
  try {
    read_problem(document);
    return "none";
  } catch (const InputError& e) {
    return e.what();
  }
}

TEST(ChangedDocuments, AreReadWithTheNewValues) {
  Document document = parse_document(mass, "mass.toml");
  set(document, "simulate", {"until", {0, 0}, {{0, 0}, -1.0}});
  EXPECT_EQ(refusal(document), "mass.toml: [simulate]: \"until\" must be positive");
  set(document, "simulate", {"until", {0, 0}, {{0, 0}, 2.0}});
  EXPECT_EQ(refusal(document), "none");
  set(document, "invert", {"stpe", {0, 0}, {{0, 0}, 0.1}});
  EXPECT_EQ(refusal(document), "mass.toml: [invert]: unknown key \"stpe\"; did you mean \"step\"?");
  EXPECT_THROW(set(document, "name", {"x", {0, 0}, {{0, 0}, 1.0}}), InputError);
}

}  // namespace
}  // namespace invar::model
