#include "python/binding/arrays.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/units.h"
#include "sim/report/numbers.h"
#include "sim/report/value_memory.h"

namespace binding {
namespace {

/// A strided array in memory: its element type as in .npy, sizes, and strides in bytes.
struct View {
  std::string type;  ///< "<f2", "<f4", "<f8", "|V2" for bfloat16
  const char* data = nullptr;
  std::vector<std::int64_t> sizes, strides;
  std::int64_t element = 0;  ///< bytes
};

constexpr const char* allowed = "allowed are float16, bfloat16, float32 and float64";

// The structures of DLPack, version 0.8: https://dmlc.github.io/dlpack/latest/c_api.html
struct DlDevice {
  std::int32_t type, id;
};
struct DlTensor {
  void* data;
  DlDevice device;
  std::int32_t rank;
  std::uint8_t code, bits;
  std::uint16_t lanes;
  std::int64_t *shape, *strides;
  std::uint64_t byte_offset;
};
constexpr int on_cpu = 1, pinned_by_cuda = 3, pinned_by_rocm = 11, code_float = 2, code_bfloat = 4;

std::string type_name(const py::object& object) { return py::str(py::type::of(object).attr("__name__")); }

bool reads(const char* attribute, const py::object& object) { return py::hasattr(object, attribute); }

/// Device name as frameworks print it: "cuda:0".
std::string device_name(const DlDevice& device) {
  const char* name = device.type == 2    ? "cuda"
                     : device.type == 8  ? "metal"
                     : device.type == 10 ? "rocm"
                                         : "device type ";
  return sim::text(name, device.type == 2 || device.type == 8 || device.type == 10 ? "" : std::to_string(device.type),
                   ":", device.id);
}

void check_device(const std::string& option, const py::object& object) {
  const auto [type, id] = object.attr("__dlpack_device__")().cast<std::pair<std::int32_t, std::int32_t>>();
  const bool readable = type == on_cpu || type == pinned_by_cuda || type == pinned_by_rocm;
  sim::require(readable, option, ": a ", type_name(object), " on ", device_name({type, id}),
               ": arrays are read from the CPU, pass a copy there, such as tensor.cpu()");
}

View view_of(const std::string& option, const DlTensor& tensor) {
  const bool known = tensor.lanes == 1 &&
                     ((tensor.code == code_float && (tensor.bits == 16 || tensor.bits == 32 || tensor.bits == 64)) ||
                      (tensor.code == code_bfloat && tensor.bits == 16));
  sim::require(known, option, ": elements of DLPack type ", int{tensor.code}, " with ", int{tensor.bits},
               " bits: ", allowed);
  View view;
  view.element = tensor.bits / 8;
  view.type = tensor.code == code_bfloat ? "|V2" : sim::text("<f", view.element);
  view.data = static_cast<const char*>(tensor.data) + tensor.byte_offset;
  view.sizes.assign(tensor.shape, tensor.shape + tensor.rank);
  view.strides.resize(view.sizes.size());
  std::int64_t dense = view.element;
  for (std::size_t axis = view.sizes.size(); axis-- > 0; dense *= view.sizes[axis])
    view.strides[axis] = tensor.strides != nullptr ? tensor.strides[axis] * view.element : dense;
  return view;
}

View view_of(const std::string& option, const py::buffer_info& buffer, bool bfloat16) {
  const std::string format =
      buffer.format.substr(std::min(buffer.format.find_first_not_of("@=<"), buffer.format.size()));
  View view;
  view.element = buffer.itemsize;
  if (bfloat16)
    view.type = "|V2";
  else if (format == "e" || format == "f" || format == "d")
    view.type = sim::text("<f", buffer.itemsize);
  sim::require(!view.type.empty(), option, ": elements of type ", buffer.format, ": ", allowed);
  view.data = static_cast<const char*>(buffer.ptr);
  view.sizes.assign(buffer.shape.begin(), buffer.shape.end());
  view.strides.assign(buffer.strides.begin(), buffer.strides.end());
  return view;
}

/// Appends the elements of an array in C order.
void gather(const View& view, std::size_t axis, const char* from, std::vector<std::byte>& to) {
  if (axis == view.sizes.size()) {
    const auto* const first = reinterpret_cast<const std::byte*>(from);
    to.insert(to.end(), first, first + view.element);
    return;
  }
  if (axis + 1 == view.sizes.size() && view.strides[axis] == view.element) {  // a dense row in one copy
    const auto* const first = reinterpret_cast<const std::byte*>(from);
    to.insert(to.end(), first, first + view.sizes[axis] * view.element);
    return;
  }
  for (std::int64_t n = 0; n < view.sizes[axis]; ++n) gather(view, axis + 1, from + n * view.strides[axis], to);
}

/// Converts the array through the bytes of a .npy file, whose reader checks and converts it.
sim::NpyArray converted(const std::string& option, const View& view) {
  std::int64_t count = 1;
  std::string shape;
  for (const std::int64_t size : view.sizes) {
    count = sim::checked_multiply(count, size);
    shape += std::to_string(size) + ", ";
  }
  const std::int64_t bytes = sim::checked_multiply(count, std::int64_t{sizeof(float)});
  sim::require(bytes <= report::value_memory_limit(), option, ": has ", report::bytes(bytes),
               " as floats, allowed are ", report::bytes(report::value_memory_limit()));
  std::string header = sim::text("{'descr': '", view.type, "', 'fortran_order': False, 'shape': (", shape, "), }");
  header += std::string((64 - (header.size() + 11) % 64) % 64, ' ') + "\n";
  const auto length = static_cast<std::uint16_t>(header.size());
  std::string start = "\x93NUMPY";
  for (const int part : {1, 0, length & 255, length >> 8}) start += static_cast<char>(part);
  start += header;
  std::vector<std::byte> file(start.size());
  std::memcpy(file.data(), start.data(), start.size());
  file.reserve(file.size() + static_cast<std::size_t>(count * view.element));
  gather(view, 0, view.data, file);
  return sim::parse_npy(file, option);
}

/// Throws sim::Error for an array whose elements do not all count, since attention would take them all.
void check_mask(const std::string& option, const py::object& object) {
  for (const py::handle type : py::tuple(py::type::of(object).attr("__mro__"))) {
    const std::string name = py::str(type.attr("__name__"));
    sim::require(name != "MaskedArray" && name != "MaskedTensor", option, ": a ", name,
                 ": its mask would be lost, pass plain values, such as array.filled(0), and hide keys by options: "
                 "padding, causal, window");
  }
}

/// The capsule of a tensor; why a tensor is not exported, for example one with a gradient, is a sim::Error.
py::capsule capsule_of(const std::string& option, const py::object& object) {
  try {
    return object.attr("__dlpack__")();
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    throw sim::Error(option, ": ", error.what());
  }
}

sim::NpyArray from_dlpack(const std::string& option, const py::object& object) {
  check_device(option, object);
  const py::capsule capsule = capsule_of(option, object);
  const auto* const tensor = static_cast<const DlTensor*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
  if (tensor == nullptr) throw py::error_already_set();
  return converted(option, view_of(option, *tensor));  // the capsule still owns the tensor and frees it
}

}  // namespace

sim::NpyArray read_array(const std::string& option, const py::object& object) {
  check_mask(option, object);
  const bool bfloat16 = reads("dtype", object) && reads("view", object) &&
                        std::string(py::str(object.attr("dtype"))) == "bfloat16" && reads("tobytes", object);
  const py::object readable = bfloat16 ? object.attr("view")("uint16") : object;
  if (PyObject_CheckBuffer(readable.ptr()) != 0)
    return converted(option, view_of(option, py::reinterpret_borrow<py::buffer>(readable).request(), bfloat16));
  sim::require(reads("__dlpack__", object) && reads("__dlpack_device__", object), option, ": a ", type_name(object),
               " is not an array: pass one of numpy, or a tensor on the CPU that knows DLPack, such as PyTorch's");
  return from_dlpack(option, object);
}

results::ValueRequest request_in(const std::string& layout) {
  sim::require(layout == "bhnd" || layout == "bnhd", "layout: \"", layout, "\" is not one of bhnd, bnhd");
  results::ValueRequest request;
  request.layout = results::head_layout_called(layout);
  return request;
}

}  // namespace binding
