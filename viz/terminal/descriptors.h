// Standard input, output and error that are closed when the program starts (>&-).
#pragma once

namespace terminal {

/// Fills the places of closed ones, before any file is opened: a file must not become standard output by taking its
/// number, or texts would go into it. What is written to a filled place still fails.
void fill_closed_descriptors();

bool output_is_closed();  ///< standard output was

}  // namespace terminal
