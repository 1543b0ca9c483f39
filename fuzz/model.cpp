// Model files: a problem, or one line that says where and what.
#include <stdexcept>

#include "fuzz/target.h"
#include "invar/base/error.h"
#include "invar/model/file/document.h"
#include "invar/model/file/write_document.h"
#include "invar/read/read_problem.h"

namespace invar::fuzz {

namespace {

std::string take(std::string_view input) {
  try {
    const model::Document document = model::parse_document(std::string(input), "fuzz.toml");
    const std::string text = model::write_document(document.root);
    if (model::write_document(model::parse_document(text, "fuzz.toml").root) != text)
      throw std::logic_error("a document is read otherwise than it was written: " + text);
    const Problem problem = read_problem(document);
    const std::size_t n = problem.system.coordinates.size();
    if (problem.q0.size() != n || problem.v0.size() != n) throw std::logic_error("a start of another size");
    return "problem " + std::to_string(n) + " " + std::to_string(problem.system.constraints.size());
  } catch (const InputError& e) {
    const std::string message = e.what();
    // A file that the model names has its own name before what is wrong with it.
    if (message.find('\n') != message.npos || message.find(": ") == message.npos || message.size() > 2000)
      throw std::logic_error("no message of one line with its place: " + message);
    return kind_of(message);
  }
}

std::vector<std::string> corpus() { return example_files("model.toml", 3000); }

}  // namespace

const Target model = {"model",
                      take,
                      corpus,
                      {"[",
                       "]",
                       "[[",
                       "]]",
                       "{",
                       "}",
                       "\"",
                       "'",
                       "\"\"\"",
                       "'''",
                       "=",
                       ".",
                       "\n",
                       "#",
                       "inf",
                       "nan",
                       "1e99",
                       "1e400",
                       "1e-300",
                       "true",
                       "\\u0041",
                       "\\",
                       "\xff",
                       "é",
                       "0",
                       "-1",
                       "9223372036854775807",
                       "[reduce]\n",
                       "[system]\n",
                       "[world]\ndimension = 2\n",
                       "[[body]]\n",
                       "[[point]]\n",
                       "[[joint]]\n",
                       "[[beam]]\n",
                       "[[string]]\n",
                       "[[cable]]\n",
                       "[[signal]]\n",
                       "[[trajectory]]\n",
                       "name = ",
                       "mass = ",
                       "inertia = ",
                       "between = ",
                       "axis = ",
                       "at = ",
                       "type = ",
                       "points = ",
                       "elements = ",
                       "level = \"velocity\"\n",
                       "formulation = \"minimal\"\n",
                       "[[draw]]\n",
                       "[units]\n",
                       "[plant]\n",
                       "profile = \"poly9\"\n",
                       "via = [0, 1]\n",
                       "times = [0, 1]\n",
                       "expr = \"",
                       "x'",
                       "l'",
                       "sqrt(",
                       "^",
                       "/0"}};

}  // namespace invar::fuzz
