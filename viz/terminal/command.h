// The commands of the terminal: one file each in commands/, one line each in the catalogue.
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

/// Something that this machine lacks, with the way to get it: ends a command with exit_missing_capability.
struct MissingCapability : sim::Error {
  using sim::Error::Error;
};

/// The programs of FlashScope: the one that people run, and beside it those that take long to build. The launcher
/// builds what a command needs.
inline constexpr const char *core_program = "flashscope", *kernels_program = "flashscope-kernels",
                            *explorer_program = "flashscope-explorer", *serve_program = "flashscope-serve";

/// Where such a program lies: beside the one that runs.
std::filesystem::path program_beside(const char* name);

/// A command as it is listed and explained, and the program that runs it.
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

/// What is done for the commands that a program has, by their names.
using Runner = std::pair<std::string_view, int (*)(const Arguments&)>;
using Runners = std::initializer_list<Runner>;

/// Runs the command line and returns its exit code; errors become one line on stderr. A command of another program
/// is handed to that program, which lies beside this one. Hints name what the person typed to start it, argv[0].
int run_command_line(int argc, char** argv, const Runners& runners);

/// The command line that is run, ready for a shell: "flashscope simulate --seqlen 8".
const std::string& command_line();

/// A text whose hints are commands that this person has: "see flashscope demo --help" becomes "see ./flashscope demo
/// --help" for who typed ./flashscope. Errors, warnings, notes and help are made so; a result only where it hints.
std::string as_typed(const std::string& text);

/// Before long work whose result goes to stdout: Error where that is closed.
void require_output();

/// Adds colours to a text that has none.
using Colouring = std::string (*)(std::string_view);

/// Writes to stdout at once, in printable lines, in colours if colours_wanted(); Error when it cannot (a full disk
/// behind a redirection).
void print(const std::string& text, Colouring colouring = nullptr);

/// One printable line on stderr, of bearable length.
void tell(const std::string& line);

/// "warning: ..." lines on stderr.
void print_warnings(const std::vector<std::string>& warnings);

/// "note: ..." lines on stderr: nothing is wrong, but a person should know how the result is meant. They come with the
/// result, after the first text that is printed or at the end; a command that fails says its error alone.
void print_notes(const std::vector<std::string>& notes);
void print_notes_now();  ///< those that wait, for a command whose result is no text

}  // namespace terminal
