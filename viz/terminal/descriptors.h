// Standard input, output and error that are closed at program start (>&-).
#pragma once

namespace terminal {

/// Fills closed standard descriptors before any file is opened: otherwise a file could get the number of standard
/// output, and printed text would go into it. Writing to a filled one still fails.
void fill_closed_descriptors();

bool output_is_closed();  ///< standard output was closed at start

}  // namespace terminal
