// Python arrays, read once into floats, through the buffer protocol (numpy) or DLPack (tensors of PyTorch, JAX, ...).
#pragma once
#include <string>

#include "python/binding/convert.h"
#include "sim/base/npy.h"
#include "viz/results/value_request.h"

namespace binding {

/// Reads an array of fp16, bf16, fp32 or fp64 with any strides. Errors begin with `option`: "input-q". A numpy array of
/// ml_dtypes.bfloat16, which has no buffer, is read through its view as uint16. Throws sim::Error for tensors of a GPU,
/// masked arrays, other element types and ranks, and arrays above the limit on values.
sim::NpyArray read_array(const std::string& option, const py::object& object);

/// Returns a request for values in a layout, "bhnd" or "bnhd", without arrays. Throws sim::Error.
results::ValueRequest request_in(const std::string& layout);

}  // namespace binding
