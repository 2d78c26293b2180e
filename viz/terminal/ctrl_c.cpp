#include "viz/terminal/ctrl_c.h"

#include <atomic>

namespace terminal {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

}  // namespace

CatchCtrlC::CatchCtrlC() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler != SIG_IGN) ::sigaction(SIGINT, &action, nullptr);
}

CatchCtrlC::~CatchCtrlC() { ::sigaction(SIGINT, &before_, nullptr); }

bool CatchCtrlC::came() { return interrupted; }

}  // namespace terminal
