#include "viz/terminal/input_file.h"

#include "viz/files/files_in_use.h"
#include "viz/results/model_config.h"

namespace terminal {

void check_input(const std::string& option, const std::string& path, std::int64_t limit) {
  results::check_input(option, path, limit);
  files::note_input(option, path);
}

void check_pattern_file(const sim::OptionValues& values) { results::check_pattern_file(values, check_input); }

void expand_model_file(sim::OptionValues& options, std::vector<std::string>& notes) {
  results::expand_model_file(options, notes, check_input);
}

std::string read_text(const std::string& option, const std::string& path, std::int64_t limit) {
  check_input(option, path, limit);
  return results::read_text(option, path, limit);
}

std::shared_ptr<const sim::DeviceSpec> find_gpu(const std::string& name) {
  if (results::names_device_file(name)) check_input("gpu", name, results::longest_device);
  return results::find_gpu(name);
}

}  // namespace terminal
