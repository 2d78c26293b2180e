# embed_fonts(<target> STRINGS <file>...): compiles the fonts of the explorer into a target, cut down to the characters
# that it can show; of Chinese, those of the files. Nothing is looked up when the program runs.
#   FONTS_MISSING   the packages that are not there; empty when all are
set(FONTS_MISSING "")

# font(<name> <package> <folder> <file>): the option NAME=PATH of make_subset.py in FONT_<name>.
function(font name package folder file)
  find_file(FONT_FILE_${name} ${file} PATHS /usr/share/fonts/${folder} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(FONT_FILE_${name})
  if(NOT FONT_FILE_${name})
    list(APPEND FONTS_MISSING ${package})
    set(FONTS_MISSING ${FONTS_MISSING} PARENT_SCOPE)
  endif()
  set(FONT_${name} "${name}=${FONT_FILE_${name}}" PARENT_SCOPE)
endfunction()

font(inter-regular fonts-inter opentype/inter Inter-Regular.otf)
font(inter-medium fonts-inter opentype/inter Inter-Medium.otf)
font(inter-semibold fonts-inter opentype/inter Inter-SemiBold.otf)
font(inter-numbers fonts-inter opentype/inter Inter-SemiBold.otf)
font(jetbrains-mono fonts-jetbrains-mono truetype/jetbrains-mono JetBrainsMono-Regular.ttf)
font(dejavu-sans fonts-dejavu-core truetype/dejavu DejaVuSans.ttf)
font(dejavu-sans-mono fonts-dejavu-core truetype/dejavu DejaVuSansMono.ttf)
font(noto-cjk fonts-noto-cjk opentype/noto NotoSansCJK-Regular.ttc)

# The distribution's Python: another one on the path does not see its fonttools.
find_program(FONTS_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(FONTS_PYTHON)
set(without_fonttools 1)
if(FONTS_PYTHON)
  execute_process(COMMAND ${FONTS_PYTHON} -c "import fontTools.subset" RESULT_VARIABLE without_fonttools ERROR_QUIET)
endif()
if(without_fonttools)
  list(APPEND FONTS_MISSING python3-fonttools)
endif()
list(REMOVE_DUPLICATES FONTS_MISSING)

function(embed_fonts target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "STRINGS")
  list(TRANSFORM arg_STRINGS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set(script ${PROJECT_SOURCE_DIR}/viz/fonts/make_subset.py)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_fonts.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${FONTS_PYTHON} ${script} ${output}
            ${FONT_inter-regular} ${FONT_inter-medium} ${FONT_inter-semibold} ${FONT_jetbrains-mono}
            --fallback ${FONT_dejavu-sans} ${FONT_dejavu-sans-mono}
            --tabular ${FONT_inter-numbers} --hanzi "${FONT_noto-cjk}#2" --strings ${arg_STRINGS}
    DEPENDS ${script} ${arg_STRINGS}
    COMMENT "Cutting the fonts of ${target}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
