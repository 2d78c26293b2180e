# Tests that the pictures of docs/ equal those drawn by the commands below them, with the embedded fonts.
if(PYTHON3 AND NOT FLASHSCOPE_SANITIZE)
  set(fonts "")
  foreach(name inter-regular inter-medium inter-semibold jetbrains-mono dejavu-sans dejavu-sans-mono)
    list(APPEND fonts ${FONT_FILE_${name}})
  endforeach()
  add_test(NAME pictures_of_pages COMMAND ${PYTHON3} -B ${CMAKE_CURRENT_SOURCE_DIR}/pictures_test.py ${PROJECT_SOURCE_DIR}
    $<TARGET_FILE:flashscope> ${fonts})
  set_tests_properties(pictures_of_pages PROPERTIES SKIP_RETURN_CODE 77)
endif()
