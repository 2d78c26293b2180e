// Commands of the terminal: one file each in commands/, one line each in the catalogue.
#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "viz/terminal/arguments.h"

namespace terminal {

/// Exit codes of the command line.
inline constexpr int exit_done = 0, exit_check_failed = 1, exit_wrong_use = 2, exit_missing_capability = 3,
                     exit_interrupted = 130;

/// A capability that this machine lacks, with the way to get it: ends a command with exit_missing_capability.
struct MissingCapability : sim::Error {
  using sim::Error::Error;
};

/// Programs of FlashScope: the main one, and in the same folder those that take long to build. The launcher builds the
/// one that a command needs.
inline constexpr const char *core_program = "flashscope", *kernels_program = "flashscope-kernels",
                            *explorer_program = "flashscope-explorer", *serve_program = "flashscope-serve";

/// Path of another program: in the folder of the running one.
std::filesystem::path program_beside(const char* name);

/// A command with its syntax, and the program that runs it.
struct Command {
  CommandSyntax (*syntax)();
  const char* program;
};

const std::vector<Command>& commands();

CommandSyntax demo_syntax();
CommandSyntax simulate_syntax();
CommandSyntax compare_syntax();
CommandSyntax sweep_syntax();
CommandSyntax devices_syntax();
CommandSyntax algorithms_syntax();
CommandSyntax options_syntax();
CommandSyntax counters_syntax();
CommandSyntax tune_syntax();
CommandSyntax validate_syntax();
CommandSyntax evidence_syntax();
CommandSyntax verify_syntax();
CommandSyntax bench_syntax();
CommandSyntax explore_syntax();
CommandSyntax screenshot_syntax();
CommandSyntax serve_syntax();
CommandSyntax build_syntax();
CommandSyntax test_syntax();
CommandSyntax completion_syntax();
CommandSyntax manual_syntax();
CommandSyntax lesson_syntax();
CommandSyntax grade_syntax();
CommandSyntax tour_syntax();

int run_demo(const Arguments& arguments);
int run_simulate(const Arguments& arguments);
int run_compare(const Arguments& arguments);
int run_sweep(const Arguments& arguments);
int run_devices(const Arguments& arguments);
int run_algorithms(const Arguments& arguments);
int run_options(const Arguments& arguments);
int run_counters(const Arguments& arguments);
int run_tune(const Arguments& arguments);
int run_validate(const Arguments& arguments);
int run_evidence(const Arguments& arguments);
int run_verify(const Arguments& arguments);
int run_bench(const Arguments& arguments);
int run_explore(const Arguments& arguments);
int run_screenshot(const Arguments& arguments);
int run_serve(const Arguments& arguments);
int run_build(const Arguments& arguments);
int run_test(const Arguments& arguments);
int run_completion(const Arguments& arguments);
int run_manual(const Arguments& arguments);
int run_lesson(const Arguments& arguments);
int run_grade(const Arguments& arguments);
int run_tour(const Arguments& arguments);

/// Functions that run the commands of a program, by name.
using Runner = std::pair<std::string_view, int (*)(const Arguments&)>;
using Runners = std::initializer_list<Runner>;

/// Runs the command line and returns its exit code; errors become one line on stderr. A command of another program is
/// passed to that program, in the same folder. Hints name the program as the user typed it, argv[0].
int run_command_line(int argc, char** argv, const Runners& runners);

/// The executed command line, quoted for a shell: "flashscope simulate --seqlen 8".
const std::string& command_line();

/// Rewrites commands in hints as this user must type them: for a user who typed ./flashscope, "see flashscope demo
/// --help" becomes "see ./flashscope demo --help". Applied to errors, warnings, notes and help, and to hints in
/// results.
std::string as_typed(const std::string& text);

/// Throws Error if stdout is closed; called before long work whose result is printed.
void require_output();

/// Adds colours to plain text.
using Colouring = std::string (*)(std::string_view);

/// Writes printable lines to stdout and flushes, in colours if colours_wanted(). Throws Error if that fails (output
/// redirected to a full disk).
void print(const std::string& text, Colouring colouring = nullptr);

/// Writes one printable line of limited length to stderr.
void tell(const std::string& line);

/// Writes "warning: ..." lines to stderr.
void print_warnings(const std::vector<std::string>& warnings);

/// Queues "note: ..." lines for stderr: not problems, but context for the result. They appear after the first printed
/// text or at the end; a command that fails only prints its error.
void print_notes(const std::vector<std::string>& notes);
void print_notes_now();  ///< prints queued notes, for a command whose result is not text

/// True if the descriptor is a terminal that takes escape codes: TERM is neither empty nor dumb.
bool takes_escapes(int descriptor);

}  // namespace terminal
