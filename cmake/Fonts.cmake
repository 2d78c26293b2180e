# embed_fonts(<target> [GOLDEN] STRINGS <file>...): compiles the fonts of the explorer into a target, cut down to the
# characters that it can show: Latin, the symbols of viz/fonts/signs.txt and the Chinese characters of the files. The
# program searches no fonts at run time, and has the same outlines on every machine. GOLDEN takes DejaVu instead of Inter
# and JetBrains Mono: its glyphs are the same in Debian 12 and 13, so golden pictures are equal on both.
# This file is also the script that subsets the fonts:
# cmake -D OUTPUT= -D HB_SUBSET= -D TEXT_FONTS= -D FALLBACK_FONTS= -D HANZI_FONTS= -D SIGNS= -D STRINGS= -P Fonts.cmake
#   FONTS_MISSING   the packages that are not installed; empty if all are
if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  set(FONTS_MISSING "")

  # font(<list> <name> <package> <folder> <file>): appends NAME=PATH to a list; NAME is what viz/ui/fonts.cpp calls it.
  macro(font fonts name package folder file)
    find_file(FONT_FILE_${name} ${file} PATHS /usr/share/fonts/${folder} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
    mark_as_advanced(FONT_FILE_${name})
    if(NOT FONT_FILE_${name})
      list(APPEND FONTS_MISSING ${package})
    endif()
    list(APPEND ${fonts} "${name}=${FONT_FILE_${name}}")
  endmacro()

  font(TEXT_FONTS inter-regular fonts-inter opentype/inter Inter-Regular.otf)
  font(TEXT_FONTS inter-medium fonts-inter opentype/inter Inter-Medium.otf)
  font(TEXT_FONTS inter-semibold fonts-inter opentype/inter Inter-SemiBold.otf)
  font(TEXT_FONTS jetbrains-mono fonts-jetbrains-mono truetype/jetbrains-mono JetBrainsMono-Regular.ttf)
  font(FALLBACK_FONTS dejavu-sans fonts-dejavu-core truetype/dejavu DejaVuSans.ttf)
  font(FALLBACK_FONTS dejavu-sans-mono fonts-dejavu-core truetype/dejavu DejaVuSansMono.ttf)
  font(HANZI_FONTS hanzi fonts-wqy-microhei truetype/wqy wqy-microhei.ttc)
  font(BOLD_FONTS dejavu-sans-bold fonts-dejavu-core truetype/dejavu DejaVuSans-Bold.ttf)
  set(GOLDEN_FONTS
    "inter-regular=${FONT_FILE_dejavu-sans}"
    "inter-medium=${FONT_FILE_dejavu-sans}"
    "inter-semibold=${FONT_FILE_dejavu-sans-bold}"
    "jetbrains-mono=${FONT_FILE_dejavu-sans-mono}")

  find_program(HB_SUBSET hb-subset NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(HB_SUBSET)
  if(NOT HB_SUBSET)
    list(APPEND FONTS_MISSING libharfbuzz-bin)
  endif()
  list(REMOVE_DUPLICATES FONTS_MISSING)

  function(embed_fonts target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "GOLDEN" "" "STRINGS")
    set(text_fonts ${TEXT_FONTS})
    if(arg_GOLDEN)
      set(text_fonts ${GOLDEN_FONTS})
    endif()
    list(TRANSFORM arg_STRINGS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
    set(signs ${PROJECT_SOURCE_DIR}/viz/fonts/signs.txt)
    set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_fonts.cpp)
    set(fonts ${text_fonts} ${FALLBACK_FONTS} ${HANZI_FONTS})
    list(TRANSFORM fonts REPLACE "^[^=]*=" "")
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -D "OUTPUT=${output}" -D "HB_SUBSET=${HB_SUBSET}" -D "TEXT_FONTS=${text_fonts}"
              -D "FALLBACK_FONTS=${FALLBACK_FONTS}" -D "HANZI_FONTS=${HANZI_FONTS}" -D "SIGNS=${signs}"
              -D "STRINGS=${arg_STRINGS}" -P ${script}
      DEPENDS ${script} ${signs} ${fonts} ${arg_STRINGS}
      COMMENT "Cutting the fonts of ${target}"
      VERBATIM)
    target_sources(${target} PRIVATE ${output})
  endfunction()
  return()
endif()

# code_points(<result> <first> <last> <file>...): lists the characters of UTF-8 files between two code points, ascending,
# without those of one byte or four.
function(code_points result first last)
  set(hex "")
  foreach(file IN LISTS ARGN)
    file(READ ${file} bytes HEX)
    string(APPEND hex ${bytes})
  endforeach()
  string(REGEX REPLACE "(..)" "\\1 " hex "${hex}")
  string(REGEX MATCHALL "[cd][0-9a-f] [89ab][0-9a-f]|e[0-9a-f] [89ab][0-9a-f] [89ab][0-9a-f]" characters "${hex}")
  list(REMOVE_DUPLICATES characters)
  list(SORT characters)
  set(found "")
  foreach(character IN LISTS characters)
    string(REPLACE " " ";" b "${character}")
    list(LENGTH b length)
    list(GET b 0 lead)
    list(GET b 1 next)
    if(length EQUAL 2)
      math(EXPR c "(0x${lead} & 31) << 6 | (0x${next} & 63)")
    else()
      list(GET b 2 final)
      math(EXPR c "(0x${lead} & 15) << 12 | (0x${next} & 63) << 6 | (0x${final} & 63)")
    endif()
    if(NOT c LESS first AND NOT c GREATER last)
      list(APPEND found ${c})
    endif()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# big_endian(<result> <font> <offset> <bytes>): reads a number in a font.
function(big_endian result font offset bytes)
  math(EXPR offset "${offset}")
  file(READ ${font} hex OFFSET ${offset} LIMIT ${bytes} HEX)
  math(EXPR value "0x${hex}")
  set(${result} ${value} PARENT_SCOPE)
endfunction()

# covered(<result> <font>): lists the code points of a subset font. Source: OpenType 1.9, "cmap", format 4.
function(covered result font)
  file(READ ${font} directory OFFSET 12 LIMIT 512 HEX)
  string(FIND ${directory} 636d6170 entry)  # its tag
  big_endian(cmap ${font} "12 + ${entry} / 2 + 8" 4)
  big_endian(map ${font} "${cmap} + 8" 4)
  big_endian(format ${font} "${cmap} + ${map}" 2)
  if(NOT format EQUAL 4)
    message(FATAL_ERROR "${font}: its cmap has format ${format}, not 4")
  endif()
  big_endian(bytes ${font} "${cmap} + ${map} + 6" 2)  # two for each interval of code points
  set(found "")
  math(EXPR final "${bytes} - 4")  # the last interval ends the table
  foreach(i RANGE 0 ${final} 2)
    big_endian(last ${font} "${cmap} + ${map} + 14 + ${i}" 2)
    big_endian(first ${font} "${cmap} + ${map} + 16 + ${bytes} + ${i}" 2)
    foreach(c RANGE ${first} ${last})
      list(APPEND found ${c})
    endforeach()
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

set(arrays "")
set(table "")
set(number 0)

# cut(<fonts> <first> <last>...): appends fonts, NAME=PATH, with the code points of these ranges only, and sets `shared` to
# the code points that all of them have.
function(cut fonts)
  set(wanted "")
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest first last)
    math(EXPR first ${first} OUTPUT_FORMAT HEXADECIMAL)
    math(EXPR last ${last} OUTPUT_FORMAT HEXADECIMAL)
    string(APPEND wanted "${first}-${last},")
  endwhile()
  string(REPLACE "0x" "" wanted "${wanted}")
  # Drops tables that position or name glyphs: the explorer does not read them, and they would keep alternative glyphs.
  string(CONCAT dropped "BASE,DSIG,FFTM,Feat,GASP,GDEF,GPOS,GSUB,Glat,Gloc,JSTF,LTSH,MATH,OS/2,PCLT,STAT,Silf,Silt,VDMX,"
    "VORG,gasp,hdmx,kern,meta,morx,name,post,vhea,vmtx")
  list(JOIN ARGN "," ranges)
  unset(shared)
  foreach(font IN LISTS fonts)
    string(REGEX MATCH "^([^=]*)=(.*)$" font "${font}")
    set(name ${CMAKE_MATCH_1})
    execute_process(COMMAND ${HB_SUBSET} ${CMAKE_MATCH_2} --unicodes=${wanted} --drop-tables=${dropped} --no-hinting
      --notdef-outline --desubroutinize --output-file=${OUTPUT}.font COMMAND_ERROR_IS_FATAL ANY)
    covered(has ${OUTPUT}.font)
    if(NOT DEFINED shared)
      set(shared ${has})
    endif()
    set(lacking ${shared})
    list(REMOVE_ITEM lacking ${has})
    list(REMOVE_ITEM shared _ ${lacking})
    file(READ ${OUTPUT}.font hex HEX)
    file(SIZE ${OUTPUT}.font size)
    file(REMOVE ${OUTPUT}.font)
    string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")  # 16 bytes per line
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(APPEND arrays "// ${name}\nconst unsigned char bytes_${number}[] = {\n${bytes}};\n"
      "const unsigned short ranges_${number}[] = {${ranges},0};\n\n")
    string(APPEND table "    {\"${name}\", bytes_${number}, ${size}, ranges_${number}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(shared "${shared}" PARENT_SCOPE)
  set(arrays "${arrays}" PARENT_SCOPE)
  set(table "${table}" PARENT_SCOPE)
  set(number ${number} PARENT_SCOPE)
endfunction()

# ranges(<result> <code point>...): joins consecutive code points into ranges, first;last;first;last...
function(ranges result)
  set(all "")
  set(last -1)
  foreach(c IN LISTS ARGN)
    math(EXPR follows "${last} + 1")
    if(c EQUAL follows)
      list(POP_BACK all)
      list(APPEND all ${c})
    else()
      list(APPEND all ${c} ${c})
    endif()
    set(last ${c})
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

set(latin 32 126 160 255)
code_points(sign 256 65535 ${SIGNS})
ranges(signs ${sign})
code_points(hanzi 11904 40959 ${STRINGS})  # characters and their punctuation, U+2E80 to U+9FFF
code_points(full_width 65280 65519 ${STRINGS})  # U+FF00 to U+FFEF
ranges(hanzi ${hanzi} ${full_width})
cut("${TEXT_FONTS}" ${latin} ${signs})
list(REMOVE_ITEM sign _ ${shared})
ranges(rare ${sign})
cut("${FALLBACK_FONTS}" 256 383 ${rare})  # symbols that a text font lacks, and rare letters, which file names may contain
cut("${HANZI_FONTS}" ${hanzi})

file(WRITE ${OUTPUT} "// Generated by cmake/Fonts.cmake.
#include \"viz/ui/font_files.h\"

namespace ui {
namespace {

${arrays}const FontFile files[] = {
${table}};

}  // namespace

std::span<const FontFile> font_files() { return files; }

}  // namespace ui
")
