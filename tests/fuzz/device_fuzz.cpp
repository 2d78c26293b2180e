// parse_device: any text is an Error, or a complete device that obeys its constraints and survives being written and
// parsed again.
#include <algorithm>
#include <cstdint>

#include "sim/base/check.h"
#include "sim/machine/device_fields.h"
#include "tests/fuzz/invariant.h"

namespace {

std::string quoted(const std::string& words) {
  std::string result = "\"";
  for (const char c : words) result += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return result + "\"";
}

std::string written(const sim::DeviceSpec& device) {
  std::string file = "name = " + quoted(device.name) + "\ntitle = " + quoted(device.title) +
                     "\narchitecture = " + quoted(device.architecture) + "\n";
  for (const sim::Provenance& p : device.provenance)
    file += p.field + " = { value = " + p.value + ", unit = " + quoted(p.unit) + ", kind = " + quoted(p.kind) +
            ", source = " + quoted(p.source) + " }\n";
  return file;
}

void check_device(const sim::DeviceSpec& device) {
  fuzz::check(!device.name.empty() && !device.title.empty() && !device.architecture.empty(), "the names are there");
  for (const sim::DeviceField& field : sim::device_fields()) {
    const bool sourced = std::any_of(device.provenance.begin(), device.provenance.end(),
                                     [&](const sim::Provenance& p) { return p.field == field.name; });
    fuzz::check(sourced || *field.otherwise != '\0', "every field that a file must have has its source");
  }
  for (const sim::Provenance& p : device.provenance)
    fuzz::check(std::stoll(p.value) > 0 && !p.source.empty(), "values are positive and have sources");
  fuzz::check(device.smem_bytes_per_cta <= device.smem_bytes_per_sm, "a CTA has no more than its SM");
  fuzz::check(device.smem_bytes_per_sm <= device.l1_smem_bytes_per_sm, "shared memory is part of L1");
  fuzz::check(device.l2_effective_bytes <= device.l2_bytes, "the effective L2 is part of it");
  fuzz::check(device.hbm_bytes_per_second <= device.l2_bytes_per_second, "L2 is not slower than HBM");

  const std::string file = written(device);
  if (file.size() > 12 * 1024) return;  // longer than allowed, since the original had shorter quotes
  fuzz::check(written(sim::parse_device(file, "again.toml")) == file, "a device survives writing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  try {
    check_device(sim::parse_device({reinterpret_cast<const char*>(input), size}, "fuzz.toml"));
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
  }
  return 0;
}
