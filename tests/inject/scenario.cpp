#include "tests/inject/scenario.h"

#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <sstream>

#include "tests/support/program.h"

namespace inject {
namespace {

namespace fs = std::filesystem;

/// A plan in a temporary file, mapped.
class SharedPlan {
 public:
  SharedPlan() {
    const int descriptor = ::open(path().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(::ftruncate(descriptor, sizeof(Plan)) == 0);
    page_ = ::mmap(nullptr, sizeof(Plan), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    ::close(descriptor);
    REQUIRE(page_ != MAP_FAILED);
  }
  ~SharedPlan() { ::munmap(page_, sizeof(Plan)); }
  SharedPlan(const SharedPlan&) = delete;
  SharedPlan& operator=(const SharedPlan&) = delete;
  std::string path() const { return folder_ / "plan"; }
  Plan& fresh() { return *::new (page_) Plan{}; }

 private:
  program::Folder folder_;
  void* page_ = nullptr;
};

/// Writes files below `folder`, and creates the folders in their paths.
void write_all(const program::Folder& folder, const Files& files) {
  for (const auto& [name, bytes] : files) {
    fs::create_directories(fs::path(folder / name).parent_path());
    program::write_file(folder / name, bytes);
  }
}

Files read_all(const program::Folder& folder) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    const std::string name = entry.path().lexically_relative(folder.path()).string();
    files[entry.is_directory() ? name + "/" : name] = entry.is_directory() ? "" : program::read_file(entry.path());
  }
  return files;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

/// Returns the wait status of the program, run with the preload library.
int wait_for(const Scenario& scenario, const program::Folder& folder, const program::Folder& capture,
             const std::string& plan) {
  std::vector<std::string> words = {scenario.program};
  words.insert(words.end(), scenario.words.begin(), scenario.words.end());
  std::vector<std::string> variables = {"LD_PRELOAD=" FLASHSCOPE_INJECTOR, std::string(plan_variable) + "=" + plan};
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addchdir_np(&actions, folder.path().c_str());
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, (capture / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::posix_spawn_file_actions_addopen(&actions, 2, (capture / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, scenario.program.c_str(), &actions, nullptr, pointers(words).data(),
                                  pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  REQUIRE(error == 0);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status;
}

bool begins(const std::string& text, const std::string& start) { return text.compare(0, start.size(), start) == 0; }

/// Returns an error unless stderr has exactly one line of error; warnings and notes may precede it.
std::string wrong_with_errors(const std::string& err) {
  std::istringstream lines(err);
  int errors = 0;
  for (std::string line; std::getline(lines, line);) {
    if (begins(line, "error: "))
      ++errors;
    else if (!begins(line, "warning: ") && !begins(line, "note: "))
      return "stderr says " + line;
  }
  return errors == 1 ? "" : std::to_string(errors) + " lines of errors";
}

/// Returns an error unless all files are as before the run, or all are those of the good run, and there are no others.
std::string wrong_with_files(const Scenario& scenario, const Outcome& good, const Outcome& outcome) {
  for (const auto& [name, bytes] : scenario.before) {
    if (outcome.files.count(name) == 0) return name + " is gone";
  }
  std::string old_one, new_one;
  for (const auto& [name, bytes] : outcome.files) {
    if (name.ends_with('/')) continue;
    const auto before = scenario.before.find(name), after = good.files.find(name);
    const bool is_old = before != scenario.before.end() && bytes == before->second;
    const bool is_new = after != good.files.end() && bytes == after->second;
    if (!is_old && !is_new) return name + (after == good.files.end() ? " is left behind" : " is torn");
    if (is_old != is_new) (is_old ? old_one : new_one) = name;
  }
  for (const auto& [name, bytes] : good.files) {
    if (outcome.files.count(name) == 0 && !name.ends_with('/')) old_one = name;
  }
  return old_one.empty() || new_one.empty() ? "" : old_one + " is old beside a new " + new_one;
}

std::string without_digits(std::string text) {  // names of files contain process numbers
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }), text.end());
  return text;
}

/// Keeps only the number of lines, which is constant between runs of a command that measures times.
std::string lines_alone(const std::string& text) {
  return std::string(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), '\n') +
         (text.empty() || text.back() == '\n' ? "" : "torn");
}

/// The two innermost callers in the program itself, which identify a kind of failure.
std::string innermost(const Scenario& scenario, const std::string& where) {
  std::istringstream lines(where);
  std::string place;
  int callers = 0;
  for (std::string line; callers < 2 && std::getline(lines, line);) {
    if (line.find(scenario.program + "+") == std::string::npos) continue;
    place += line;
    ++callers;
  }
  return place;
}

}  // namespace

Outcome run(const Scenario& scenario, const Files& folder_before, Kind kind, std::int64_t n) {
  static SharedPlan shared;
  Plan& plan = shared.fresh();
  plan.fails[kind] = n;
  const program::Folder folder, capture;
  write_all(folder, folder_before);
  const int status = wait_for(scenario, folder, capture, shared.path());
  Outcome outcome;
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  outcome.out = program::read_file(capture / "out");
  outcome.err = program::read_file(capture / "err");
  outcome.files = read_all(folder);
  if (scenario.timed) {
    outcome.out = lines_alone(outcome.out);
    for (auto& [name, bytes] : outcome.files) bytes = name.ends_with(".csv") ? lines_alone(bytes) : bytes;
  }
  for (int k = 0; k < kinds; ++k) outcome.calls[k] = plan.calls[k];
  outcome.failed = plan.failed;
  outcome.where = plan.where;
  return outcome;
}

std::string verdict(const Scenario& scenario, const Outcome& good, const Outcome& outcome) {
  if (outcome.signal != 0) return "ended by signal " + std::to_string(outcome.signal) + ": " + outcome.err;
  if (outcome.code == 0) {
    if (outcome.out != good.out) return "exit 0 with another standard output";
    return outcome.files == good.files ? "" : "exit 0 with other files";
  }
  if (outcome.code != 2 && outcome.code != 3) return "exit " + std::to_string(outcome.code) + ": " + outcome.err;
  if (!begins(good.out, outcome.out)) return "standard output is another, not only shorter";
  if (const std::string wrong = wrong_with_errors(outcome.err); !wrong.empty()) return wrong;
  return wrong_with_files(scenario, good, outcome);
}

std::vector<std::string> inject(const Scenario& scenario, const Outcome& good, Kind kind,
                                const std::vector<std::int64_t>& numbers) {
  struct Wrong {
    std::string first;
    int times = 0;
  };
  std::map<std::string, Wrong> found;
  for (const std::int64_t n : numbers) {
    Outcome outcome = run(scenario, scenario.before, kind, n);
    if (begins(outcome.where, "unlink"))  // a temporary file then remains
      std::erase_if(outcome.files, [](const auto& each) {
        return fs::path(each.first).filename().string().starts_with(".flashscope.");
      });
    std::string what = verdict(scenario, good, outcome);
    if (what.empty() && kind == memory && outcome.code == 2) what = "memory that runs out is exit 2: " + outcome.err;
    if (what.empty()) continue;
    Wrong& wrong = found[without_digits(what) + innermost(scenario, outcome.where)];
    if (wrong.times++ == 0)
      wrong.first = std::string(kind_names[kind]) + " " + std::to_string(n) + ": " + what + "\n" + outcome.where;
  }
  std::vector<std::string> all;
  for (const auto& [place, wrong] : found) all.push_back(std::to_string(wrong.times) + " times, first " + wrong.first);
  return all;
}

}  // namespace inject
