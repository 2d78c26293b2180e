// The quantities of one run by name: dotted paths into the output of `simulate --format json`.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace report {

/// Returns the columns of `compare` and `sweep`: whole numbers, the time, its error and the number of busy SMs.
const std::vector<std::string>& exact_quantities();

/// Returns the format of a path's number for people: its unit, or "KiB", "share", "error"; "" if no row has the path.
std::string_view written_unit(std::string_view path);

/// Returns a number in such a unit, or as a "ratio": "33.5 MB", "64.0 KiB", "1.14 GFLOP", "62.3 us", "88.2 %"; in other
/// units its digits.
std::string text_in(std::string_view unit, double value);

/// Returns a number of an option or of a device in its unit: "50 MiB", "3.35 TB/s", "1830 MHz", "132 SM".
std::string amount_in(std::string_view unit, std::int64_t amount);

/// Returns the value at a path such as "tile_traffic.by_tensor.K.read_bytes"; null if there is none.
nlohmann::ordered_json quantity_at(const nlohmann::ordered_json& json, std::string_view path);

/// Returns the number at a path as double; for an object with read_bytes and write_bytes, their sum. Throws sim::Error
/// with the nearest path that is a number.
double number_at(const nlohmann::ordered_json& json, const std::string& path);

}  // namespace report
