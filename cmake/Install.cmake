# Installs two components. runtime: the programs, shell completions, the manual page, an entry for menus, and the web page if
# it was built; the archive and the .deb contain this component. development: the simulator as the library FlashScope::sim,
# for find_package() and pkg-config. Lessons, devices and fonts are embedded in the programs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(programs flashscope flashscope-kernels flashscope-explorer flashscope-serve)
install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
install(CODE "foreach(program ${programs})  # installed programs use the system's libraries, not those of an archive
    file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/\${program}\")
  endforeach()" COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/flashscope COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/flashscope.desktop DESTINATION share/applications COMPONENT runtime)
install(FILES ${PROJECT_SOURCE_DIR}/viz/app/web/icon.svg DESTINATION share/icons/hicolor/scalable/apps
  RENAME flashscope.svg COMPONENT runtime)
install(CODE "foreach(page flashscope.html site/manual)  # built by ./flashscope build page; serve shows both
    if(EXISTS \"${PROJECT_SOURCE_DIR}/build/\${page}\")
      file(INSTALL \"${PROJECT_SOURCE_DIR}/build/\${page}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/share/flashscope\")
    endif()
  endforeach()" COMPONENT runtime)

# program_text(<file> <word>...): installs the output of `flashscope <word>...` below share/.
function(program_text file)
  set(text ${PROJECT_BINARY_DIR}/share/${file})
  cmake_path(GET file PARENT_PATH folder)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/${folder})
  add_custom_command(OUTPUT ${text} COMMAND flashscope ${ARGN} > ${text} DEPENDS flashscope VERBATIM)
  install(FILES ${text} DESTINATION share/${folder} COMPONENT runtime)
  set_property(GLOBAL APPEND PROPERTY PROGRAM_TEXTS ${text})
endfunction()
program_text(man/man1/flashscope.1 manual)
program_text(bash-completion/completions/flashscope completion bash)
program_text(fish/vendor_completions.d/flashscope.fish completion fish)
program_text(zsh/site-functions/_flashscope completion zsh)      # zsh reads it below /usr/local
program_text(zsh/vendor-completions/_flashscope completion zsh)  # Debian's zsh reads it below /usr
get_property(texts GLOBAL PROPERTY PROGRAM_TEXTS)
add_custom_target(program_texts ALL DEPENDS ${texts})
add_dependencies(programs program_texts)

install(TARGETS sim EXPORT FlashScope ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/flashscope)
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sim/*.h)
list(FILTER headers EXCLUDE REGEX "^sim/report/|/(eigen|attention_matrix|matrix_product|toml_file|recorded/fields)[.]h$")  # these need packages of the build
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/flashscope/${folder}
    COMPONENT development)
endforeach()
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/FlashScope)
install(EXPORT FlashScope NAMESPACE FlashScope:: FILE FlashScopeConfig.cmake DESTINATION ${package} COMPONENT development)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/FlashScopeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/FlashScopeConfigVersion.cmake DESTINATION ${package} COMPONENT development)

set(pkgconfig ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH to_prefix /${pkgconfig} /)
string(REGEX REPLACE "/$" "" to_prefix ${to_prefix})
configure_file(${PROJECT_SOURCE_DIR}/cmake/flashscope.pc.in ${PROJECT_BINARY_DIR}/flashscope.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/flashscope.pc DESTINATION ${pkgconfig} COMPONENT development)
