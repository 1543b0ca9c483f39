// Writes the parts of the documentation that the program itself writes into a folder, and results to look at into
// another.
#include <fmt/format.h>

#include "docs/make/pages.h"
#include "invar/record/file.h"

std::filesystem::path invar::docs::examples_folder() { return INVAR_EXAMPLES_DIR; }

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: gallery DOCS RESULTS\n");
    return 1;
  }
  try {
    const std::filesystem::path docs = argv[1];
    invar::docs::write_gallery(docs, argv[2]);
    invar::write_text(docs / "andrews_balance.svg", invar::docs::energy_figure());
    invar::write_text(docs / "convergence.svg", invar::docs::convergence_figure());
    invar::write_text(docs / "inverse_problems.md", invar::docs::inverse_table());
  } catch (const std::exception& error) {
    fmt::print(stderr, "gallery: {}\n", error.what());
    return 1;
  }
}
