// Format of a result, from the suffix of --output, else from --format.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "viz/terminal/arguments.h"

namespace terminal {

/// True for a device or pipe, whose name does not imply a format, and for a folder or an empty name, whose error is
/// reported when it is opened.
bool names_no_file(const std::string& path);

/// Format of a suffix, in either case: .json, .csv, .md (markdown), .tex (latex), .svg, .npy, and .txt for a table.
/// Throws sim::Error, listing the suffixes of `formats`, for any other and for a name without one.
std::string format_by_suffix(const std::string& path, std::initializer_list<std::string_view> formats);

/// Format of the command's result, one of `formats`: by the suffix of --output, else --format, else `otherwise`. A name
/// without a suffix needs --format; a device, a pipe and a folder take --format or `into_device`. Throws sim::Error if
/// --format and the suffix conflict. Values (npy) allow any --format, which then applies to the printed output.
std::string result_format(const Arguments& arguments, std::initializer_list<std::string_view> formats,
                          std::string_view otherwise, std::string_view into_device);

/// Format for tensors.
inline constexpr std::string_view values_format = "npy";

}  // namespace terminal
