# unit(<target> <name> <file>...): compiles sources of a target as one file, four times as fast as each by itself. The files
# of a unit share their anonymous namespaces: two files that define the same name there must be in different units.
option(FLASHSCOPE_UNITS "Compile the files of a unit as one; OFF compiles each by itself, for tools that read the commands" ON)

function(unit target name)
  target_sources(${target} PRIVATE ${ARGN})
  if(FLASHSCOPE_UNITS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${name})
  endif()
endfunction()
