// The numbers of a device as a table: name, unit and what is plausible. The parser, its tests and messages read it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/device_spec.h"

namespace sim {

/// A number of DeviceSpec: `min` to `max` of `unit` are plausible. max < 1000 min: where the right value passes, one in
/// the wrong unit (GB/s for B/s, MHz for Hz) never does.
struct DeviceField {
  const char* name;
  std::int64_t DeviceSpec::*member;
  const char* unit;
  std::int64_t min, max;
  const char* otherwise = "";  ///< the field whose number a file without this one has; "": each file has it
};

/// The field of a name, or null.
const DeviceField* find_device_field(std::string_view name);

/// Every number of a device, in the order of the files.
const std::vector<DeviceField>& device_fields();

/// Throws Error unless the fields fit together: what is part of a whole is not larger than it, what is nearer is not
/// slower, and the balance of the rates is that of a GPU. `origin` (a file name) stands in the message, with the
/// fields, their values and the allowed range.
void check_together(const DeviceSpec& device, const std::string& origin);

}  // namespace sim
