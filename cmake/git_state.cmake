# Writes OUT, a header with the state of the sources, if it has changed: the commit, and whether files differ from it.
# Run by every build: cmake -DSOURCES=… -DOUT=… -P git_state.cmake
cmake_minimum_required(VERSION 3.25)
set(state "from an archive")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCES}/.git)
  execute_process(COMMAND ${GIT} describe --always --dirty=-changed --abbrev=12 WORKING_DIRECTORY ${SOURCES}
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    string(REGEX REPLACE "-changed$" ", with changes" commit "${commit}")
    set(state "git ${commit}")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define INVAR_GIT_STATE \"@state@\"\n" @ONLY)
