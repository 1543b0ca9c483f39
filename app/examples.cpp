// See examples.h.
#include "app/examples.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "invar/base/error.h"
#include "invar/base/message.h"

namespace invar::app {

namespace {

namespace fs = std::filesystem;

// Set once, before anything is looked for.
fs::path told_folder;

fs::path examples_folder() {
  if (!told_folder.empty()) return told_folder;
  std::error_code error;
  if (fs::is_directory(INVAR_EXAMPLES_DIR, error)) return INVAR_EXAMPLES_DIR;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : (program.parent_path() / INVAR_INSTALLED_EXAMPLES).lexically_normal();
}

std::string title(const fs::path& readme) {
  std::ifstream file(readme);
  std::string line;
  std::getline(file, line);
  line.erase(0, line.find_first_not_of("# "));
  return line;
}

}  // namespace

void set_examples_folder(fs::path folder) { told_folder = std::move(folder); }

std::vector<Example> bundled_examples() {
  std::vector<Example> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(examples_folder(), error)) {
    const fs::path model = entry.path() / "model.toml";
    if (fs::exists(model, error))
      found.push_back({entry.path().filename().string(), title(entry.path() / "README.md"), model});
  }
  std::sort(found.begin(), found.end(), [](const Example& x, const Example& y) { return x.name < y.name; });
  return found;
}

namespace {

// Files of models in the folder where one was looked for.
std::vector<std::string> models_beside(const fs::path& file) {
  std::vector<std::string> found;
  std::error_code error;
  const fs::path folder = file.parent_path();
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error))
    if (entry.path().extension() == ".toml") found.push_back((folder / entry.path().filename()).string());
  return found;
}

}  // namespace

std::string find_model(const std::string& name) {
  std::error_code error;
  if (fs::exists(name, error)) {
    const fs::path inside = fs::path(name) / "model.toml";
    if (fs::is_directory(name, error) && fs::exists(inside, error)) return inside.string();
    if (!fs::is_directory(name, error)) return name;
  }
  std::vector<std::string> known;
  for (const Example& e : bundled_examples()) {
    if (e.name == name) return e.model.string();
    known.push_back(e.name);
  }
  const bool is_bare = name.find_first_of("./") == name.npos;
  if (fs::exists(name, error)) return name;  // a folder
  for (const std::string& file : models_beside(name)) known.push_back(file);
  const std::string meant = suggestion(name, known);
  if (!is_bare && meant.empty()) return name;
  throw InputError(display(name) + ": there is no such file" + (is_bare ? " or bundled example" : "") +
                   (meant.empty() ? "; see invar list" : meant));
}

}  // namespace invar::app
