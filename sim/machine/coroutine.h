// The one place that knows where this compiler keeps coroutines.
#pragma once

#if defined(__EMSCRIPTEN__)  // libc++ of emscripten 3.1.6
#include <experimental/coroutine>
namespace sim::coroutine {
using std::experimental::coroutine_handle;
using std::experimental::suspend_always;
}  // namespace sim::coroutine
#else
#if defined(__clang__) && !defined(__cpp_impl_coroutine)  // clang 14 has them, but does not say so to libstdc++
#define __cpp_impl_coroutine 201902L
#endif
#include <coroutine>
namespace sim::coroutine {
using std::coroutine_handle;
using std::suspend_always;
}  // namespace sim::coroutine
#endif
