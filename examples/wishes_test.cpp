// Wishes that cannot be met, or only with a reservation: each is told in a sentence that names what, why and when, and
// that docs/inversion.md shows as it is. None gives numbers in silence.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/task/invert/invert.h"

namespace invar {
namespace {

struct Wish {
  std::string name;   // the first column of the table in the page
  std::string model;  // a change of one of the models below
  enum class Told { refusal, failure, warning } told = Told::refusal;
};

std::string replaced(std::string text, std::initializer_list<std::pair<std::string, std::string>> changes) {
  for (const auto& [from, to] : changes) {
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    if (place != std::string::npos) text.replace(place, from.size(), to);
  }
  return text;
}

const std::string crane = R"TOML(
name = "crane"
[system]
coordinates = ["s", "l", "x", "z"]
kinetic = "5*s'^2 + 5*l'^2 + 50*(x'^2 + z'^2)"
potential = "981*z"
[[system.constraint]]
name = "cable"
expr = "((x - s)^2 + z^2 - l^2)/2"
tension = "l"
[[system.input]]
name = "F"
force = { s = "1" }
[[system.input]]
name = "M"
force = { l = "10" }
[[system.output]]
name = "load_x"
expr = "x"
[[system.output]]
name = "load_z"
expr = "z"
[initial]
s = 0.0
l = 4.0
x = 0.0
z = -4.0
[[trajectory]]
outputs = ["load_x", "load_z"]
from = [0.0, -4.0]
to = [5.0, -1.0]
duration = 3.0
profile = "poly9"
[invert]
step = 0.05
)TOML";

const std::string arm = R"TOML(
name = "arm"
[system]
coordinates = ["p", "q"]
kinetic = "p'^2 + q'^2/2 + cos(p - q)*p'*q'"
[[system.input]]
name = "M1"
force = { p = "1" }
[[system.input]]
name = "M2"
force = { q = "1" }
[[system.output]]
name = "hand_x"
expr = "cos(p) + cos(q)"
[[system.output]]
name = "hand_y"
expr = "sin(p) + sin(q)"
[initial]
p = 0.0
q = 1.5
[[trajectory]]
outputs = ["hand_x", "hand_y"]
from = [1.0, 1.0]
to = [1.0, 2.5]
duration = 1.0
profile = "poly5"
)TOML";

// Three bodies that nothing joins, in coordinates of which each moves all of them.
const std::string bodies = R"TOML(
name = "bodies"
[system]
coordinates = ["x", "y", "w"]
kinetic = "(x'^2 + 2*y'^2 + 3*w'^2)/2"
[[system.input]]
name = "F"
force = { x = "1" }
[[system.input]]
name = "G"
force = { y = "1" }
[[system.output]]
name = "a"
expr = "x + y"
[[system.output]]
name = "b"
expr = "2*(x + y)"
[reduce]
coordinates = ["p", "r", "v"]
map = { x = "p + r + v", y = "p - r + 2*v", w = "p + 3*r - v" }
[initial]
p = 0.0
r = 0.0
v = 0.0
[[trajectory]]
outputs = ["a", "b"]
from = [0.0, 0.0]
to = [1.0, 2.0]
duration = 1.0
profile = "poly9"
)TOML";

const std::string elastic_arm = R"TOML(
name = "elastic arm"
[system]
coordinates = ["a", "b"]
kinetic = "2/3*a'^2 + (a' + b')^2/6 + cos(b)*a'*(a' + b')/2"
potential = "25*b^2"
force = { b = "-b'/4" }
[[system.input]]
name = "M"
force = { a = "1" }
[[system.output]]
name = "tip"
expr = "a + b/2"
[initial]
a = 0.0
b = 0.0
[[trajectory]]
outputs = ["tip"]
from = [0.0]
to = ["pi/3"]
start = 1.0
duration = 1.5
profile = "poly9"
[invert]
until = 3.5
method = "taylor"
)TOML";

