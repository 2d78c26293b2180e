#include "viz/terminal/child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/printable.h"

namespace terminal {

Child::Child(std::vector<std::string> words, Gets gets) : name_(words[0]) {
  int ends[2];
  sim::require(::pipe2(ends, O_CLOEXEC) == 0, words[0], ": no pipe to it: ", std::strerror(errno));
  output_ = ends[0];
  errors_ = ::memfd_create("errors", MFD_CLOEXEC);
  const int reason = errno;
  if (errors_ >= 0) start(words, ends[1], gets);
  const int failure = errors_ >= 0 ? errno : reason;
  ::close(ends[1]);
  if (process_ > 0) return;
  close();
  throw sim::Error(words[0], ": cannot be started: ", std::strerror(failure));
}

void Child::start(std::vector<std::string>& words, int output, Gets gets) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  errno = ::posix_spawn_file_actions_init(&actions);
  if (errno != 0) return;
  for (const auto& [ours, theirs] :
       {std::pair(output, STDOUT_FILENO), {errors_, STDERR_FILENO}, {gets.input, STDIN_FILENO}, {gets.third, 3}}) {
    if (errno == 0 && ours >= 0) errno = ::posix_spawn_file_actions_adddup2(&actions, ours, theirs);
  }
  if (errno == 0) errno = ::posix_spawnp(&process_, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  const int failure = errno;
  if (failure != 0) process_ = -1;
  ::posix_spawn_file_actions_destroy(&actions);
  errno = failure;
}

void Child::close() {
  for (int* descriptor : {&output_, &errors_}) {
    if (*descriptor >= 0) ::close(std::exchange(*descriptor, -1));
  }
}

Child::~Child() {
  if (process_ > 0) ::kill(process_, SIGTERM);
  end();
  close();
}

std::string Child::output() {
  std::string all;
  std::array<char, 4096> piece;
  while (true) {
    const ssize_t size = ::read(output_, piece.data(), piece.size());
    if (size < 0 && errno == EINTR) continue;
    sim::require(size >= 0, "pipe: cannot be read: ", std::strerror(errno));
    if (size == 0) return all;
    all.append(piece.data(), static_cast<std::size_t>(size));
  }
}

std::string Child::said() const {
  std::array<char, 4096> text;
  const ssize_t size = ::pread(errors_, text.data(), text.size(), 0);
  std::string_view line(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  constexpr std::string_view label = "error: ";
  if (const std::size_t at = line.find(label); at != std::string_view::npos) line.remove_prefix(at + label.size());
  return sim::printable(line.substr(0, line.find('\n')));
}

std::string Child::end() {
  if (process_ < 0) return "";
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (WIFSIGNALED(status)) return sim::text(name_, " was ended by signal ", WTERMSIG(status));
  code_ = WEXITSTATUS(status);
  const std::string reason = code_ == 0 ? "" : said();
  return code_ == 0 || !reason.empty() ? reason : sim::text("exit code ", code_);
}

}  // namespace terminal
