// The commands of the terminal: one file each in commands/, one line each in the catalogue.
#pragma once
#include <string>
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

struct Command {
  CommandSyntax (*syntax)();
  int (*run)(const Arguments& arguments);
};

const std::vector<Command>& commands();

CommandSyntax demo_syntax();
int run_demo(const Arguments& arguments);
CommandSyntax simulate_syntax();
int run_simulate(const Arguments& arguments);
CommandSyntax compare_syntax();
int run_compare(const Arguments& arguments);
CommandSyntax sweep_syntax();
int run_sweep(const Arguments& arguments);
CommandSyntax devices_syntax();
int run_devices(const Arguments& arguments);
CommandSyntax algorithms_syntax();
int run_algorithms(const Arguments& arguments);
CommandSyntax counters_syntax();
int run_counters(const Arguments& arguments);
CommandSyntax tune_syntax();
int run_tune(const Arguments& arguments);
CommandSyntax validate_syntax();
int run_validate(const Arguments& arguments);
CommandSyntax verify_syntax();
int run_verify(const Arguments& arguments);
CommandSyntax bench_syntax();
int run_bench(const Arguments& arguments);
CommandSyntax explore_syntax();
int run_explore(const Arguments& arguments);
CommandSyntax screenshot_syntax();
int run_screenshot(const Arguments& arguments);
CommandSyntax test_syntax();
int run_test(const Arguments& arguments);
CommandSyntax tour_syntax();
int run_tour(const Arguments& arguments);

/// Runs the command line and returns its exit code; errors become one line on stderr. `program`: what the person typed
/// to start it, the zeroth argument; hints name it in place of flashscope.
int run_command_line(const std::string& program, const std::vector<std::string>& words);

/// A text whose hints are commands that this person has: "see flashscope demo --help" becomes "see ./flashscope demo
/// --help" for who typed ./flashscope. Errors, warnings, notes and help are made so; a result only where it hints.
std::string as_typed(const std::string& text);

/// Writes to stdout at once; Error when it cannot (a full disk behind a redirection).
void print(const std::string& text);

/// "warning: ..." lines on stderr.
void print_warnings(const std::vector<std::string>& warnings);

/// "note: ..." lines on stderr: nothing is wrong, but a person should know how the result is meant. They come with the
/// result, after the first text that is printed or at the end; a command that fails says its error alone.
void print_notes(const std::vector<std::string>& notes);
void print_notes_now();  ///< those that wait, for a command whose result is no text

}  // namespace terminal
