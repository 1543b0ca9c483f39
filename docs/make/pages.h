// The parts of the documentation that the program itself writes.
#pragma once

#include <filesystem>
#include <string>

namespace invar::docs {

std::filesystem::path examples_folder();

// inverse_problems.md: what kind of inverse problem each bundled example is.
std::string inverse_table();
// convergence.svg: the error of every method of inversion over the time step.
std::string convergence_figure();
// andrews_balance.svg: the energy balance of three schemes.
std::string energy_figure();
// gallery.md and the pictures in gallery/: every bundled example solved, in one picture and one sentence. The complete
// results go to `out`, with index.html to choose from.
void write_gallery(const std::filesystem::path& docs, const std::filesystem::path& out);

}  // namespace invar::docs
