// Syntax of the explorer's commands, separate from their implementation: help works even if the explorer is not built.
#include "viz/terminal/command.h"
#include "viz/terminal/recorded_program.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

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
