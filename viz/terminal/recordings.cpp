#include "viz/terminal/recordings.h"

#include "sim/base/csv.h"
#include "viz/terminal/input_file.h"

namespace terminal {
namespace {

constexpr std::int64_t longest_head = 1 << 16;  // bytes before the table

measurements::Recording read_recording(const std::string& path) {
  const std::int64_t longest = static_cast<std::int64_t>(sim::longest_csv) + longest_head;
  measurements::Recording recording = measurements::parse_recording(read_text("recorded", path, longest), path);
  sim::require(!recording.gpu.empty(), path, ": was not measured on a GPU");
  return recording;
}

}  // namespace

CommandOption recorded_option(std::string_view more) {
  return {"recorded",
          "FILE.csv",
          sim::text("a recording of flashscope bench on a GPU, added to the built-in ones; ", more,
                    "may be given more than once, later files win"),
          {},
          true};
}

std::vector<std::string> recorded_files(const Arguments& arguments) {
  const auto found = arguments.repeated.find("recorded");
  return found == arguments.repeated.end() ? std::vector<std::string>{} : found->second;
}

std::vector<measurements::Recording> all_recordings(const Arguments& arguments) {
  std::vector<measurements::Recording> all = measurements::recordings();
  for (const std::string& path : recorded_files(arguments)) all.push_back(read_recording(path));
  return all;
}

std::string elsewhere_note(const std::vector<std::string>& gpus) {
  std::string names;
  for (const std::string& gpu : gpus) names += (names.empty() ? "" : ", ") + gpu;
  return gpus.empty() ? "" : sim::text("recorded on ", names, " as well: --gpu ", gpus.front(), " shows it");
}

}  // namespace terminal
