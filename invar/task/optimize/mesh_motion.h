// Motions on different meshes compared.
#pragma once

#include "invar/task/transcription/transcription.h"

namespace invar {

// Do both move alike, but for the error of the coarser mesh?
bool move_alike(const MeshMotion& a, const MeshMotion& b);

}  // namespace invar
