// Starts a child process in which the system refuses some calls, as some file systems do.
#pragma once
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace program {

enum class Refused { nothing, fchmod, nameless_files, exchange };

/// Refuses a call from now on, in this process and its successors. False if the kernel does not support this.
inline bool refuse(Refused refused) {
  if (refused == Refused::nothing) return true;
  const bool nameless = refused == Refused::nameless_files;
  const unsigned call = nameless ? SYS_openat : refused == Refused::fchmod ? SYS_fchmod : SYS_renameat2;
  const unsigned flags = nameless ? offsetof(seccomp_data, args[2]) : offsetof(seccomp_data, args[4]);
  const unsigned wanted = nameless ? O_TMPFILE & ~O_DIRECTORY : refused == Refused::fchmod ? 0 : RENAME_EXCHANGE;
  const unsigned error = refused == Refused::fchmod ? EPERM : nameless ? EOPNOTSUPP : EINVAL;
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, flags),
      BPF_JUMP(BPF_JMP | (wanted == 0 ? BPF_JGE : BPF_JSET) | BPF_K, wanted, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog rules{sizeof filter / sizeof *filter, filter};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &rules) == 0;
}

/// Starts flashscope in `folder`, silently.
inline pid_t start_silently(const Folder& folder, const std::vector<std::string>& words,
                            Refused refused = Refused::nothing) {
  std::vector<char*> arguments = {const_cast<char*>("flashscope")};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);  // nohup would leave one ignored
  const int null = ::open("/dev/null", O_RDWR);
  for (const int standard : {0, 1, 2}) ::dup2(null, standard);
  if (::chdir(folder.path().c_str()) != 0 || !refuse(refused)) ::_exit(77);
  ::execv(FLASHSCOPE_PROGRAM, arguments.data());
  ::_exit(127);
}

inline bool is_running(pid_t child) {
  siginfo_t ended{};
  return ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
}

/// Waits until the condition holds or the child has ended.
template <class Condition>
void wait_until(Condition condition, pid_t child) {
  while (!condition() && is_running(child)) ::usleep(1000);
}

/// Returns the exit status of a child in the shell's convention.
inline int wait_for(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace program
