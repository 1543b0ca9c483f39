// A GPU by CUDA, whose driver and compiler (NVRTC) are loaded when they are needed: nothing of CUDA is needed to build
// the program, or to run it without a GPU.
#pragma once

#include <memory>

#include "invar/device/device.h"

namespace invar {

// The first GPU. InputError that says what is missing if there is none, no driver or no compiler.
std::unique_ptr<Device> cuda_device();

// What is missing; empty if nothing is.
std::string missing_for_cuda();

}  // namespace invar
