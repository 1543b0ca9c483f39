// See program_words.h.
#include "app/program_words.h"

#include "app/examples.h"
#include "app/streams.h"
#include "app/topics.h"
#include "app/words/completion.h"
#include "app/words/help.h"
#include "app/words/manual.h"
#include "invar/read/model_schema.h"
#include "invar/scheme/scheme.h"

namespace invar::app {

int list(const CommandLine&) {
  print("Schemes (--method):\n");
  for (const Scheme& s : schemes()) {
    std::string keeps = s.info.energy && s.info.momentum ? "keeps energy and momenta"
                        : s.info.momentum                ? "keeps momenta"
                                                         : "";
    print("  {:<27} order {}   {}{}{}\n", s.info.name, s.info.order, s.info.title, keeps.empty() ? "" : "; ", keeps);
  }
  const std::vector<Example> examples = bundled_examples();
  std::size_t width = 0;
  for (const Example& e : examples) width = std::max(width, e.name.size());
  print(
      "\nExamples (invar check NAME, invar simulate NAME; those with trajectories: invar invert NAME, with a goal: "
      "invar optimize NAME):\n");
  for (const Example& e : examples) print("  {:<{}}  {}\n", e.name, width, e.title);
  return 0;
}

int help(const CommandLine& line) {
  write_output(line.arguments.empty() ? overview() : help_about(line.arguments.front()));
  return 0;
}

int completion(const CommandLine& line) {
  write_output(completion_script(line.arguments.front()));
  return 0;
}

int manual(const CommandLine& line) {
  write_output(line.markdown ? manual_markdown() : manual_page());
  return 0;
}

int print_schema(const CommandLine&) {
  write_output(model_schema());
  return 0;
}

}  // namespace invar::app
