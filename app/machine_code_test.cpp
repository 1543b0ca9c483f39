// What every task says about machine code, and that nothing is compiled, looked for or kept where that is not wanted.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "invar/base/private_files.h"

namespace invar {
namespace {

namespace fs = std::filesystem;

struct Asked {
  const char *verb, *model;
};
constexpr std::array every_task = {Asked{"simulate", "double_pendulum"}, Asked{"invert", "overhead_crane_inverse"},
                                   Asked{"optimize", "pendulum_turn"}, Asked{"control", "overhead_crane_control"},
                                   Asked{"equilibrium", "hanging_chain"}};

// summary.json of a run with a cache of its own.
nlohmann::json summary_of(const Asked& asked, const std::string& folder, const std::string& options) {
  const std::string out = folder + "/" + asked.verb;
  const std::string command = "XDG_CACHE_HOME=" + folder + "/cache " INVAR_BINARY " " + asked.verb + " " +
                              INVAR_EXAMPLES_DIR "/" + asked.model + "/model.toml --quiet --no-report --out " + out +
                              " " + options + " 2>" + folder + "/err";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream file(out + "/summary.json");
  return nlohmann::json::parse(file);
}

TEST(MachineCode, IsForbiddenToEveryTask) {
  const TemporaryFolder folder("/tmp");
  for (const Asked& asked : every_task) {
    const nlohmann::json summary = summary_of(asked, folder.path(), "--no-compile");
    EXPECT_FALSE(summary["compiled"]) << asked.verb;
    EXPECT_EQ(summary["machine_code"]["why_not"], "no compiler was given") << asked.verb;
  }
  EXPECT_FALSE(fs::exists(folder.path() + "/cache")) << "nobody looked for code, and nobody kept any";
}

TEST(MachineCode, IsAccountedForByEveryTask) {
  const TemporaryFolder folder("/tmp");
  for (const Asked& asked : every_task) {
    const nlohmann::json summary = summary_of(asked, folder.path(), "");
    const nlohmann::json& code = summary["machine_code"];
    EXPECT_EQ(summary["compiled"], !code.contains("why_not")) << asked.verb << code;
    EXPECT_NE(code.value("why_not", ""), "no compiler was given") << asked.verb;
  }
}

}  // namespace
}  // namespace invar
