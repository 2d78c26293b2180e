// The softmax of one query, as flashscope simulate --row prints it.
#pragma once
#include "viz/terminal/request.h"

namespace terminal {

/// --row, and the options that go with it alone.
std::vector<OwnOption> row_options();

/// Throws sim::Error for options that do not go with --row, and for those of --row without it. `output`: format of
/// --output; `format`: of the report.
void check_row(const Arguments& arguments, const std::string& output, const std::string& format);

/// Runs the row and prints it, or writes it into the file at `path`. Returns the exit code.
int run_row(Request& request, const Arguments& arguments, const std::string& format,
            const std::optional<std::string>& path);

}  // namespace terminal
