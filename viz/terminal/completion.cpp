#include "viz/terminal/completion.h"

#include <algorithm>
#include <map>
#include <set>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "viz/terminal/command.h"
#include "viz/terminal/help.h"

namespace terminal {
namespace {

using Strings = std::vector<std::string>;

/// Words that may follow a row.
struct Continuation {
  Strings words;
  bool files = false;
};

Continuation continuation_of(const HelpRow& row) {
  const auto is_path = [&](const char* part) { return row.usage().find(part) != std::string::npos; };
  return {row.words, is_path("FILE") || is_path("DIR") || is_path("OUT.png")};
}

/// Splits "-h,--help" into "-h" and "--help".
Strings names_of(const HelpRow& row) {
  Strings names;
  for (const std::string_view name : sim::split(row.name, ",")) names.emplace_back(name);
  return names;
}

bool is_option(const HelpRow& row) { return row.name.starts_with('-'); }

/// Calls `take` with each row of a command.
template <class Take>
void for_each_row(const CommandSyntax& syntax, const Take& take) {
  for (const HelpSection& section : help_sections(syntax)) {
    for (const HelpRow& row : section.rows) take(row);
  }
}

/// Makes a text fit into a comment or a description of a script.
std::string one_line(const std::string& text) {
  std::string line = text;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

std::string head(const char* shell) {
  return sim::text("# ", shell, " completion of flashscope; made by flashscope completion ", shell, "\n");
}

// bash

std::string bash_answer(const Continuation& values) {
  if (values.words.empty() && !values.files) return ":";
  std::string answer;
  if (!values.words.empty())
    answer = "COMPREPLY=($(compgen -W " + sim::shell_word(sim::joined(values.words, " ")) + " -- \"$word\"))";
  if (!values.files) return answer;
  return answer + (answer.empty() ? "" : "; ") + "_flashscope_files";
}

/// Completions of option values, each with the positions "command:option" where it applies.
std::string bash_values() {
  std::map<std::string, std::map<std::string, Strings>> places;  // option -> answer -> commands
  Strings order;
  for (const Command& command : commands()) {
    const CommandSyntax syntax = command.syntax();
    for_each_row(syntax, [&](const HelpRow& row) {
      if (!is_option(row) || row.values.empty()) return;
      if (places.find(row.name) == places.end()) order.push_back(row.name);
      places[row.name][bash_answer(continuation_of(row))].push_back(syntax.name);
    });
  }
  std::string text;
  for (const std::string& option : order) {
    for (const auto& [answer, names] : places[option]) {
      Strings patterns;
      for (const std::string& name : names) patterns.push_back(name + ":" + option);
      const bool everywhere = places[option].size() == 1;
      text += "    " + (everywhere ? "*:" + option : sim::joined(patterns, " | ")) + ") " + answer + "; return ;;\n";
    }
  }
  return text;
}

/// Completions where no value is expected: options, and positional words.
std::string bash_words() {
  std::string text;
  for (const Command& command : commands()) {
    const CommandSyntax syntax = command.syntax();
    Strings options;
    Continuation words;
    for_each_row(syntax, [&](const HelpRow& row) {
      if (!is_option(row)) words = continuation_of(row);
      for (const std::string& name : names_of(row)) {
        if (name.starts_with('-')) options.push_back(name);
      }
    });
    text += "    " + syntax.name + ")\n      [[ $word == -* ]] || { " + bash_answer(words) + "; return; }\n";
    text += "      COMPREPLY=($(compgen -W '" + sim::joined(options, " ") + "' -- \"$word\")) ;;\n";
  }
  return text;
}

Strings command_names() {
  Strings names;
  for (const Command& command : commands()) names.push_back(command.syntax().name);
  return names;
}

std::string bash_script() {
  return head("bash") + R"(_flashscope_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
}

_flashscope() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ')" +
         sim::joined(command_names(), " ") + R"( help --help --version' -- "$word"))
    return
  fi
  case $command:$before in
)" + bash_values() +
         "  esac\n  case $command in\n" + bash_words() + R"(    help) COMPREPLY=($(compgen -W ')" +
         sim::joined(command_names(), " ") + R"(' -- "$word")) ;;
  esac
}
complete -F _flashscope flashscope
)";
}