// The mass of a pendulum on a cart is to follow a path across, which only the swinging cable can make it do.
const std::string hanging_mass = R"TOML(
name = "hanging mass"
[system]
coordinates = ["s", "phi"]
kinetic = "s'^2 + 0.25*((s' + 0.6*cos(phi)*phi')^2 + (0.6*sin(phi)*phi')^2)"
potential = "-0.5*9.81*0.6*cos(phi)"
[[system.input]]
name = "F"
force = { s = "1" }
[[system.output]]
name = "mass"
expr = "s + 0.6*sin(phi)"
[initial]
s = 0.0
phi = 0.0
[[trajectory]]
outputs = ["mass"]
from = 0.0
to = 1.5
start = 0.5
duration = 2.0
profile = "poly11"
[invert]
until = 3.0
)TOML";

const std::string car = R"TOML(
name = "car"
[system]
coordinates = ["x", "y", "psi"]
kinetic = "5*(x'^2 + y'^2) + 0.4*psi'^2"
[[system.constraint]]
name = "noslip"
level = "velocity"
expr = "x'*sin(psi) - y'*cos(psi)"
[[system.input]]
name = "F"
force = { x = "cos(psi)", y = "sin(psi)" }
[[system.input]]
name = "M"
force = { psi = "1" }
[[system.output]]
name = "px"
expr = "x"
[[system.output]]
name = "py"
expr = "y"
[[signal]]
name = "c"
from = 0.0
to = 1.0
duration = 4.0
profile = "poly17"
[[trajectory]]
outputs = ["px", "py"]
expr = ["2*c", "c^2"]
[initial]
x = 0.0
y = 0.0
psi = 0.0
[invert]
until = 4.0
)TOML";

std::vector<Wish> wishes() {
  using enum Wish::Told;
  return {
      {"one output twice", replaced(crane, {{"\"z\"\n[initial]", "\"2*x\"\n[initial]"}})},
      {"outputs that depend on each other, hidden", bodies},
      {"the same, with trajectories that do not fit", replaced(bodies, {{"[1.0, 2.0]", "[1.0, 3.0]"}})},
      {"outputs that a constraint joins", replaced(crane, {{"\"x\"\n[[system.output]]", "\"s\"\n[[system.output]]"},
                                                           {"\"z\"\n[initial]", "\"l\"\n[initial]"},
                                                           {"((x - s)^2 + z^2 - l^2)/2", "s - l"}})},
      {"an output beyond the inputs", replaced(crane, {{"\"z\"]\nkin", "\"z\", \"w\"]\nkin"},
                                                       {"z'^2)", "z'^2) + w'^2"},
                                                       {"\"z\"\n[initial]", "\"w\"\n[initial]"},
                                                       {"z = -4.0", "z = -4.0\nw = -4.0"}})},
      {"an output beyond the inputs, hidden", replaced(bodies, {{"2*(x + y)", "w"}})},
      {"the same, asked to rest", replaced(bodies, {{"2*(x + y)", "w"}, {"[1.0, 2.0]", "[1.0, 0.0]"}})},
      {"fewer outputs than inputs",
       replaced(crane, {{"\"load_x\", \"load_z\"]", "\"load_x\"]"}, {"[0.0, -4.0]", "0.0"}, {"[5.0, -1.0]", "5.0"}})},
      {"more outputs than inputs", replaced(crane, {{"[[system.input]]\nname = \"M\"\nforce = { l = \"10\" }\n", ""}})},
      {"a start out of reach", replaced(arm, {{"[1.0, 1.0]", "[3.0, 1.0]"}})},
      {"a way out of reach", arm, failure},
      {"a goal at the edge of the reach", replaced(arm, {{"[1.0, 2.5]", "[2.0, 0.0]"}}), warning},
      {"a fall faster than gravity", replaced(crane, {{"duration = 3.0", "duration = 1.2"}}), failure},
      {"a trajectory that is not smooth enough", replaced(crane, {{"poly9", "poly7"}})},
      {"a slack cable", replaced(crane, {{"z = -4.0", "z = 4.0"}, {"[0.0, -4.0]", "[0.0, 4.0]"}, {"-1.0]", "4.0]"}}),
       warning},
      {"trolley and load prescribed from a cable that hangs straight",
       replaced(crane, {{"\"z\"\n[initial]", "\"s\"\n[initial]"}, {"[0.0, -4.0]", "[0.0, 0.0]"}, {"-1.0]", "6.0]"}})},
      {"stable inversion of a flat system",
       replaced(crane, {{"step = 0.05", "step = 0.05\nmethod = \"stable-inversion\""}})},
      {"unstable internal dynamics, followed", elastic_arm, failure},
      {"a trajectory that begins elsewhere", replaced(crane, {{"[0.0, -4.0]", "[1.0, -4.0]"}}), warning},
      {"a method that does not suit",
       replaced(crane, {{"[invert]", "[invert]\nmethod = \"direct\"\nintegrator = \"radau5\""}}), failure},
      {"an arm that starts stretched",
       replaced(arm, {{"q = 1.5", "q = 0.0"}, {"[1.0, 1.0]", "[2.0, 0.0]"}, {"[1.0, 2.5]", "[1.0, 1.0]"}})},
      {"a hanging mass to be moved across by its cart", hanging_mass},
      {"a car that starts at standstill", car},
  };
}

