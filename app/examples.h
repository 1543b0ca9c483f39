// The examples that come with the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace invar::app {

struct Example {
  std::string name;   // folder
  std::string title;  // first line of its README
  std::filesystem::path model;
};

// Where they are, if not beside the sources or where an installed program keeps its data: in a Python package.
void set_examples_folder(std::filesystem::path folder);

// In alphabetical order; none if the folder cannot be found.
std::vector<Example> bundled_examples();

// The file that the user means: a path, a folder with a model.toml, or the name of a bundled example. InputError with
// what may have been meant if there is none.
std::string find_model(const std::string& name);

}  // namespace invar::app
