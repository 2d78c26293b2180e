// Opens libraries of the CUDA toolkit, from the system or a Python package: PyTorch brings them without a toolkit.
#pragma once
#include <string>
#include <vector>

namespace dev {

/// Existing paths PREFIX/lib/pythonX.Y/{site,dist}-packages/nvidia/*/lib/NAME, sorted. The prefixes are those of an
/// active virtual environment or conda, the user's own and the system's.
std::vector<std::string> in_python_packages(const std::string& name);

/// Opens the first of the names or paths that loads, else the first of the names that a Python package has; null if
/// none loads: why_not_opened() gives the reason.
void* open_library(const std::vector<std::string>& names);

/// The loader's error for the last library that could not be opened; may be empty.
std::string why_not_opened();

}  // namespace dev
