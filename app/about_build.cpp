// See about_build.h. Compiled by itself, since the state of the sources changes with every commit.
#include "app/about_build.h"

#include <fmt/format.h>

#include "app/examples.h"
#include "git_state.h"
#include "invar/model/file/format_version.h"
#include "invar/record/summary.h"

namespace invar::app {

std::string about_this_build() {
  const std::vector<Example> examples = bundled_examples();
  return fmt::format(
      "invar {}\n"
      "  sources    {}\n"
      "  compiler   {}\n"
      "  libraries  {}\n"
      "  models     format {} and earlier\n"
      "  examples   {}\n",
      program_version(), INVAR_GIT_STATE, INVAR_COMPILER, INVAR_LIBRARIES, model::newest_format,
      examples.empty() ? "not found" : examples.front().model.parent_path().parent_path().string());
}

}  // namespace invar::app
