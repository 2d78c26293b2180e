// Libraries of the CUDA toolkit, opened where the system or a Python package has them: who has PyTorch has these, often
// without a toolkit.
#pragma once
#include <string>
#include <vector>

namespace dev {

/// PREFIX/lib/pythonX.Y/{site,dist}-packages/nvidia/*/lib/NAME, as far as they exist, in the order of their paths. The
/// prefixes are those of an active virtual environment or conda, the user's own and the system's.
std::vector<std::string> in_python_packages(const std::string& name);

/// The first of the names or paths that opens, else the first of the names that a Python package has; null when none
/// does: why_not_opened() says why.
void* open_library(const std::vector<std::string>& names);

/// The loader's reason for the last library that could not be opened; it may have none.
std::string why_not_opened();

}  // namespace dev
