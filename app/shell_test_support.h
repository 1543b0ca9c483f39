// The command in a shell, in a folder of its own that goes away with the test.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "invar/report/page/page.h"

namespace invar::app {

class Shell : public ::testing::Test {
 protected:
  struct Result {
    int status;  // of the shell; 1000 and more if a signal ended it
    std::string out, err;
  };

  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void file(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  std::string text(const std::string& name) const {
    std::ostringstream all;
    all << std::ifstream(folder / name).rdbuf();
    return all.str();
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder / name); }

  // The data of the page of a result folder, as JSON.
  std::string page(const std::string& result) const { return std::string(data_of_page(text(result + "/report.html"))); }

  // A script in which $INVAR is the command. What the shell itself writes goes to the files "printed" and "errors".
  Result shell(const std::string& script) const {
    file("script", "INVAR='" INVAR_BINARY "'\n" + script + "\n");
    const std::string command = "cd '" + folder.string() + "' && sh ./script > printed 2> errors";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status, text("printed"), text("errors")};
  }

  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("invar_shell_test_" + std::to_string(getpid()));
};

// A cart on a rail, for every task; its inertia is out of proportion, of which every task warns.
inline constexpr const char* heavy_cart = R"toml(
name = "cart"
[world]
dimension = 2
[[body]]
name = "cart"
mass = 2.0
inertia = 1e6
position = [1, 0]
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground", "cart"]
at = [0, 0]
axis = [1, 0]
coordinate = "s"
[[actuator]]
name = "F"
on = "s"
[[output]]
name = "place"
coordinate = "s"
[[trajectory]]
outputs = ["place"]
from = [0.0]
to = [1.0]
duration = 1.0
profile = "poly5"
[simulate]
until = 0.5
step = 0.01
[invert]
until = 1.0
step = 0.02
[optimize]
horizon = 1.0
intervals = 10
final = { s = 1.0 }
rest = true
[control]
controller = "feedforward"
period = 0.01
until = 0.5
)toml";

}  // namespace invar::app
