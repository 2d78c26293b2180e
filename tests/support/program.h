// Runs the built flashscope as a user does: arguments in, stdout, stderr and exit code out, in a fresh folder.
#pragma once
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace program {

namespace fs = std::filesystem;

/// A folder that is deleted with the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "flashscope-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder can be made for the test: " + name);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const fs::path& path() const { return path_; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator{}));
  }

 private:
  fs::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

struct Result {
  int exit_code = -1;
  std::string out, err;
  /// Number of lines on stderr.
  long err_lines() const { return std::count(err.begin(), err.end(), '\n'); }
};

inline std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Returns `words` followed by `more`.
inline std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Runs flashscope with these words in `folder`; `redirect` may send stdout elsewhere.
inline Result run(const Folder& folder, const std::vector<std::string>& words, const std::string& redirect = "") {
  std::string command = "cd " + quoted(folder.path().string()) + " && " + quoted(FLASHSCOPE_PROGRAM);
  for (const std::string& word : words) command += " " + quoted(word);
  const Folder capture;
  command += " > " + (redirect.empty() ? quoted(capture / "out") : redirect) + " 2> " + quoted(capture / "err") +
             " < /dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(capture / "out"), read_file(capture / "err")};
}

/// Runs a shell command in `folder`, where $flashscope is the program; the exit code is the command's.
inline Result shell(const Folder& folder, const std::string& line) {
  const Folder capture;
  const std::string command = "cd " + quoted(folder.path().string()) + " && flashscope=" + quoted(FLASHSCOPE_PROGRAM) +
                              " && { " + line + "; } > " + quoted(capture / "out") + " 2> " + quoted(capture / "err") +
                              " < /dev/null";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(capture / "out"), read_file(capture / "err")};
}

inline Result run(const std::vector<std::string>& words) { return run(Folder(), words); }

/// False, with a message, if there are no pseudo-terminals (a container without /dev/pts).
inline bool terminals_can_be_had() {
  const int terminal = ::posix_openpt(O_RDWR);
  if (terminal < 0) {
    WARN("skipped: no pseudo-terminal can be had here");
    return false;
  }
  ::close(terminal);
  return true;
}

/// Prefix of a shell command that drops root privileges; empty if the tests do not run as root.
inline std::string as_nobody() { return ::geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""; }

/// True if the command succeeds on this system; else warns that the test that needs it is skipped.
inline bool possible(const std::string& line, const std::string& what) {
  const Folder folder;
  if (shell(folder, line).exit_code == 0) return true;
  WARN("skipped: " << what << " is not possible here");
  return false;
}

/// Runs flashscope and requires success.
inline Result good(const std::vector<std::string>& words) {
  Result result = run(words);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
  return result;
}

/// Checks for wrong use: exit code 2, nothing on stdout, one line on stderr that contains all of these texts.
inline void check_refused(const Folder& folder, const std::vector<std::string>& words,
                          const std::vector<std::string>& says) {
  const Result result = run(folder, words);
  INFO("stderr: " << result.err);
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(result.err_lines() == 1);
  for (const std::string& text : says) CHECK_THAT(result.err, Catch::Contains(text));
}

inline void check_refused(const std::vector<std::string>& words, const std::vector<std::string>& says) {
  check_refused(Folder(), words, says);
}

}  // namespace program
