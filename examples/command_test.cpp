// Runs the real command on examples, as a user does, and looks at what it says and leaves behind.
#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "examples/compare.h"
#include "invar/record/trajectory.h"

namespace {

namespace fs = std::filesystem;
using invar::examples::ExpectedInversion;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Command, SimulatesAnExampleByName) {
  std::string base = (fs::temp_directory_path() / "invar-examples-XXXXXX").string();
  ASSERT_NE(mkdtemp(base.data()), nullptr);
  const fs::path out = fs::path(base) / "rotary_crane";
  const std::string command = "'" INVAR_BINARY "' simulate rotary_crane --out '" + out.string() + "' > '" + base +
                              "/printed' 2> '" + base + "/errors'";
  EXPECT_EQ(std::system(command.c_str()), 0) << text_of(fs::path(base) / "errors");

  const invar::Trajectory result = invar::read_csv(out / "result.csv");
  EXPECT_EQ(result.rows(), 101u);  // 1 s in steps of 0.01 s
  for (const char* column : {"phi", "l'", "load_x", "energy.total", "momentum.phi"})
    EXPECT_TRUE(result.find(column)) << column;
  EXPECT_NE(text_of(out / "summary.json").find("\"status\": \"done\""), std::string::npos);
  EXPECT_NE(text_of(out / "plot.svg").find("</svg>"), std::string::npos);
  EXPECT_NE(text_of(fs::path(base) / "printed").find("energy"), std::string::npos);
  EXPECT_EQ(text_of(fs::path(base) / "errors"), "");
  fs::remove_all(base);
}

// The parts about structure and inversion of what `invar check MODEL --json` prints.
std::string checked(const fs::path& model, const invar::examples::Setup& setup) {
  std::string file = (fs::temp_directory_path() / "invar-check-XXXXXX").string();
  const int handle = mkstemp(file.data());
  EXPECT_GE(handle, 0);
  std::string command = "'" INVAR_BINARY "' check '" + model.string() + "' --json";
  if (setup.formulation) command += " --formulation " + *setup.formulation;
  for (const auto& [name, value] : setup.set) command += " --set " + name + "=" + std::to_string(value);
  EXPECT_EQ(std::system((command + " > '" + file + "'").c_str()), 0) << command;
  const std::string text = text_of(file);
  close(handle);
  fs::remove(file);
  return text.substr(std::min(text.find("\"structure\": {"), text.size()));
}

// What stands behind a key of the summary, up to the end of the line.
std::string value_of(const std::string& json, const std::string& key) {
  const std::string begin = "\"" + key + "\": ";
  const std::size_t at = json.find(begin);
  if (at == std::string::npos) return "missing";
  const std::size_t first = at + begin.size();
  return json.substr(first, json.find_first_of(",\n", first) - first);
}

// Pairs of real and imaginary parts.
std::vector<std::complex<double>> eigenvalues(const std::string& json) {
  const std::size_t begin = json.find("\"zero_dynamics\": ["), end = json.find("\"mass_matrix\"", begin);
  std::vector<double> numbers;
  for (std::size_t at = json.find_first_of("-0123456789", begin); at < end;
       at = json.find_first_of("-0123456789", json.find_first_not_of("-+.e0123456789", at)))
    numbers.push_back(std::strtod(json.c_str() + at, nullptr));
  std::vector<std::complex<double>> list;
  for (std::size_t k = 0; k + 1 < numbers.size(); k += 2) list.emplace_back(numbers[k], numbers[k + 1]);
  return list;
}

void expect_verdict(const ExpectedInversion& expected, const std::string& verdict) {
  const auto is = [&](const char* key, const std::optional<double>& figure) {
    if (figure) {
      EXPECT_EQ(std::strtod(value_of(verdict, key).c_str(), nullptr), *figure) << key;
    }
  };
  const auto holds = [&](const char* key, const std::optional<bool>& fact) {
    if (fact) {
      EXPECT_EQ(value_of(verdict, key), *fact ? "true" : "false") << key;
    }
  };
  is("unknowns", expected.unknowns);
  is("index", expected.index);
  is("degrees_of_freedom", expected.degrees_of_freedom);
  holds("flat", expected.flat);
  holds("hidden_structure", expected.hidden_structure);
  if (!expected.eigenvalues) return;
  const std::vector<std::complex<double>> found = eigenvalues(verdict);
  ASSERT_EQ(found.size(), expected.eigenvalues->values.size());
  for (const std::complex<double>& z : expected.eigenvalues->values) {
    double nearest = 1e300;
    for (const std::complex<double>& other : found) nearest = std::min(nearest, std::abs(z - other));
    EXPECT_LE(nearest, expected.eigenvalues->tolerance.bound(std::abs(z))) << "eigenvalue " << z;
  }
}

TEST(Command, CheckTellsWhatKindOfInverseProblemEachExampleIs) {
  for (const std::string& name : invar::examples::example_names()) {
    const fs::path example = invar::examples::folder / name;
    for (const ExpectedInversion& expected : invar::examples::read_expected(example / "expected.toml").inversions) {
      if (!expected.refused.empty()) continue;
      SCOPED_TRACE(name + ", " + expected.setup.model);
      expect_verdict(expected, checked(example / expected.setup.model, expected.setup));
    }
  }
}

}  // namespace
