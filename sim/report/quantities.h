// The quantities of one run by name: dotted paths into what `simulate --format json` prints.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace report {

/// The columns of `compare` and `sweep`: whole numbers, the time, its error and the SMs that are busy.
const std::vector<std::string>& exact_quantities();

/// How a number of that path is written for people: its unit, or "KiB", "share", "error"; "" for what is in no row.
std::string_view written_unit(std::string_view path);

/// A number in such a unit, or as a "ratio": "33.5 MB", "64.0 KiB", "1.14 GFLOP", "62.3 us", "88.2 %"; in other units
/// its digits.
std::string text_in(std::string_view unit, double value);

/// The value at a path such as "tile_traffic.by_tensor.K.read_bytes"; null where there is none.
nlohmann::ordered_json quantity_at(const nlohmann::ordered_json& json, std::string_view path);

/// The number at a path, in double; of a place with read_bytes and write_bytes their sum. Throws sim::Error with the
/// nearest path that is a number.
double number_at(const nlohmann::ordered_json& json, const std::string& path);

}  // namespace report
