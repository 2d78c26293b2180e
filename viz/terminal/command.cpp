#include "viz/terminal/command.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <new>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "viz/files/temporaries.h"
#include "viz/results/version.h"
#include "viz/terminal/help.h"
#include "viz/terminal/terminal_width.h"

namespace terminal {
namespace {

// Standard input, output and error that are closed at program start (>&-).

bool is_closed(int descriptor) { return ::fcntl(descriptor, F_GETFD) == -1 && errno == EBADF; }

/// Fills closed standard descriptors before any file is opened: otherwise a file could get the number of standard
/// output, and printed text would go into it. Writing to a filled one still fails.
void fill_closed_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (!is_closed(descriptor)) continue;
    // Opens a path only, for neither reading nor writing; it takes the lowest free number, which is this one.
    [[maybe_unused]] const int filled = ::open("/", O_PATH);
  }
}

/// Standard output was closed at start.
bool output_is_closed() {
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  return flags == -1 || (flags & O_PATH) != 0;
}

// Memory reserve for handling exhausted memory.

std::atomic<void*> memory_reserve = nullptr;

const char* last_words = "";

[[noreturn]] void release_reserve() {
  std::free(memory_reserve.exchange(nullptr));
  throw std::bad_alloc();
}

/// Terminate handler for a destructor that runs out of memory, such as that of a JSON value. No other destructor runs.
[[noreturn]] void end_without_memory() {
  if (memory_reserve != nullptr) std::abort();  // terminated for another reason
  files::remove_temporaries();
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, last_words, std::strlen(last_words));
  ::_exit(exit_missing_capability);
}

/// Holds back some memory until an allocation fails for the first time. It then throws std::bad_alloc, and the reserve
/// becomes available for clean-up: some destructors allocate (those of JSON values). If it does not suffice, the
/// program ends with exit_missing_capability and `message` on stderr; incomplete results are removed.
void keep_memory_reserve(const char* message) {
  constexpr std::size_t size = std::size_t{4} << 20;  // address space only: never written
  memory_reserve = std::malloc(size);
  last_words = message;
  std::set_new_handler(release_reserve);
  std::set_terminate(end_without_memory);
}

// A sufficiently large stack, independent of the shell's limit.

constexpr std::size_t large_stack = std::size_t{8} << 20;  // bytes, the usual system default

bool stack_is_large() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= large_stack;
}

/// Sets the stack size of threads, which otherwise is the limit of the main thread.
int set_size_of_threads(pthread_attr_t& attributes) {
  if (const int error = ::pthread_attr_setstacksize(&attributes, large_stack)) return error;
#ifdef __GLIBC__
  return ::pthread_setattr_default_np(&attributes);
#else
  return 0;
#endif
}

struct WorkOnThread {
  const std::function<int()>& work;
  int result = 0;
};

void* run_on_thread(void* argument) {
  WorkOnThread& one = *static_cast<WorkOnThread*>(argument);
  one.result = one.work();
  return nullptr;
}

/// Runs `work` and returns its result: if the stack limit (ulimit -s) is too low, on a thread with a larger stack,
/// which then also applies to all later threads. Throws sim::Error if the thread cannot be created.
int with_large_stack(const std::function<int()>& work) {
  if (stack_is_large()) return work();
  pthread_attr_t attributes;
  WorkOnThread one{work};
  pthread_t thread{};
  int error = ::pthread_attr_init(&attributes);
  if (error == 0) {
    error = set_size_of_threads(attributes);
    if (error == 0) error = ::pthread_create(&thread, &attributes, run_on_thread, &one);
    ::pthread_attr_destroy(&attributes);
  }
  sim::require(error == 0, "stack: the limit (ulimit -s) is too low, and no thread with a larger one can be started: ",
               std::strerror(error));
  ::pthread_join(thread, nullptr);
  return one.result;
}

// Rule for coloured output, shared by all commands.

std::optional<bool> chosen_colours;

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Sets the rule from --color.
void choose_colours(const Arguments& arguments) {
  const auto choice = arguments.common.find("color");
  if (choice != arguments.common.end() && choice->second != "auto") chosen_colours = choice->second == "always";
}

