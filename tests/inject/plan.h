// Plan and results shared by the test and the preload library: one page of memory that both map from a file.
#pragma once
#include <atomic>
#include <cstdint>

namespace inject {

enum Kind : int { memory, thread, file, kinds };
inline constexpr const char* kind_names[kinds] = {"allocation", "thread start", "file call"};
inline constexpr const char* plan_variable = "FLASHSCOPE_INJECTION";  ///< names the file

struct Plan {
  std::int64_t fails[kinds];  ///< number of the call that fails, from 1; 0: none
  std::atomic<std::int64_t> calls[kinds];
  std::atomic<bool> failed;
  char where[16000];  ///< the failed call and its callers, one line each
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "two processes share them");

}  // namespace inject
