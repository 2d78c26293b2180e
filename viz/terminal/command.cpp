#include "viz/terminal/command.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "kernels/dev/device.h"
#include "sim/base/nearest.h"
#include "viz/terminal/numbers.h"

namespace terminal {
namespace {

std::string overview() {
  std::string text =
      "FlashScope replays attention algorithms tile by tile on a model of a GPU and counts every byte they move.\n\n"
      "Usage: flashscope COMMAND [OPTIONS]\n\nCommands:\n";
  for (const Command& command : commands()) {
    const CommandSyntax syntax = command.syntax();
    text += "  " + syntax.name + std::string(12 - syntax.name.size(), ' ') + syntax.summary + "\n";
  }
  return text +
         "\nflashscope COMMAND --help lists the options. Begin with: flashscope demo\n"
         "Exit codes: 0 done; 1 a check failed; 2 wrong usage or input; 3 something is missing here; 130 Ctrl-C.\n";
}

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    names.push_back(command.syntax().name);
    if (names.back() == name) return command;
  }
  throw sim::Error(sim::unknown_name_message("command", name, names));
}

int run(const std::vector<std::string>& words) {
  sim::require(!words.empty(), "no command: begin with flashscope demo, see flashscope --help");
  if (words[0] == "help" && words.size() > 1) return run({words[1], "--help"});
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    print(overview());
    return exit_done;
  }
  if (words[0] == "--version") {
    print(std::string("flashscope ") + FLASHSCOPE_VERSION + "\n");
    return exit_done;
  }
  const Command& command = find_command(words[0]);
  const Arguments arguments = parse(command.syntax(), {words.begin() + 1, words.end()});
  if (!arguments.help) return command.run(arguments);
  print(*arguments.help);
  return exit_done;
}

/// Errors are one line of bearable length, whatever an argument or a file put into them.
std::string one_line(std::string text) {
  constexpr std::size_t most = 4000, kept = 1000;
  if (text.size() > most) text = text.substr(0, kept) + " ... " + text.substr(text.size() - kept);
  return on_one_line(std::move(text));
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {{demo_syntax, run_demo},
                                           {simulate_syntax, run_simulate},
                                           {compare_syntax, run_compare},
                                           {sweep_syntax, run_sweep},
                                           {verify_syntax, run_verify},
                                           {bench_syntax, run_bench},
                                           {tune_syntax, run_tune},
                                           {validate_syntax, run_validate},
                                           {devices_syntax, run_devices},
                                           {algorithms_syntax, run_algorithms},
                                           {counters_syntax, run_counters},
                                           {explore_syntax, run_explore},
                                           {screenshot_syntax, run_screenshot},
                                           {tour_syntax, run_tour},
                                           {test_syntax, run_test}};
  return all;
}

int run_command_line(const std::vector<std::string>& words) {
  try {
    return run(words);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory: use smaller sizes\n", stderr);
  } catch (const MissingCapability& error) {
    std::fprintf(stderr, "error: %s\n", one_line(error.what()).c_str());
    return exit_missing_capability;
  } catch (const dev::DeviceError& error) {
    std::fprintf(stderr, "error: %s\n", one_line(error.what()).c_str());
    if (error.kind == dev::DeviceError::Kind::missing) return exit_missing_capability;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", one_line(error.what()).c_str());
  }
  return exit_wrong_use;
}

void print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  sim::require(written, "output: cannot write to stdout: ", std::strerror(errno));
}

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) std::fprintf(stderr, "warning: %s\n", one_line(warning).c_str());
}

}  // namespace terminal
