#include "sim/machine/device_override.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "sim/base/amount.h"
#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace sim {
namespace {

/// A field that is derived from another one, or from a product of two.
struct Scaled {
  std::string_view field;
  std::array<std::string_view, 2> with;  ///< fields that it derives from; the second may be ""
};

constexpr Scaled scaled_by_others[] = {
    {"hbm_measured_bytes_per_second", {"hbm_bytes_per_second", ""}},
    {"l2_effective_bytes", {"l2_bytes", ""}},
    {"wgmma_clock_hz", {"clock_hz", ""}},
    {"l2_bytes_per_second", {"sm_count", "clock_hz"}},
    {"mma_flops_per_clock_fp16", {"tensor_flops_per_clock_fp16", ""}},
};

/// Returns the source of a field, for reading or changing; null if the device's file omits the field.
template <class Device>
auto* provenance_of(Device& device, std::string_view field) {
  const auto found = std::find_if(device.provenance.begin(), device.provenance.end(),
                                  [&](const Provenance& p) { return p.field == field; });
  return found == device.provenance.end() ? nullptr : &*found;
}

void set(DeviceSpec& device, const DeviceField& field, std::int64_t value, const char* kind, std::string source) {
  device.*field.member = value;
  const Provenance now{field.name, std::to_string(value), field.unit, kind, std::move(source)};
  if (Provenance* before = provenance_of(device, field.name))
    *before = now;
  else
    device.provenance.push_back(now);
}

constexpr const char *given_kind = "given", *scaled_kind = "scaled";  // kinds that no file has

bool is_named(const std::vector<std::string_view>& named, std::string_view field) {
  return std::find(named.begin(), named.end(), field) != named.end();
}

void set_typed(DeviceSpec& device, const std::string& pair, std::vector<std::string_view>& named) {
  const std::size_t equals = pair.find('=');
  const DeviceField& field = field_called(std::string_view(pair).substr(0, equals));
  require(!is_named(named, field.name), "gpu: ", field.name, " is given twice");
  named.emplace_back(field.name);
  require(field.holds_in(device) || *field.in_time != '\0', "gpu: ", field.name, ": ", device.name, " has ",
          unmodelled_caches(device), ", which it does not describe");
  const std::int64_t value = parse_field(field, std::string_view(pair).substr(equals + 1));
  if (value != device.*field.member) set(device, field, value, given_kind, "the option gpu");
}

/// Returns the factor by which the fields that a field derives from have changed.
double change(const DeviceSpec& base, const DeviceSpec& device, const Scaled& scaled) {
  double factor = 1;
  for (const std::string_view with : scaled.with) {
    if (with.empty()) continue;
    const auto member = find_device_field(with)->member;
    factor *= static_cast<double>(device.*member) / static_cast<double>(base.*member);
  }
  return factor;
}

void scale(const DeviceSpec& base, DeviceSpec& device, const std::vector<std::string_view>& named) {
  for (const Scaled& scaled : scaled_by_others) {
    if (base.*find_device_field(scaled.field)->member == 0) continue;  // absent
    const double factor = change(base, device, scaled);
    if (factor == 1 || is_named(named, scaled.field)) continue;
    const DeviceField& field = *find_device_field(scaled.field);
    const std::int64_t value = std::llround(static_cast<double>(base.*field.member) * factor);
    const Provenance* origin = provenance_of(device, scaled.field);
    if (origin == nullptr) device.*field.member = value;  // the file omits it: it equals the field that it derives from
    if (origin == nullptr || origin->kind == "published") continue;
    require(field.min <= value && value <= field.max, "gpu: ", field.name, " would scale to ", value, " ", field.unit,
            ", which is not plausible: allowed are ", field.min, " to ", field.max,
            "; name it as well, as :", field.name, "=...");
    const std::string_view second = scaled.with[1];
    set(device, field, value, scaled_kind,
        text("scaled with ", scaled.with[0], second.empty() ? "" : " x ", second, " of ", base.name));
  }
}

/// Drops the clock that power permits under wgmma if more or fewer tensor cores take that power, unless it is given.
void drop_wgmma_clock(const DeviceSpec& base, DeviceSpec& device, const std::vector<std::string_view>& named) {
  const bool same =
      device.sm_count == base.sm_count && device.tensor_flops_per_clock_fp16 == base.tensor_flops_per_clock_fp16;
  if (same || is_named(named, "wgmma_clock_hz")) return;
  std::erase_if(device.provenance, [](const Provenance& p) { return p.field == "wgmma_clock_hz"; });
  device.wgmma_clock_hz = device.clock_hz;
}

/// Raises the highest known clock to a higher given clock.
void raise_highest_clock(DeviceSpec& device, const std::vector<std::string_view>& named) {
  const DeviceField& highest = *find_device_field("highest_clock_hz");
  if (is_named(named, highest.name) || device.clock_hz <= device.highest_clock_hz) return;
  set(device, highest, device.clock_hz, scaled_kind,
      text("that of clock_hz: its table knows none above ", megahertz(device.highest_clock_hz)));
}

std::string canonical_fields(const DeviceSpec& device) {
  std::string fields;
  for (const DeviceField& field : device_fields()) {
    const Provenance* provenance = provenance_of(device, field.name);
    if (provenance != nullptr && provenance->kind == given_kind)
      fields += text(":", field.name, "=", device.*field.member);
  }
  return fields;
}

}  // namespace

