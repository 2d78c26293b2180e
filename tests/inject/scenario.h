// Commands that are run again and again while one call after another fails, and what they must leave behind.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/inject/plan.h"

namespace inject {

using Files = std::map<std::string, std::string>;  ///< name in the folder -> bytes

struct Scenario {
  std::string name, program;
  std::vector<std::string> words;
  Files before;         ///< what lies in the folder when the command starts
  std::string journal;  ///< the file that a run without failures goes on from
  bool timed = false;   ///< prints and writes times: other numbers in each run, in as many lines
};

struct Outcome {
  int signal = 0, code = -1;
  std::string out, err;
  Files files;  ///< what lies there afterwards
  std::int64_t calls[kinds];
  bool failed;        ///< a call was made to fail
  std::string where;  ///< which, and its callers
};

/// Runs the command in a fresh folder; the n-th call of `kind` fails, n = 0: none. `folder_before` in place of the
/// scenario's own files.
Outcome run(const Scenario& scenario, const Files& folder_before, Kind kind, std::int64_t n);

/// What is wrong with a run in which a call failed; "" when nothing is. `good` is the run without failures.
std::string verdict(const Scenario& scenario, const Outcome& good, const Outcome& outcome);

/// Lets the calls `numbers` of this kind fail, one a run, and returns what went wrong: each kind of wrong at each place
/// once, with the first number and the callers.
std::vector<std::string> inject(const Scenario& scenario, const Outcome& good, Kind kind,
                                const std::vector<std::int64_t>& numbers);

}  // namespace inject
