// Ctrl-C that lets long work end in good order.
#pragma once
#include <signal.h>

namespace terminal {

/// While it lives, the first Ctrl-C (SIGINT) is only noted; a second one ends the program. Where Ctrl-C is ignored
/// (nohup, a job in the background) it stays so.
class CatchCtrlC {
 public:
  CatchCtrlC();
  ~CatchCtrlC();
  CatchCtrlC(const CatchCtrlC&) = delete;
  CatchCtrlC& operator=(const CatchCtrlC&) = delete;
  static bool came();

 private:
  struct sigaction before_ {};
};

}  // namespace terminal
