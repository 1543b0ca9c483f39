// Runs the real command on an example, as a user does, and looks at what it leaves behind.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "invar/record/trajectory.h"

namespace {

namespace fs = std::filesystem;

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

}  // namespace
