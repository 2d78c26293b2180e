// Syntax of the commands that run kernels, separate from their implementation: help works before kernels are built.
#include "viz/terminal/command.h"
#include "viz/terminal/recordings.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

/// Options for a profile instead of a run.
std::vector<CommandOption> import_options() {
  return {{"import",
           "FILE.csv",
           "compare what Nsight Compute measured of any kernel; flashscope counters --ncu prints the command that "
           "records it",
           {}},
          {"launch",
           "ID|NAME",
           "with --import: only the launch with this ID, or those with this in the kernel's name; may be given more "
           "than once [all]",
           {},
           true}};
}

}  // namespace

CommandSyntax verify_syntax() {
  CommandSyntax syntax{"verify",
                       "The program against its kernel, on the emulated device or a GPU: values, bytes, races",
                       true,
                       {},
                       "flashscope verify --algorithm flash1 --seqlen 256 --causal --pass forward+backward"};
  syntax.own = {{"device",
                 "emulated|cuda|auto|recorded",
                 "where the kernels run; auto: the GPU if there is one; recorded: nowhere, recordings of GPUs are "
                 "shown, of any size [emulated]",
                 {"emulated", "cuda", "auto", "recorded"}},
                {"kernel",
                 "NAME",
                 "a family of kernels: the algorithm's name (plain fp32 arithmetic), or with the suffix _mma, as "
                 "flash2_mma, on tensor cores [on tensor cores in fp16 and bf16, if there is one]",
                 {}},
                {"format", "table|json", "what to print [table]", {"table", "json"}},
                {"scenarios",
                 "FILE|default",
                 "verify every scenario of a list, one per line; the other options apply unless a line overrides them; "
                 "default: a list of all algorithms",
                 {}},
                {"counters", "on|off", "read the counters of a GPU; off: for tools that need them [on]", {"on", "off"}},
                {"schedules", "N", "N more runs with random schedules, seeds 1 to N, on the emulated device [0]", {}},
                {"workers", "J", "threads of the emulated device [all cores]", {}},
                recorded_option("rows of this scenario, kernel and GPU appear next to the emulated device's; not with "
                                "--device cuda, which measures the card itself; ")};
  for (const CommandOption& option : value_options()) {
    if (option.name != "numerics") syntax.own.push_back(option);
  }
  for (const CommandOption& option : import_options()) syntax.own.push_back(option);
  return syntax;
}

CommandSyntax bench_syntax() {
  CommandSyntax syntax{"bench",
                       "The speed of kernels on a GPU, next to its ceilings and to predictions",
                       true,
                       {},
                       "flashscope bench --scenarios default --output h200.csv"};
  syntax.own = {
      {"device",
       "cuda|emulated|auto",
       "where the kernels run; emulated: to try this command, with the CPU's times [cuda]",
       {"cuda", "emulated", "auto"}},
      {"kernel", "NAME", "a family of kernels, as in verify [that of the algorithm]", {}},
      {"scenarios",
       "LIST|FILE",
       "default: 16k tokens at N 512 to 16k, and GPT-2 medium; ladder: flash2_mma without one optimisation; tiles: "
       "with each of its tiles; teaching: the plain kernels; families: decoding, shared keys, patterns, windows, "
       "dropout, bf16, and other head dimensions and lengths; or a file with a scenario per line; the other options "
       "apply unless a line overrides them",
       {}},
      {"caches",
       "cold|warm|both",
       "cold: rotating buffers, together larger than the L2; warm: the same ones again [both]",
       {"cold", "warm", "both"}},
      {"runs", "N", "maximum number of timed runs of a scenario [50]", {}},
      {"seconds", "S", "time runs for S seconds, at least 3 of them [0.5]", {}},
      {"counters", "", "read the card's counters as well (flashscope counters)", {}},
      {"format", "table|csv|json", "what to print; csv: a recording [table]", {"table", "csv", "json"}},
      {"output", "FILE.csv", "write a recording (kernels/measurements), again after each scenario", {}},
      {"inputs-dir", "DIR", "write Q.npy, K.npy, V.npy and dO.npy; a scenario's inputs are the first of each", {}},
      {"output-dir", "DIR", "of one scenario: write it, its inputs and its outputs (.npy)", {}},
      {"commit", "TEXT", "the commit that recordings name [that of the build]", {}}};
  return syntax;
}

}  // namespace terminal
