#include "viz/results/input_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sim/base/read_file.h"
#include "sim/base/text.h"
#include "viz/results/model_config.h"

namespace results {
namespace {

/// The system's reason, with what to do about it.
std::string reason(int error) {
  const std::string said = std::strerror(error);
  if (error == ENOENT) return "no such file";
  if (error == EACCES) return said + ": ask its owner for the right to read it, or name another file";
  return error == ELOOP ? said + ": the link leads back to itself, name the file" : said;
}

/// A built-in GPU; the error for an unknown one suggests a file.
std::shared_ptr<const sim::DeviceSpec> named_gpu(const std::string& name) {
  try {
    return sim::built_in_gpu(name);
  } catch (const sim::Error& error) {
    throw sim::Error(error, "; others are read from a file: --gpu FILE.toml, see flashscope devices");
  }
}

}  // namespace

void check_input(const std::string& option, const std::string& path, std::int64_t limit) {
  struct stat status {};
  const bool there = ::stat(path.c_str(), &status) == 0;
  sim::require(there, option, ": ", path, ": ", reason(errno));
  sim::require(S_ISREG(status.st_mode), option, ": ", path, ": is not a regular file");
  const bool readable = ::access(path.c_str(), R_OK) == 0;
  sim::require(readable, option, ": ", path, ": ", reason(errno));
  sim::require(status.st_size <= limit, option, ": ", path, ": has ", status.st_size, " bytes, allowed are at most ",
               limit);
}

void check_pattern_file(const sim::OptionValues& values,
                        void (*check)(const std::string&, const std::string&, std::int64_t)) {
  constexpr std::int64_t longest_lengths = std::int64_t{1} << 20;
  constexpr std::int64_t longest = std::int64_t{1} << 26;  // a digit and a blank for each of most_pixels, times two
  const auto found = values.find("pattern");
  if (found != values.end() && sim::names_picture(found->second)) check("pattern", found->second, longest);
  for (const char* option : {"seqlens", "cu-seqlens"}) {
    const auto lengths = values.find(option);
    if (lengths != values.end() && sim::names_sequence_file(lengths->second))
      check(option, lengths->second, longest_lengths);
  }
  const auto documents = values.find("documents");
  if (documents != values.end() && sim::names_document_file(documents->second))
    check("documents", documents->second, longest_lengths);
  const auto sinks = values.find("sink");
  if (sinks != values.end() && sim::names_sink_file(sinks->second)) check("sink", sinks->second, longest);
}

std::string read_text(const std::string& option, const std::string& path, std::int64_t limit) {
  check_input(option, path, limit);
  return sim::read_file(path, limit, option + ": " + path);
}

bool names_device_file(const std::string& name) { return sim::in_lower_case(name).ends_with(".toml"); }

std::shared_ptr<const sim::DeviceSpec> find_gpu(const std::string& name) {
  if (!names_device_file(name)) return named_gpu(name);
  return std::make_shared<sim::DeviceSpec>(sim::parse_device(read_text("gpu", name, longest_device), name));
}

OptionFiles plain_files() {
  return {find_gpu, [](const sim::OptionValues& values) { check_pattern_file(values); },
          [](sim::OptionValues& values, std::vector<std::string>& notes) { expand_model_file(values, notes); }};
}

}  // namespace results
