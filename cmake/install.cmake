# What `cmake --install` gives: the command with its examples, manual page and completions; the library with its public
# headers, for find_package and for pkg-config.
include(CMakePackageConfigHelpers)

if(TARGET invar_app)
  install(TARGETS invar_app DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(NOT CMAKE_CROSSCOMPILING)
    set(words ${PROJECT_BINARY_DIR}/words)
    install(FILES ${words}/invar.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${words}/invar.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME invar)
    install(FILES ${words}/_invar DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${words}/invar.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/invar PATTERN "*.cpp" EXCLUDE PATTERN "*.h" EXCLUDE)

install(FILES docs/invar.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/invar)

# ---- Headers: invar/invar.h and what it reaches ----

file(GLOB public_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} invar/invar.h)
set(position 0)
list(LENGTH public_headers count)
while(position LESS count)
  list(GET public_headers ${position} header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${header})
  file(STRINGS ${PROJECT_SOURCE_DIR}/${header} includes REGEX "^#include \"invar/")
  foreach(line ${includes})
    string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" other "${line}")
    if(NOT other IN_LIST public_headers)
      list(APPEND public_headers ${other})
    endif()
  endforeach()
  list(LENGTH public_headers count)
  math(EXPR position "${position} + 1")
endwhile()

foreach(header ${public_headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()

# ---- Library ----

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/invar)
install(TARGETS invar EXPORT invarTargets DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT invarTargets NAMESPACE invar:: DESTINATION ${package_folder})
configure_package_config_file(cmake/invarConfig.cmake.in ${PROJECT_BINARY_DIR}/invarConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/invarConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/invarConfig.cmake ${PROJECT_BINARY_DIR}/invarConfigVersion.cmake
  cmake/FindKLU.cmake DESTINATION ${package_folder})

# What a static library was not linked with, its user must be.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(NOT BUILD_SHARED_LIBS)
  set(pkgconfig_static_packages ipopt)
  set(pkgconfig_static_libraries ${KLU_PARTS} ${CMAKE_DL_LIBS})
  list(TRANSFORM pkgconfig_static_libraries PREPEND -l)
  list(JOIN pkgconfig_static_libraries " " pkgconfig_static_libraries)
endif()
file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_PREFIX}/${pkgconfig_folder} ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/invar.pc.in ${PROJECT_BINARY_DIR}/invar.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/invar.pc DESTINATION ${pkgconfig_folder})
