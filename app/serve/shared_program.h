// A page with the program that stands in it at an address of its own. Pages that follow one another share it: a browser
// that has it, compiled, neither fetches nor compiles it for the next one.
#pragma once

#include <string>

namespace invar::app {

struct PageAndProgram {
  std::string page, program;  // without a program there is none, and the page is as it was
};

// The page takes its program, which is the last script in it, from "program.js", beside it.
PageAndProgram program_apart(const std::string& page);

}  // namespace invar::app
