// flashscope test: the test suite is built and run by the launcher script; the program alone cannot.
#include <cstdio>

#include "viz/terminal/command.h"

namespace terminal {

CommandSyntax test_syntax() {
  return {"test", "The whole test suite (through the launcher ./flashscope)", false, {}, ""};
}

int run_test(const Arguments&) {
  std::fputs("error: the test suite needs the source folder: run ./flashscope test there\n", stderr);
  return exit_missing_capability;
}

}  // namespace terminal
