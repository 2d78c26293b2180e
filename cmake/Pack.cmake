# Packages for users without the source tree. Target dist: the archive that needs no root (cmake/pack.sh), as .tar.xz and
# .tar.gz, and the .deb, in build/release/dist/. Target bundle: the archive for machines with a GPU.
set(CPACK_PACKAGE_NAME flashscope)
set(CPACK_PACKAGE_VENDOR "FlashScope developers")
set(CPACK_PACKAGE_CONTACT "${CPACK_PACKAGE_VENDOR} <developers@flashscope.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Shows where the bytes go in attention")
set(CPACK_PACKAGE_DESCRIPTION "Replays attention algorithms tile by tile on a model of a GPU, counts
the bytes of every line, predicts time, and draws and teaches it: a
command line, an explorer and lessons.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};FlashScope;runtime;/")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # depends on the packages of the libraries
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS libgl1-mesa-dri)  # draws the window
# CPack runs this script on the files before it packs them.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/debian_files.cmake @ONLY CONTENT [[
execute_process(COMMAND @PROJECT_SOURCE_DIR@/cmake/debian_files.sh ${CPACK_TEMPORARY_DIRECTORY}/usr @PROJECT_VERSION@
  COMMAND_ERROR_IS_FATAL ANY)
]])
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/debian_files.cmake)
include(CPack)

set(dist ${PROJECT_BINARY_DIR}/dist)
add_custom_target(dist VERBATIM
  COMMAND ${PROJECT_SOURCE_DIR}/cmake/pack.sh all ${PROJECT_BINARY_DIR}
          ${dist}/flashscope-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}.tar.xz
  COMMAND ${PROJECT_SOURCE_DIR}/cmake/pack.sh all ${PROJECT_BINARY_DIR}  # for systems without xz
          ${dist}/flashscope-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}.tar.gz
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${PROJECT_BINARY_DIR}/CPackConfig.cmake -B ${dist}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${dist}/_CPack_Packages)
add_dependencies(dist programs)

get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(CUDA IN_LIST languages)
  add_custom_target(bundle DEPENDS flashscope flashscope-kernels VERBATIM
    COMMAND ${PROJECT_SOURCE_DIR}/cmake/pack.sh gpu ${PROJECT_BINARY_DIR} ${PROJECT_BINARY_DIR}/flashscope-${PROJECT_VERSION}.tar.gz)
else()
  add_custom_target(bundle COMMAND ${CMAKE_COMMAND} -E echo
      "bundle: no kernels for GPUs were built: cmake --preset release -DFLASHSCOPE_CUDA=ON, which needs nvcc, and again"
    COMMAND ${CMAKE_COMMAND} -E false)
endif()