/// True if text on standard output is coloured. --color always and never decide; otherwise it must be a terminal with
/// colours (TERM is neither empty nor dumb), and NO_COLOR unset or empty.
bool colours_wanted() { return chosen_colours.value_or(takes_escapes(STDOUT_FILENO) && variable("NO_COLOR").empty()); }

// The command line.

/// Width to which results are fitted; 0: they are not.
std::size_t print_columns = 0;

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    names.push_back(command.syntax().name);
    if (names.back() == name) return command;
  }
  throw sim::Error(sim::unknown_name_message("command", name, names));
}

/// Replaces this process by the program `name` in the same folder, with the same arguments.
[[noreturn]] void become(const char* name, char** argv) {
  const std::filesystem::path path = program_beside(name);
  ::execv(path.c_str(), argv);
  throw MissingCapability(sim::text(argv[1], ": needs the program ", name, ", which is not next to this one (",
                                    std::strerror(errno), "): ./flashscope build ", name));
}

/// Answers the launcher: the program that implements a command; for an unknown command, the one that reports it.
std::string program_of(const std::string& name) {
  for (const Command& command : commands()) {
    if (command.syntax().name == name) return command.program;
  }
  return core_program;
}

int print_version() {
  print(sim::text("flashscope ", FLASHSCOPE_VERSION, " (simulator ", results::source_hash(), ")\n"));
  return exit_done;
}

int run(char** argv, const std::vector<std::string>& words, const Runners& runners) {
  sim::require(!words.empty(), "no command: begin with flashscope demo, see flashscope --help");
  if (words[0] == "help" && words.size() > 1) return run(argv, {words[1], "--help"}, runners);
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    print(overview_text(help_columns()));
    return exit_done;
  }
  if (words[0] == "--version" || words[0] == "-V") return print_version();
  if (words[0] == "--program-of" && words.size() == 2) {
    print(program_of(words[1]) + "\n");
    return exit_done;
  }
  const Command& command = find_command(words[0]);
  const Arguments arguments = parse(command.syntax(), {words.begin() + 1, words.end()});
  if (arguments.version) return print_version();
  if (arguments.help) {
    print(help_text(command.syntax(), help_columns()));
    return exit_done;
  }
  const auto* const runner =
      std::find_if(runners.begin(), runners.end(), [&](const Runner& known) { return known.first == words[0]; });
  if (runner == runners.end()) become(command.program, argv);
  print_notes(arguments.notes);
  if (is_for_people(command.syntax(), arguments)) print_columns = terminal_columns(STDOUT_FILENO);
  choose_colours(arguments);
  return runner->second(arguments);
}

/// Makes a line printable and limits its length, for arbitrary arguments and files. It keeps the start, which has the
/// error, and the end, which lists what is allowed.
std::string one_line(const std::string& text) {
  constexpr std::size_t most = 4000, kept = 1000;
  std::string line = sim::printable(as_typed(text));
  if (line.size() <= most) return line;
  std::size_t rest = line.size() - kept;
  while ((line[rest] & 0xc0) == 0x80) ++rest;  // not inside a character
  return sim::shortened(line, kept) + line.substr(rest);
}

constexpr const char* out_of_memory = "error: out of memory: use smaller sizes, or allow more (ulimit -v)\n";

/// Shell command that starts this program.
std::string program_in_shell = "flashscope";

std::string typed_command = "flashscope";

std::vector<std::string> waiting_notes;

/// True if the text begins with the name of a command, or its placeholder in help.
bool begins_command(std::string_view rest) {
  const std::string_view word = rest.substr(0, rest.find_first_of(" \n\t.,;:)]'\"`"));
  if (word == "COMMAND" || word == "--help" || word == "--version") return true;
  return std::any_of(commands().begin(), commands().end(),
                     [&](const Command& command) { return command.syntax().name == word; });
}

}  // namespace

