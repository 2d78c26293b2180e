// flashscope completion and flashscope manual: files for shells and man, generated from the tables of options.
#include <algorithm>
#include <string>

#include "sim/base/text.h"
#include "viz/terminal/command.h"
#include "viz/terminal/completion.h"
#include "viz/terminal/help.h"

namespace terminal {
namespace {

// The manual page flashscope(1), generated from the rows of the help.

/// Escapes text for roff: hyphens stay hyphens, and no line begins with a control character.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool at_start = out.empty() || out.back() == '\n';
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string row_roff(const HelpRow& row) {
  std::string text = ".TP\n.B " + roff(row.name) + "\n";
  if (row.usage() != row.name)
    text = ".TP\n\\fB" + roff(row.name) + "\\fR " + roff(row.usage().substr(row.name.size() + 1)) + "\n";
  return text + roff(row.help) + "\n";
}

std::string example_roff(const std::string& command) {
  return ".PP\nExample:\n.PP\n.RS\n.EX\n" + roff(command) + "\n.EE\n.RE\n";
}

/// True if a row is among the common options, which the page prints once.
bool is_common(const HelpRow& row) {
  const auto& common = common_options();
  return row.name == help_option || std::any_of(common.begin(), common.end(), [&](const CommandOption& option) {
           return row.name == "--" + option.name;
         });
}

/// A command with its own options; common and scenario options are printed once, below all commands.
std::string command_roff(const CommandSyntax& syntax) {
  std::string text =
      ".SS " + roff(syntax.name) + "\n" + roff(syntax.summary) + ".\n.PP\n.B " + roff(usage_of(syntax)) + "\n";
  for (const HelpSection& section : help_sections(syntax)) {
    if (section.title == scenario_title) {
      text += ".PP\nTakes the scenario options below" +
              std::string(syntax.one_algorithm ? "" : ", without " + roff("--algorithm")) + ".\n";
      continue;
    }
    for (const HelpRow& row : section.rows) {
      if (!is_common(row)) text += row_roff(row);
    }
  }
  if (!syntax.example.empty()) text += example_roff(syntax.example);
  if (!syntax.note.empty()) text += ".PP\n" + roff(syntax.note) + "\n";
  return text;
}

std::string common_roff() {
  std::string text = ".SH OPTIONS OF EVERY COMMAND\n";
  const std::vector<HelpSection> sections = help_sections(simulate_syntax());
  for (const HelpRow& row : sections.front().rows) {
    if (is_common(row)) text += row_roff(row);
  }
  return text;
}

std::string scenario_roff() {
  std::string text = ".SH SCENARIO OPTIONS\n";
  const std::vector<HelpSection> sections = help_sections(simulate_syntax());
  for (const HelpRow& row : sections.back().rows) text += row_roff(row);
  return text;
}

/// The page in macros of man(7).
std::string manual_page() {
  std::string text = std::string(".\\\" made by flashscope manual\n.TH FLASHSCOPE 1 \"\" \"FlashScope ") +
                     FLASHSCOPE_VERSION +
                     "\" \"User Commands\"\n.SH NAME\nflashscope \\- show where the bytes go in attention\n"
                     ".SH SYNOPSIS\n.B flashscope\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n" +
                     roff(program_summary) + "\n.PP\n" +
                     roff("flashscope COMMAND --help lists the options of one command. Begin with: flashscope demo") +
                     "\n.SH COMMANDS\n";
  for (const Command& command : commands()) text += command_roff(command.syntax());
  text += common_roff() + scenario_roff();
  text += ".SH EXIT STATUS\n" + roff(exit_codes) + "\n";
  return text + ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\n" +
         roff("set to anything: no colours, unless --color requests them") + "\n.TP\n.B XDG_STATE_HOME\n" +
         roff("where the notebook of lessons is kept, in flashscope/ [~/.local/state]") + "\n";
}

}  // namespace

CommandSyntax completion_syntax() {
  CommandSyntax syntax{"completion",
                       "A script with which a shell completes commands, options and their words",
                       false,
                       {},
                       "flashscope completion bash > ~/.local/share/bash-completion/completions/flashscope"};
  syntax.word = {"SHELL", "", "bash, zsh or fish", completed_shells()};
  return syntax;
}

int run_completion(const Arguments& arguments) {
  const auto shell = arguments.find("SHELL");
  sim::require(shell.has_value(), "completion: for which shell? bash, zsh or fish, see flashscope completion --help");
  print(completion_script(*shell));
  return exit_done;
}

CommandSyntax manual_syntax() {
  return {"manual", "The manual page of all commands, for man", false, {}, "flashscope manual | man -l -"};
}

int run_manual(const Arguments&) {
  print(manual_page());
  return exit_done;
}

}  // namespace terminal
