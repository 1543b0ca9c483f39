// What is fuzzed: one reader of what users write, as a function of bytes. Whatever they are, it must end with a
// result or with a message for the user; and where what was read can be written, reading that must give the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace invar::fuzz {

struct Target {
  std::string_view name;
  // What came of it, in words that are the same for inputs that go the same way: those with new words are worth
  // changing further. An exception that is no message for the user, a signal or an endless loop is a finding.
  std::string (*take)(std::string_view input);
  std::vector<std::string> (*corpus)();  // to begin with
  std::vector<std::string_view> words;   // to be put in
};

std::span<const Target> targets();

extern const Target formula, model, csv, mesh, results, hdf5;

// The bytes as a file with this ending that readers can open, the same one for each input; it goes with the process.
std::string as_file(std::string_view bytes, const std::string& ending = ".csv");

// The message without what it quotes and counts.
std::string kind_of(std::string_view message);

// Texts of the files with this ending below examples/, no longer than `longest`: what is longer is cut there.
std::vector<std::string> example_files(std::string_view ending, std::size_t longest, bool cut = false);

}  // namespace invar::fuzz
