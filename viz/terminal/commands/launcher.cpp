// flashscope build and flashscope test: run by the launcher, which has the source folder; this program alone cannot.
#include "viz/terminal/command.h"

namespace terminal {
namespace {

[[noreturn]] void refuse(const char* what, const char* command) {
  throw MissingCapability(sim::text(what, " needs the source folder: run ./flashscope ", command, " there"));
}

}  // namespace

CommandSyntax build_syntax() {
  CommandSyntax syntax{"build",
                       "Build all programs, the page, or what is named (in the source folder)",
                       false,
                       {},
                       "flashscope build page"};
  syntax.word = {"PROGRAM",
                 "",
                 "which; without one: all of them",
                 {"all", "page", core_program, kernels_program, explorer_program, serve_program},
                 true};
  syntax.common = false;
  syntax.note =
      "Other commands build what they need when they are first used. Missing packages are installed with apt-get. "
      "`page` makes build/flashscope.html, the explorer as one file for any browser.";
  return syntax;
}

CommandSyntax test_syntax() {
  CommandSyntax syntax{"test",
                       "Build everything and run the whole test suite (in the source folder)",
                       false,
                       {{"slow", "", "the long tests too", {}}},
                       "flashscope test"};
  syntax.common = false;
  syntax.note = "Other options are those of ctest, such as -R NAME for the tests whose name contains NAME.";
  return syntax;
}

int run_build(const Arguments&) { refuse("build", "build"); }

int run_test(const Arguments&) { refuse("the test suite", "test"); }

}  // namespace terminal
