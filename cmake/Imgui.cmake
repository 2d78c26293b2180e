# imgui::imgui, Dear ImGui 1.86: the packaged library, or for the browser its source compiled here. That source is
# FLASHSCOPE_IMGUI_SRC, or fetched once from Debian's mirror into the build folder.
#   IMGUI_MISSING   how to get it; empty when it is there
set(IMGUI_MISSING "")
if(NOT EMSCRIPTEN)
  if(TARGET PkgConfig::IMGUI)
    add_library(imgui::imgui ALIAS PkgConfig::IMGUI)
  else()
    set(IMGUI_MISSING libimgui-dev)
  endif()
  return()
endif()

set(FLASHSCOPE_IMGUI_SRC "" CACHE PATH "Folder with the source of Dear ImGui 1.86, for the browser; empty: fetch it")
set(source ${FLASHSCOPE_IMGUI_SRC})
if(NOT source)
  set(source ${PROJECT_BINARY_DIR}/imgui_source/imgui)
  if(NOT EXISTS ${source}/imgui.cpp)
    message(STATUS "Dear ImGui: fetching its source from Debian")
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

add_library(imgui STATIC ${source}/imgui.cpp ${source}/imgui_draw.cpp ${source}/imgui_tables.cpp
  ${source}/imgui_widgets.cpp ${source}/backends/imgui_impl_opengl3.cpp)
add_library(imgui::imgui ALIAS imgui)
target_include_directories(imgui SYSTEM PUBLIC ${source})
target_compile_definitions(imgui
  PUBLIC ImDrawIdx=uint32_t  # WebGL 2 has no base vertex, so that one list must do for more than 65536 corners
  PRIVATE IMGUI_IMPL_OPENGL_ES3 IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_METRICS_WINDOW)
target_compile_options(imgui PUBLIC "SHELL:-include stdint.h" PRIVATE -w -fwasm-exceptions)