// zsh

/// Escapes text for a specification of _arguments, within single quotes.
std::string zsh_text(const std::string& text, const std::string& special) {
  std::string escaped;
  for (const char c : one_line(text)) {
    if (c == '\'') {
      escaped += "'\\''";
      continue;
    }
    if (special.find(c) != std::string::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_action(const Continuation& values) {
  if (values.files) return "_files";
  if (values.words.empty()) return " ";
  Strings words;
  for (const std::string& word : values.words) words.push_back(zsh_text(word, ":\\ ()"));
  return "(" + sim::joined(words, " ") + ")";
}

std::string zsh_row(const HelpRow& row) {
  if (!is_option(row))
    return sim::text("'", row.repeatable ? "*" : "1", ":", zsh_text(row.name, ":\\"), ":",
                     zsh_action(continuation_of(row)), "'");
  const std::string what = "[" + zsh_text(row.help, "[]\\") + "]";
  const std::string value =
      row.values.empty() ? "" : ":" + zsh_text(row.values, ":\\") + ":" + zsh_action(continuation_of(row));
  const Strings names = names_of(row);
  if (names.size() == 1) return sim::text("'", row.repeatable ? "*" : "", row.name, what, value, "'");
  return "{" + sim::joined(names, ",") + "}'" + what + value + "'";
}

std::string zsh_script() {
  std::string text =
      "#compdef flashscope\n" + head("zsh") + "_flashscope() {\n  if ((CURRENT == 2)); then\n    local -a all=(\n";
  for (const Command& command : commands()) {
    const CommandSyntax syntax = command.syntax();
    text += "      '" + syntax.name + ":" + zsh_text(syntax.summary, ":\\") + "'\n";
  }
  text +=
      "    )\n    _describe command all\n    return\n  fi\n  local command=$words[2]\n  shift words\n  ((CURRENT--))\n "
      " case $command in\n";
  for (const Command& command : commands()) {
    const CommandSyntax syntax = command.syntax();
    text += "    " + syntax.name + ") _arguments -S";
    for_each_row(syntax, [&](const HelpRow& row) { text += " \\\n      " + zsh_row(row); });
    text += " ;;\n";
  }
  return text + "    *) _default ;;\n  esac\n}\n_flashscope \"$@\"\n";
}

// fish

std::string fish_text(const std::string& text) {
  std::string quoted = "'";
  for (const char c : one_line(text)) quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quoted + "'";
}

std::string fish_row(const std::string& command, const HelpRow& row) {
  const Continuation values = continuation_of(row);
  std::string text = "complete -c flashscope -n '__fish_seen_subcommand_from " + command + "'";
  for (const std::string& name : names_of(row)) {
    if (name.starts_with("--"))
      text += " -l " + name.substr(2);
    else if (name.starts_with('-'))
      text += " -s " + name.substr(1);
  }
  if (!row.values.empty()) text += values.files ? " -r -F" : " -x";
  if (!is_option(row) && values.files) text += " -F";
  if (!values.words.empty()) text += " -a " + fish_text(sim::joined(values.words, " "));
  return text + " -d " + fish_text(row.help) + "\n";
}

std::string fish_script() {
  std::string text = head("fish") + "complete -c flashscope -f\n";
  for (const Command& command : commands()) {
    const CommandSyntax syntax = command.syntax();
    text +=
        "complete -c flashscope -n __fish_use_subcommand -a " + syntax.name + " -d " + fish_text(syntax.summary) + "\n";
  }
  for (const Command& command : commands()) {
    const CommandSyntax syntax = command.syntax();
    for_each_row(syntax, [&](const HelpRow& row) { text += fish_row(syntax.name, row); });
  }
  return text;
}

}  // namespace

const Strings& completed_shells() {
  static const Strings shells = {"bash", "zsh", "fish"};
  return shells;
}

std::string completion_script(const std::string& shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  throw sim::Error(sim::unknown_name_message("shell", shell, completed_shells()));
}

}  // namespace terminal