const DeviceField& field_called(std::string_view name) {
  if (const DeviceField* field = find_device_field(name)) return *field;
  std::vector<std::string> names;
  for (const DeviceField& field : device_fields()) names.emplace_back(field.name);
  throw Error("gpu: ", unknown_name_message("field", name, names));
}

DeviceText split_device(std::string_view text) {
  DeviceText device;
  std::size_t end = text.size();
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    const std::string_view rest = text.substr(colon + 1);
    const std::size_t name = rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_");
    if (name == std::string_view::npos || name == 0 || rest[name] != '=') continue;
    end = colon;
    for (const std::string_view field : split(rest, ":")) device.fields.emplace_back(field);
    break;
  }
  device.name = text.substr(0, end);
  return device;
}

std::int64_t parse_field(const DeviceField& field, std::string_view typed) {
  const Measure measure = measure_of(field.unit);
  const Sentence what = Sentence::of("gpu: ", field.name, ": ", quoted(typed, 100));
  const Sentence better = better_spelling(measure, typed, field.min, field.max);
  const std::optional<double> real = real_amount(measure, typed);
  require(real.has_value(), what, " is not a number of ", field.unit, "; ", suffix_rule(measure), better);
  require(static_cast<double>(field.min) <= *real && *real <= static_cast<double>(field.max), what,
          " is not plausible: allowed are ", amount_text(measure, field.min), " to ", amount_text(measure, field.max),
          " ", field.unit, better);
  const std::optional<std::int64_t> whole = whole_amount(measure, typed);
  require(whole.has_value(), what, " is not a whole number of ", field.unit, better);
  return *whole;
}

std::shared_ptr<const DeviceSpec> with_fields(std::shared_ptr<const DeviceSpec> base,
                                              const std::vector<std::string>& fields) {
  DeviceSpec device = *base;
  std::vector<std::string_view> named;
  for (const std::string& pair : fields) {
    require(pair.find('=') != std::string::npos, "gpu: ", quoted(pair, 100),
            " is not FIELD=VALUE, such as sm_count=114");
    set_typed(device, pair, named);
  }
  const std::string canonical = canonical_fields(device);
  if (canonical.empty()) return base;
  scale(*base, device, named);
  drop_wgmma_clock(*base, device, named);
  raise_highest_clock(device, named);
  device.name += canonical;
  device.title += " with" + canonical;
  std::replace(device.title.begin(), device.title.end(), ':', ' ');
  device.built_in = false;
  check_together(device, "gpu: " + device.name);
  return std::make_shared<const DeviceSpec>(std::move(device));
}

std::shared_ptr<const DeviceSpec> at_clock(const DeviceSpec& base, std::int64_t hz) {
  DeviceSpec device = base;
  for (const char* name : {"clock_hz", "wgmma_clock_hz"})
    set(device, *find_device_field(name), hz, given_kind, "the option clock");
  raise_highest_clock(device, {});
  device.title += text(" at ", megahertz(hz));
  device.built_in = false;
  check_together(device, text("clock: ", device.name, " at ", megahertz(hz)));
  return std::make_shared<const DeviceSpec>(std::move(device));
}

Differs difference_of(const DeviceSpec& device, std::string_view field) {
  const Provenance* provenance = provenance_of(device, field);
  if (provenance == nullptr) return Differs::no;
  if (provenance->kind == given_kind) return Differs::given;
  return provenance->kind == scaled_kind ? Differs::scaled : Differs::no;
}

std::vector<std::string> scaled_fields(const DeviceSpec& device) {
  std::vector<std::string> sentences;
  for (const Provenance& p : device.provenance) {
    if (p.kind == scaled_kind)
      sentences.push_back(text("gpu: ", p.field, " is ", p.value, " ", p.unit, ", ", p.source));
  }
  return sentences;
}

}  // namespace sim
