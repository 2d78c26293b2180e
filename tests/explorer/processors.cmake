# Tests that results have the same bits on every processor: shapes and numbers, and the golden pictures as drawn by
# processors with other arithmetic.
target_sources(ui_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/ui/outline_test.cpp ${CMAKE_CURRENT_SOURCE_DIR}/ui/steady_test.cpp)

add_executable(processor support/processor.cpp)
target_link_libraries(processor PRIVATE flashscope_options)
if(FLASHSCOPE_SANITIZE)  # AddressSanitizer does not run inside qemu
  return()
endif()
foreach(what libm rsqrt rsqrt_in_all_views)
  add_test(NAME pictures_with_another_${what} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/explorer/processors_test.sh ${what}
    $<TARGET_FILE:processor> $<TARGET_FILE:ui_tests> $<TARGET_FILE:golden_picture_tests>)
  set_tests_properties(pictures_with_another_${what} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3600)
endforeach()
set_tests_properties(pictures_with_another_rsqrt_in_all_views PROPERTIES LABELS slow)  # 60 s of qemu
