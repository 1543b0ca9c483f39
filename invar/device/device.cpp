// See device.h.
#include "invar/device/device.h"

#include "invar/tape/statements.h"

namespace invar {

std::string kernel_preamble() {
  return "typedef struct {\n  double *array[" + std::to_string(KernelArguments::most_arrays) +
         "];\n  long long count, first, last;\n  double number;\n} invar_arguments;\n\n" + statement_helpers();
}

}  // namespace invar
