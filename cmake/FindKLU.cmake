# KLU of SuiteSparse with what it is built on: target KLU::KLU. Installed as well, since a static libinvar needs it.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(KLU_PARTS klu amd colamd btf suitesparseconfig)
foreach(part ${KLU_PARTS})
  find_library(KLU_${part}_LIBRARY ${part})
  list(APPEND KLU_LIBRARY_VARIABLES KLU_${part}_LIBRARY)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU REQUIRED_VARS ${KLU_LIBRARY_VARIABLES} KLU_INCLUDE_DIR)

if(KLU_FOUND AND NOT TARGET KLU::KLU)
  add_library(KLU::KLU INTERFACE IMPORTED)
  target_include_directories(KLU::KLU SYSTEM INTERFACE ${KLU_INCLUDE_DIR})
  foreach(variable ${KLU_LIBRARY_VARIABLES})
    target_link_libraries(KLU::KLU INTERFACE ${${variable}})
  endforeach()
endif()
