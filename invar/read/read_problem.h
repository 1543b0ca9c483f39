// Reading model files. Every error is one line: `crane.toml:14:8: constraint "cable": unknown name "lx"`.
#pragma once

#include <optional>
#include <string>

#include "invar/model/problem/overrides.h"
#include "invar/model/problem/problem.h"

namespace invar {

namespace model {
struct Document;
}  // namespace model

// Which files a model may name: a model of somebody else must not make a page or a table of what stands anywhere.
enum class DataFiles { below_the_model, anywhere };

// `formulation` replaces the one in the file: "director", "minimal" or "lie", for models of bodies.
Problem read_problem(const std::string& path, const Overrides& overrides = {},
                     const std::optional<std::string>& formulation = {}, DataFiles data = DataFiles::below_the_model);
Problem read_problem_text(const std::string& text, const std::string& file_name, const Overrides& overrides = {},
                          const std::optional<std::string>& formulation = {},
                          DataFiles data = DataFiles::below_the_model);
// A file in which a program may have changed something.
Problem read_problem(const model::Document& document, const Overrides& overrides = {},
                     const std::optional<std::string>& formulation = {});

}  // namespace invar
