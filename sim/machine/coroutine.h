// Coroutine types under one name, wherever this compiler's library declares them.
#pragma once

#if defined(__EMSCRIPTEN__)  // libc++ of emscripten 3.1.6
#include <experimental/coroutine>
namespace sim::coroutine {
using std::experimental::coroutine_handle;
using std::experimental::suspend_always;
}  // namespace sim::coroutine
#else
#if defined(__clang__) && !defined(__cpp_impl_coroutine)  // clang 14 has them but does not define the macro
#define __cpp_impl_coroutine 201902L
#endif
#include <coroutine>
namespace sim::coroutine {
using std::coroutine_handle;
using std::suspend_always;
}  // namespace sim::coroutine
#endif
