// The library CUPTI, opened when its first function is needed: a program starts without it. Only for files that are
// built where its headers are.
#pragma once
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include "kernels/counters/reason.h"

namespace counters {

/// The address of a function of libcupti, or of the driver. Throws Unavailable when library or function are missing.
void* cupti_function(const char* name);
void* driver_function(const char* name);

/// Throws the refusal unless `result` is success.
void check(CUptiResult result, const char* function);

/// The function's type is the header's, so a call that the header would refuse does not compile.
template <class Function, class Parameters>
void call(const char* name, Parameters& parameters) {
  check(reinterpret_cast<Function*>(cupti_function(name))(&parameters), name);
}

}  // namespace counters

/// Calls a function of CUPTI with its structure of parameters, whose size must be its first member.
#define COUNTERS_CALL(function, parameters) ::counters::call<decltype(function)>(#function, parameters)
