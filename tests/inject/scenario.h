// Commands that run repeatedly, each time with another failing call, and checks of the state that they leave.
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
  Files before;        ///< files in the folder when the command starts
  bool timed = false;  ///< prints and writes times: numbers vary between runs, the number of lines does not
};

struct Outcome {
  int signal = 0, code = -1;
  std::string out, err;
  Files files;  ///< files in the folder afterwards
  std::int64_t calls[kinds];
  bool failed;        ///< a call was made to fail
  std::string where;  ///< the failed call and its callers
};

/// Runs the command in a fresh folder with these files in place of the scenario's own; the n-th call of `kind` fails,
/// or none if n = 0.
Outcome run(const Scenario& scenario, const Files& folder_before, Kind kind, std::int64_t n);

/// Returns an error for the result of a run in which a call failed; "" if it is correct. `good` is the run without
/// failures.
std::string verdict(const Scenario& scenario, const Outcome& good, const Outcome& outcome);

/// Makes the calls `numbers` of this kind fail, one in each run, and returns the errors: each once per kind and place,
/// with the first number and the callers.
std::vector<std::string> inject(const Scenario& scenario, const Outcome& good, Kind kind,
                                const std::vector<std::int64_t>& numbers);

}  // namespace inject
