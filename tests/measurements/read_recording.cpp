// read_recording FILE...: prints the number of figures in each recording, and of those whose scenario is known; exit
// code 1 and one line if a file is not a recording. For tests of the scripts that write recordings.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "kernels/measurements/recording.h"
#include "sim/base/check.h"

namespace {

std::string text_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  sim::require(file.good(), path, ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

void describe(const char* path) {
  const measurements::Recording recording = measurements::parse_recording(text_of(path), path);
  const auto known =
      std::count_if(recording.figures.begin(), recording.figures.end(), [](const auto& f) { return f.scenario; });
  std::printf("%zu figures, %td of a known scenario\n", recording.figures.size(), known);
}

}  // namespace

int main(int count, char** words) {
  try {
    std::for_each(words + 1, words + count, describe);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
