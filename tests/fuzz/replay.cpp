// Replays a fuzzer's corpus without libFuzzer, as an ordinary test: NAME_replay FOLDER. In FILE.txt every line is an
// input, with escapes \n, \\ and \xff; any other file is a literal input.
// NAME_replay --lines FOLDER prints the inputs as such lines; --files FOLDER TO writes a file for each.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sim/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size);

namespace {

struct Input {
  std::string place, bytes;
};

std::string current = "replay\n";  // the input being run

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  sim::require(in.good(), path.string(), ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string bytes_of(std::string_view line) {
  std::string bytes;
  for (; !line.empty(); line.remove_prefix(1)) {
    unsigned number = 0;
    if (line.starts_with("\\x") && line.size() >= 4) {
      std::from_chars(line.data() + 2, line.data() + 4, number, 16);
      bytes += static_cast<char>(number);
      line.remove_prefix(3);
    } else if (line.starts_with("\\n") || line.starts_with("\\\\")) {
      bytes += line[1] == 'n' ? '\n' : '\\';
      line.remove_prefix(1);
    } else {
      bytes += line[0];
    }
  }
  return bytes;
}

std::string line_of(std::string_view bytes) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string line;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      line += "\\n";
    else if (c == '\\')
      line += "\\\\";
    else if (c >= ' ' && c <= '~')
      line += c;
    else
      line += {'\\', 'x', hex[byte / 16], hex[byte % 16]};
  }
  return line;
}

std::vector<Input> inputs_in(const std::string& folder) {
  std::vector<Input> inputs;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string text = read(file), name = file.path().filename().string();
    if (file.path().extension() != ".txt") {
      inputs.push_back({name, text});
      continue;
    }
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      inputs.push_back(
          {sim::text(name, ":", ++number), bytes_of(std::string_view(text).substr(at, text.find('\n', at) - at))});
  }
  std::sort(inputs.begin(), inputs.end(), [](const Input& a, const Input& b) { return a.bytes < b.bytes; });
  return inputs;
}

/// Prints the position of the input that ended the program.
void say_current(int) {
  if (::write(STDERR_FILENO, current.data(), current.size()) < 0) std::_Exit(3);
}

int replay(const std::string& folder) {
  std::signal(SIGABRT, say_current);
  const std::vector<Input> inputs = inputs_in(folder);
  sim::require(!inputs.empty(), folder, ": holds no input");
  for (const Input& input : inputs) {
    current = "at " + input.place + ": " + line_of(input.bytes).substr(0, 1000) + "\n";
    // A copy of exactly this size: out-of-bounds reads are found.
    const std::vector<std::uint8_t> bytes(input.bytes.begin(), input.bytes.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2) return replay(argv[1]);
    const bool lines = argc == 3 && std::strcmp(argv[1], "--lines") == 0;
    sim::require(lines || (argc == 4 && std::strcmp(argv[1], "--files") == 0),
                 "usage: replay FOLDER, --lines FOLDER or --files FOLDER TO");
    int number = 0;
    for (const Input& input : inputs_in(argv[2])) {
      if (lines)
        std::printf("%s\n", line_of(input.bytes).c_str());
      else
        std::ofstream(sim::text(argv[3], "/kept-", ++number), std::ios::binary) << input.bytes;
    }
  } catch (const std::exception& error) {
    const std::string what = current + error.what() + "\n";
    return ::write(STDERR_FILENO, what.data(), what.size()) < 0 ? 3 : 2;
  }
}
