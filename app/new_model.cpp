// See new_model.h. Nothing that exists is ever overwritten.
#include "app/new_model.h"

#include <filesystem>

#include "app/streams.h"
#include "app/words/model_kinds.h"
#include "invar/base/error.h"
#include "invar/read/model_schema.h"
#include "invar/record/file.h"

namespace invar::app {

namespace {

namespace fs = std::filesystem;

void write_new(const fs::path& file, std::string_view text) {
  if (std::error_code error; fs::exists(fs::symlink_status(file, error)))
    throw InputError(file.string() + ": is there already, and is left alone");
  write_text(file, std::string(text));
}

std::string next_steps(const ModelKind& kind, const std::string& file) {
  std::string steps;
  for (std::size_t at = 0; at < kind.tasks.size();) {
    const std::size_t end = std::min(kind.tasks.find(' ', at), kind.tasks.size());
    steps += "  invar " + std::string(kind.tasks.substr(at, end - at)) + " " + file + "\n";
    at = end + 1;
  }
  return steps;
}

constexpr std::string_view ignored = "# Results of runs.\nout/\n";

// What Taplo reads, which checks and completes TOML in editors.
constexpr std::string_view for_editors =
    R"toml(# Models are checked and completed by this schema; a newer Invar has a newer one:
#   invar schema > invar.schema.json
[[rule]]
include = ["**/*.toml"]
exclude = ["**/.taplo.toml"]

[rule.schema]
enabled = true
path = "invar.schema.json"
)toml";

}  // namespace

int new_model(const CommandLine& line) {
  const ModelKind& kind = model_kind(line.arguments.front());
  if (line.out == "-") {
    write_output(kind.text);
    return 0;
  }
  const std::string file = line.out.empty() ? std::string(kind.name) + ".toml" : line.out;
  write_new(file, kind.text);
  if (!line.quiet) print("{}: {}\n{}", file, kind.help, next_steps(kind, file));
  return 0;
}

int new_project(const CommandLine& line) {
  const ModelKind& kind = model_kind(line.kind.empty() ? "crane" : line.kind);
  const fs::path folder = line.arguments.front();
  if (std::error_code error; fs::exists(folder, error) && !(fs::is_directory(folder, error) && fs::is_empty(folder)))
    throw InputError(folder.string() + ": is there already and not empty, and is left alone");
  if (std::error_code error; !fs::create_directories(folder, error) && error)
    throw OutputError(folder.string() + ": cannot be made: " + error.message());
  const std::string model = std::string(kind.name) + ".toml";
  write_new(folder / model, kind.text);
  write_new(folder / ".gitignore", ignored);
  write_new(folder / ".taplo.toml", for_editors);
  write_new(folder / "invar.schema.json", model_schema());
  if (!line.quiet)
    print("{}: a model to start from\n  cd {}\n{}", folder.string(), folder.string(), next_steps(kind, model));
  return 0;
}

}  // namespace invar::app
