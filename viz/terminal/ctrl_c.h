// Ctrl-C handling that lets long work finish cleanly.
#pragma once
#include <signal.h>

namespace terminal {

/// During its lifetime, the first Ctrl-C (SIGINT) is only recorded; a second one ends the program. If Ctrl-C is ignored
/// (nohup, a background job), it remains so.
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
