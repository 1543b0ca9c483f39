# What `invar --version --full` tells: compiler, libraries, state of the sources (app/about_build.cpp).

# The version that a header defines as two or three numbers.
function(version_in_header result header)  # then the names of the numbers
  set(numbers)
  if(EXISTS ${header})
    file(READ ${header} text)
    foreach(name ${ARGN})
      if(text MATCHES "#[ \t]*define[ \t]+${name}[ \t]+([0-9]+)")
        list(APPEND numbers ${CMAKE_MATCH_1})
      endif()
    endforeach()
  endif()
  list(JOIN numbers "." version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

function(tell_about_build target)
  set(told "Eigen ${Eigen3_VERSION}" "fmt ${fmt_VERSION}" "IPOPT ${IPOPT_VERSION}")
  version_in_header(klu ${KLU_INCLUDE_DIR}/klu.h KLU_MAIN_VERSION KLU_SUB_VERSION KLU_SUBSUB_VERSION)
  version_in_header(toml ${TOML_INCLUDE_DIR}/toml++/impl/version.h TOML_LIB_MAJOR TOML_LIB_MINOR TOML_LIB_PATCH)
  list(APPEND told "KLU ${klu}" "nlohmann-json ${nlohmann_json_VERSION}" "toml++ ${toml}")
  if(HDF5_FOUND)
    list(APPEND told "HDF5 ${HDF5_VERSION} (loaded when it is needed)")
  endif()
  list(JOIN told ", " libraries)
  set(machine "${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR}")
  set(compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, ${CMAKE_BUILD_TYPE}, ${machine}")

  set(header ${PROJECT_BINARY_DIR}/git_state/git_state.h)
  add_custom_target(git_state BYPRODUCTS ${header} VERBATIM
    COMMAND ${CMAKE_COMMAND} -DSOURCES=${PROJECT_SOURCE_DIR} -DOUT=${header}
            -P ${PROJECT_SOURCE_DIR}/cmake/git_state.cmake)
  add_dependencies(${target} git_state)
  # By itself, so that a commit compiles nothing else again.
  set_source_files_properties(${PROJECT_SOURCE_DIR}/app/about_build.cpp PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON INCLUDE_DIRECTORIES ${PROJECT_BINARY_DIR}/git_state
    COMPILE_DEFINITIONS "INVAR_COMPILER=\"${compiler}\";INVAR_LIBRARIES=\"${libraries}\"")
endfunction()
