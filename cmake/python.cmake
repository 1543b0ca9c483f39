# The Python package: the module _invar from python/*.cpp, the Python code of python/invar, the examples. A build folder
# has the whole package in python/invar, so that PYTHONPATH=build/release/python is all that it needs.
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module)
set(PYBIND11_FINDPYTHON ON)
find_package(pybind11 2.10 REQUIRED CONFIG)

file(GLOB python_sources CONFIGURE_DEPENDS python/*.cpp)
pybind11_add_module(invar_python MODULE NO_EXTRAS ${python_sources})
set(python_package ${PROJECT_BINARY_DIR}/python/invar)
set_target_properties(invar_python PROPERTIES
  OUTPUT_NAME _invar LIBRARY_OUTPUT_DIRECTORY ${python_package} UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
target_link_libraries(invar_python PRIVATE invar app_parts)
target_include_directories(invar_python PRIVATE ${PROJECT_SOURCE_DIR})
# Names of ours stay ours, whatever else a process has loaded.
if(NOT APPLE AND NOT WIN32)
  target_link_options(invar_python PRIVATE -Wl,--exclude-libs,ALL)
endif()

file(GLOB python_code CONFIGURE_DEPENDS python/invar/*.py python/invar/*.pyi python/invar/py.typed)
file(MAKE_DIRECTORY ${python_package})
foreach(file ${python_code})
  cmake_path(GET file FILENAME name)
  file(CREATE_LINK ${file} ${python_package}/${name} SYMBOLIC COPY_ON_ERROR)
endforeach()
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/examples ${python_package}/examples SYMBOLIC)

# In a wheel the package is all that there is: with HDF5, and the part that works under mpirun, whose MPI is that of the
# machine.
foreach(part invar_mpi invar_hdf5)
  if(TARGET ${part})
    add_dependencies(invar_python ${part})
    install(TARGETS ${part} LIBRARY DESTINATION invar COMPONENT python EXCLUDE_FROM_ALL)
    file(CREATE_LINK ${PROJECT_BINARY_DIR}/lib${part}.so ${python_package}/lib${part}.so SYMBOLIC)
  endif()
endforeach()
install(TARGETS invar_python DESTINATION invar COMPONENT python EXCLUDE_FROM_ALL)
install(FILES ${python_code} DESTINATION invar COMPONENT python EXCLUDE_FROM_ALL)
install(DIRECTORY examples DESTINATION invar COMPONENT python EXCLUDE_FROM_ALL
  PATTERN "*.cpp" EXCLUDE PATTERN "*.h" EXCLUDE PATTERN "__pycache__" EXCLUDE)

if(BUILD_TESTING AND NOT INVAR_SANITIZE)
  add_test(NAME python_package
           COMMAND ${Python_EXECUTABLE} -m pytest -q -p no:cacheprovider ${PROJECT_SOURCE_DIR}/python/tests)
  set_tests_properties(python_package PROPERTIES
    TIMEOUT 600 COST 100 ENVIRONMENT "PYTHONPATH=${PROJECT_BINARY_DIR}/python;PYTHONDONTWRITEBYTECODE=1")
endif()
