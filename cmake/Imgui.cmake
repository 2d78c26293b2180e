# imgui::imgui, Dear ImGui 1.86 to 1.91: the packaged library, or for the browser its source compiled here. That source is
# FLASHSCOPE_IMGUI_SRC, or fetched once with apt into the build folder.
#   IMGUI_MISSING   how to get it; empty if it is installed
#   IMGUI_UNFIT     why the installed version cannot be used; empty if it can
set(IMGUI_MISSING "")
set(IMGUI_UNFIT "")

# check_imgui(<folder>...): sets IMGUI_UNFIT if viz/ui/imgui_version.h does not compile with the headers of a folder. The
# result is cached until the version changes.
function(check_imgui)
  find_file(header imgui.h PATHS ${ARGN} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH NO_CACHE)
  file(STRINGS ${header} version REGEX "define IMGUI_VERSION ")
  string(REGEX REPLACE ".*\"(.*)\".*" "\\1" version "${version}")
  if(NOT FLASHSCOPE_IMGUI_TRIED STREQUAL version)
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    try_compile(fits ${PROJECT_BINARY_DIR}/imgui_check ${PROJECT_SOURCE_DIR}/viz/ui/imgui_check.cpp
      CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${PROJECT_SOURCE_DIR};${ARGN}" CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
    set(FLASHSCOPE_IMGUI_FITS ${fits} CACHE INTERNAL "")
    set(FLASHSCOPE_IMGUI_TRIED ${version} CACHE INTERNAL "")
  endif()
  if(NOT FLASHSCOPE_IMGUI_FITS)
    set(IMGUI_UNFIT "Dear ImGui ${version} does not fit: 1.86 to 1.91 do" PARENT_SCOPE)
  endif()
endfunction()

if(NOT EMSCRIPTEN)
  if(TARGET PkgConfig::IMGUI)
    add_library(imgui::imgui ALIAS PkgConfig::IMGUI)
    check_imgui(${IMGUI_INCLUDE_DIRS})
  else()
    set(IMGUI_MISSING libimgui-dev)
  endif()
  return()
endif()

set(FLASHSCOPE_IMGUI_SRC "" CACHE PATH "Folder with the source of Dear ImGui, for the browser; empty: fetch it")
set(source ${FLASHSCOPE_IMGUI_SRC})
if(NOT source)
  set(source ${PROJECT_BINARY_DIR}/imgui_source/imgui)
  if(NOT EXISTS ${source}/imgui.cpp)
    message(STATUS "Dear ImGui: fetching its source with apt")
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/cmake/fetch_imgui.sh ${PROJECT_BINARY_DIR}/imgui_source
      OUTPUT_QUIET ERROR_VARIABLE log RESULT_VARIABLE failed)
    if(failed)
      message(STATUS "Dear ImGui: not fetched: ${log}")
    endif()
  endif()
endif()
if(NOT EXISTS ${source}/imgui.cpp)
  set(IMGUI_MISSING "its source: cmake/fetch_imgui.sh, or -DFLASHSCOPE_IMGUI_SRC=FOLDER")
  return()
endif()

set(IMGUI_LICENCE ${source}/LICENSE.txt)
check_imgui(${source})
add_library(imgui STATIC ${source}/imgui.cpp ${source}/imgui_draw.cpp ${source}/imgui_tables.cpp
  ${source}/imgui_widgets.cpp ${source}/backends/imgui_impl_opengl3.cpp)
add_library(imgui::imgui ALIAS imgui)
target_include_directories(imgui SYSTEM PUBLIC ${source})
target_compile_definitions(imgui
  PUBLIC ImDrawIdx=uint32_t  # WebGL 2 has no base vertex, so one list must hold more than 65536 vertices
  PRIVATE IMGUI_IMPL_OPENGL_ES3 IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_METRICS_WINDOW)
target_compile_options(imgui PUBLIC "SHELL:-include stdint.h" PRIVATE -w -fwasm-exceptions -mbulk-memory -mnontrapping-fptoint -msign-ext)