bool takes_escapes(int descriptor) {
  const std::string_view terminal = variable("TERM");
  return ::isatty(descriptor) != 0 && !terminal.empty() && terminal != "dumb";
}

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {demo_syntax, core_program},       {simulate_syntax, core_program},    {compare_syntax, core_program},
      {sweep_syntax, core_program},      {verify_syntax, kernels_program},   {bench_syntax, kernels_program},
      {tune_syntax, core_program},       {validate_syntax, core_program},    {evidence_syntax, core_program},
      {devices_syntax, core_program},    {algorithms_syntax, core_program},  {options_syntax, core_program},
      {counters_syntax, core_program},   {explore_syntax, explorer_program}, {screenshot_syntax, explorer_program},
      {lesson_syntax, core_program},     {grade_syntax, core_program},       {tour_syntax, core_program},
      {serve_syntax, serve_program},     {build_syntax, core_program},       {test_syntax, core_program},
      {completion_syntax, core_program}, {manual_syntax, core_program}};
  return all;
}

std::filesystem::path program_beside(const char* name) {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) self = std::filesystem::canonical(reinterpret_cast<const char*>(::getauxval(AT_EXECFN)));  // without /proc
  return self.parent_path() / name;
}

const std::string& command_line() { return typed_command; }

std::string as_typed(const std::string& text) {
  constexpr std::string_view ours = "flashscope ";
  std::string out;
  std::size_t done = 0;
  for (std::size_t at; (at = text.find(ours, done)) != std::string::npos; done = at + ours.size()) {
    const bool whole_word = at == 0 || std::string_view(" \n(\"'`").find(text[at - 1]) != std::string::npos;
    const bool hint = whole_word && begins_command(std::string_view(text).substr(at + ours.size()));
    out += text.substr(done, at - done) + (hint ? program_in_shell + " " : std::string(ours));
  }
  return out + text.substr(done);
}

namespace {

/// Runs a command line and reports errors, one line each.
int run_and_report(char** argv, const std::vector<std::string>& words, const Runners& runners) {
  try {
    const int code = run(argv, words, runners);
    print_notes_now();
    return code;
  } catch (const std::bad_alloc&) {
    std::fputs(out_of_memory, stderr);
    return exit_missing_capability;
  } catch (const MissingCapability& error) {
    tell(std::string("error: ") + error.what());
    return exit_missing_capability;
  } catch (const std::exception& error) {
    tell(std::string("error: ") + error.what());
  }
  return exit_wrong_use;
}

}  // namespace

int run_command_line(int argc, char** argv, const Runners& runners) {
  fill_closed_descriptors();
  keep_memory_reserve(out_of_memory);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the file size limit (ulimit -f) then fails with an error
  try {
    if (argc > 0 && *argv[0] != '\0') program_in_shell = sim::shell_word(argv[0]);
    const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    for (const std::string& word : words) typed_command += " " + sim::shell_word(word);
    return with_large_stack([&] { return run_and_report(argv, words, runners); });
  } catch (const std::bad_alloc&) {
    std::fputs(out_of_memory, stderr);
  } catch (const sim::Error& error) {
    tell(std::string("error: ") + error.what());
  }
  return exit_missing_capability;
}

void require_output() {
  sim::require(!output_is_closed(), "output: standard output is closed, and the result goes there");
}

void print(const std::string& text, Colouring colouring) {
  require_output();
  const std::string whole = sim::printable_lines(text),
                    printable = print_columns == 0 ? whole : fitted(whole, print_columns),
                    shown = colouring != nullptr && colours_wanted() ? colouring(printable) : printable;
  const bool written = std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size() && std::fflush(stdout) == 0;
  sim::require(written, "output: cannot write to stdout: ", std::strerror(errno));
  print_notes_now();
}

void tell(const std::string& line) {
  const std::size_t columns = terminal_columns(STDERR_FILENO);
  const std::string whole = one_line(line);
  std::fputs(((columns == 0 ? whole : fitted(whole, columns)) + "\n").c_str(), stderr);
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) tell("warning: " + warning);
}

void print_notes(const std::vector<std::string>& notes) {
  waiting_notes.insert(waiting_notes.end(), notes.begin(), notes.end());
}

void print_notes_now() {
  for (const std::string& note : std::exchange(waiting_notes, {})) tell("note: " + note);
}

}  // namespace terminal
