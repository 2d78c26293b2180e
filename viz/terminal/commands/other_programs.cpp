// Syntax of the commands that other programs run, separate from their implementation: help works before those are
// built.
#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"
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

namespace {

// Commands of the explorer.

/// --link, --size, --theme, --lang, --lessons, shared by the window and its pictures.
std::vector<CommandOption> explorer_options() {
  return {{"link", "LINK", "what to show, as copied by the explorer's share button; options override it", {}},
          {"size", "WxH", "of the window, in CSS pixels, from 320x480 or 640x320 on [1600x1000]", {}},
          {"theme", "dark|light", "colours [dark]", {"dark", "light"}},
          {"lang", "en|zh", "language [en]", {"en", "zh"}},
          program_option(),
          {"measured",
           "TIME,-,...",
           "times that you measured, one for each compared run; the engineer's lens shows them",
           {}},
          {"lessons", "DIR", "lessons of your own instead of the built-in ones", {}}};
}

}  // namespace

CommandSyntax explore_syntax() {
  CommandSyntax syntax{"explore", "The explorer: an interactive window", true, explorer_options(),
                       "flashscope explore --algorithm flash1 --seqlen 4096 --causal"};
  syntax.word = {program_word, "", "the same as --program", {}};
  syntax.note = filled_card_help();
  syntax.own.push_back({"lesson", "ID", "a lesson next to the panels: 07, 7 or 07-flash1-by-hand; list shows all", {}});
  syntax.own.push_back({"play", "", "start playing at once", {}});
  syntax.own.push_back({"dpr",
                        "D",
                        "scale: device pixels for each CSS pixel, 0.5 to 4 [the last one that you set here or by Ctrl "
                        "+, else the desktop's]",
                        {}});
  syntax.own.push_back({"frames", "N", "for tests: end after N rounds, and print how many of them drew", {}});
  return syntax;
}

CommandSyntax screenshot_syntax() {
  CommandSyntax syntax{"screenshot", "A picture or a video of the explorer, without a display", true,
                       explorer_options(),
                       "flashscope screenshot attention.png --seqlen 2048 --causal --dpr 2 --theme light"};
  syntax.word = {
      "OUT.png", "", "the picture, with its link inside as a text; /dev/stdout writes to standard output", {}};
  syntax.note = filled_card_help();
  syntax.own.push_back({"dpr", "D", "device pixels of the picture for each CSS pixel, 0.5 to 4 [1]", {}});
  syntax.own.push_back({"stamp", "", "write the link visibly below", {}});
  syntax.own.push_back(
      {"handout", "", "a lesson's step without its panel and without the answers of its questions", {}});
  syntax.own.push_back({"student", "NAME", "the parameters of a lesson that this student gets", {}});
  syntax.own.push_back(
      {"frames", "N", "play: N pictures OUT-0001.png and so on, or one video OUT.gif or OUT.mp4 (needs ffmpeg)", {}});
  syntax.own.push_back({"seconds", "S", "play for S seconds: S x --fps pictures, or one video", {}});
  syntax.own.push_back({"fps", "F", "frames for each second, 1 to 100 [30]", {}});
  syntax.own.push_back({"describe", "", "print a description of the state as text instead", {}});
  return syntax;
}

CommandSyntax serve_syntax() {
  CommandSyntax syntax{"serve",
                       "Serve the page of the explorer, and its manual, to browsers of this machine",
                       false,
                       {{"port", "P", "port, 0 to 65535; 0: any that is free [8000]", {}},
                        {"no-open", "", "do not open a browser, only print the address", {}}},
                       "flashscope serve"};
  syntax.note = "A browser keeps your answers by the address, so the port stays the same unless you choose another.";
  return syntax;
}

}  // namespace terminal
