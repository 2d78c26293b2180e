// Programs of the catalogue, written in Python and recorded: files of tests/recorded/programs.
#pragma once
#include <fstream>
#include <string>

#include "sim/programs/recorded/recording.h"

namespace sim {

struct RecordedCopy {
  std::string recorded, built_in;
};
inline const RecordedCopy recorded_copies[] = {{"my-flash2", "flash2"},
                                               {"my-flash1", "flash1"},
                                               {"my-rabe-staats", "rabe-staats"},
                                               {"my-standard", "standard"},
                                               {"my-scores", "flash2"}};  // takes score steps

inline std::string recorded_text(const std::string& name) {
  std::ifstream file(std::string(FLASHSCOPE_RECORDED) + "/" + name + ".fscope");
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  require(!text.empty(), name, ".fscope cannot be read");
  return text;
}

/// Reads and loads one of them by name.
inline void load_recorded(const std::string& name) {
  load_program(parse_program(recorded_text(name), name + ".fscope"));
}

inline void load_all_recorded() {
  for (const RecordedCopy& recorded_copy : recorded_copies) load_recorded(recorded_copy.recorded);
}

}  // namespace sim
