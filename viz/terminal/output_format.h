// The format of a result: the suffix of --output decides it, else --format.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "viz/terminal/arguments.h"

namespace terminal {

/// True of a device, a pipe, whose name says nothing of what it takes, a folder and an empty name: what is wrong with
/// these is said where they are opened.
bool names_no_file(const std::string& path);

/// Suffixes, in either case: .json, .csv, .md (markdown), .tex (latex), .svg, .npy, and .txt for a table.
/// Throws sim::Error, with the suffixes of `formats`, for any other and for none.
std::string format_by_suffix(const std::string& path, std::initializer_list<std::string_view> formats);

/// The format of the command's result, one of `formats`: by the suffix of --output, else --format, else `otherwise`. A
/// name without a suffix needs --format; a device, a pipe and a folder take --format or `into_device`. Throws
/// sim::Error where --format and the suffix say different formats. Values (npy) go with any --format, which is then
/// that of what is printed.
std::string result_format(const Arguments& arguments, std::initializer_list<std::string_view> formats,
                          std::string_view otherwise, std::string_view into_device);

/// The format of tensors.
inline constexpr std::string_view values_format = "npy";

}  // namespace terminal
