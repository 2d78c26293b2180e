#include "viz/terminal/input_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sim/base/check.h"
#include "viz/terminal/files_in_use.h"

namespace terminal {
namespace {

/// Of the last call of the system, with what to do about it.
std::string reason() {
  const std::string said = std::strerror(errno);
  if (errno == ENOENT) return "no such file";
  if (errno == EACCES) return said + ": ask its owner for the right to read it, or name another file";
  return errno == ELOOP ? said + ": the link leads back to itself, name the file" : said;
}

}  // namespace

void check_input(const std::string& option, const std::string& path, std::int64_t limit) {
  struct stat status {};
  sim::require(::stat(path.c_str(), &status) == 0, option, ": ", path, ": ", reason());
  sim::require(S_ISREG(status.st_mode), option, ": ", path, ": is not a regular file");
  sim::require(::access(path.c_str(), R_OK) == 0, option, ": ", path, ": ", reason());
  sim::require(status.st_size <= limit, option, ": ", path, ": has ", status.st_size, " bytes, allowed are at most ",
               limit);
  note_input(option, path);
}

std::string read_text(const std::string& option, const std::string& path, std::int64_t limit) {
  check_input(option, path, limit);
  std::ifstream in(path, std::ios::binary);
  sim::require(in.good(), option, ": cannot read ", path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace terminal