// The messages of a run, one per line.
std::string told(const Wish& wish) {
  std::string text;
  try {
    const Inversion run = invert(read_problem_text(wish.model, "model.toml"));
    if (wish.told == Wish::Told::failure) {
      EXPECT_EQ(run.summary.status, RunStatus::failed) << wish.name;
      return run.summary.message;
    }
    for (const std::string& w : run.summary.warnings) text += w + "\n";
    if (wish.told == Wish::Told::refusal) ADD_FAILURE() << wish.name << " is not refused: " << text;
  } catch (const InputError& e) {
    if (wish.told != Wish::Told::refusal) ADD_FAILURE() << wish.name << " is refused: " << e.what();
    return e.what();
  }
  return text;
}

// The second column of the row that begins with this wish, without its quotes.
std::string documented(const std::string& page, const std::string& wish) {
  const std::string begin = "| " + wish + " | `";
  const std::size_t row = page.find(begin);
  if (row == std::string::npos) return "no row \"" + wish + "\" in docs/inversion.md";
  const std::size_t first = row + begin.size();
  return page.substr(first, page.find("` |", first) - first);
}

// Does the text contain this, with anything in place of each "…"?
bool contains(const std::string& text, const std::string& documented) {
  const std::string anything = "…";
  std::size_t at = 0;
  for (std::size_t begin = 0; begin <= documented.size();) {
    const std::size_t end = std::min(documented.find(anything, begin), documented.size());
    const std::string part = documented.substr(begin, end - begin);
    at = text.find(part, at);
    if (at == std::string::npos) return false;
    at += part.size();
    begin = end + anything.size();
  }
  return true;
}

TEST(Wishes, AreAnsweredAsDocumented) {
  std::ostringstream page;
  page << std::ifstream(std::filesystem::path(INVAR_EXAMPLES_DIR) / "../docs/inversion.md").rdbuf();
  for (const Wish& wish : wishes()) {
    const std::string expected = documented(page.str(), wish.name), text = told(wish);
    EXPECT_TRUE(contains(text, expected)) << wish.name << " gave\n  " << text << "\nand not\n  " << expected;
  }
}

TEST(Wishes, UnstableInternalDynamicsIsGivenUpSoon) {
  const auto begin = std::chrono::steady_clock::now();
  invert(read_problem_text(elastic_arm, "model.toml"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5)) << "some 0.1 s are usual";
}

}  // namespace
}  // namespace invar
