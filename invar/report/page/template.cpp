// See template.h. The assembler takes the file in as it is; CMakeLists.txt says where it is and that this file depends
// on it.
#include "invar/report/page/template.h"

asm(".section .rodata\n"
    ".global invar_page_begin\n"
    ".global invar_page_end\n"
    "invar_page_begin:\n"
    ".incbin \"" INVAR_PAGE
    "\"\n"
    "invar_page_end:\n"
    ".previous\n");

extern "C" const char invar_page_begin[];
extern "C" const char invar_page_end[];

namespace invar {

std::string_view page_template() {
  return {invar_page_begin, static_cast<std::size_t>(invar_page_end - invar_page_begin)};
}

}  // namespace invar
