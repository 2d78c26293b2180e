// Device files with one defect, and the parser's errors for them.
#pragma once
#include <catch2/catch.hpp>
#include <string>

#include "sim/base/check.h"
#include "sim/base/embedded.h"
#include "sim/machine/device_spec.h"

namespace device_file {

inline std::string built_in(const std::string& name) {
  return std::string(sim::embedded_text("machine/devices/" + name + ".toml"));
}

inline std::string toy_file() { return built_in("toy"); }

/// Returns the error that parsing throws: always one line that starts with the origin.
inline std::string refusal(const std::string& file) {
  try {
    sim::parse_device(file, "x.toml");
  } catch (const sim::Error& error) {
    CHECK_THAT(error.what(), Catch::Matchers::StartsWith("x.toml:"));
    CHECK_THAT(error.what(), !Catch::Matchers::Contains("\n"));
    return error.what();
  }
  return "accepted";
}

/// Returns a file with `before` replaced by `after`. `before` must occur in it.
inline std::string edited(const std::string& before, const std::string& after, std::string file = toy_file()) {
  const std::size_t at = file.find(before);
  REQUIRE(at != std::string::npos);
  return file.replace(at, before.size(), after);
}

/// Returns a file with the line of `field` replaced, or added if the file leaves it out; "" removes the line.
inline std::string with_field(const std::string& field, const std::string& line, std::string file = toy_file()) {
  const std::size_t begin = file.find("\n" + field + " = ") + 1;
  if (begin == 0 && (field == "wgmma_clock_hz" || field == "framework_hbm_percent" || field.starts_with("link_")))
    return file + line + "\n";
  REQUIRE(begin != 0);
  return file.replace(begin, file.find('\n', begin) - begin, line);
}

/// Returns a file with the value of `field` replaced.
inline std::string with_value(const std::string& field, const std::string& value, const std::string& unit,
                              const std::string& file = toy_file()) {
  return with_field(
      field, field + " = { value = " + value + ", unit = \"" + unit + "\", kind = \"estimated\", source = \"a test\" }",
      file);
}

}  // namespace device_file
