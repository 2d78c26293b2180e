// The softmax of one query, for flashscope simulate --row.
#pragma once
#include "viz/terminal/request.h"

namespace terminal {

/// --row, and the options that require it.
std::vector<CommandOption> row_options();

/// Throws sim::Error for options that conflict with --row, and for those that require it. `output`: format of --output;
/// `format`: of the report.
void check_row(const Arguments& arguments, const std::string& output, const std::string& format);

/// Runs the row and prints it, or writes it to the file at `path`. Returns the exit code.
int run_row(Request& request, const Arguments& arguments, const std::string& format,
            const std::optional<std::string>& path);

}  // namespace terminal
