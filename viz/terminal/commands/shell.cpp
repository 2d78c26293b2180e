// flashscope completion and flashscope manual: files for shells and man, generated from the tables of options.
#include "viz/terminal/command.h"
#include "viz/terminal/shell/completion.h"
#include "viz/terminal/shell/manual_page.h"

namespace terminal {

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
