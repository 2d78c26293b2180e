// CUPTI library, opened at first use: a program starts without it. Only for files built with CUPTI's headers.
#pragma once
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include "kernels/counters/reason.h"

namespace counters {

/// Returns the address of a function of libcupti, or of the driver. Throws Unavailable if either is missing.
void* cupti_function(const char* name);
void* driver_function(const char* name);

/// Throws the matching Unavailable unless `result` is success.
void check(CUptiResult result, const char* function);

/// Calls `name` with the type of the header's declaration, so a call that the header would reject does not compile.
template <class Function, class Parameters>
void call(const char* name, Parameters& parameters) {
  check(reinterpret_cast<Function*>(cupti_function(name))(&parameters), name);
}

}  // namespace counters

/// Calls a function of CUPTI with its structure of parameters, which must start with its size.
#define COUNTERS_CALL(function, parameters) ::counters::call<decltype(function)>(#function, parameters)
