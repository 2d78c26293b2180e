#include "kernels/dev/python_packages.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace dev {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

/// Entries of a folder, sorted; empty if it cannot be read.
Paths entries_of(const fs::path& folder) {
  std::error_code error;
  Paths entries;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    entries.push_back(at->path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

Paths prefixes() {
  Paths prefixes;
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const char* value = std::getenv(variable)) prefixes.emplace_back(value);
  }
  if (const char* home = std::getenv("HOME")) prefixes.push_back(fs::path(home) / ".local");
  prefixes.insert(prefixes.end(), {"/usr/local", "/usr"});
  return prefixes;
}

/// Folders PREFIX/lib/pythonX.Y/{site,dist}-packages/nvidia/*.
Paths nvidia_packages(const fs::path& prefix) {
  Paths packages;
  for (const fs::path& python : entries_of(prefix / "lib")) {
    if (!python.filename().string().starts_with("python")) continue;
    for (const char* folder : {"site-packages", "dist-packages"}) {
      const Paths more = entries_of(python / folder / "nvidia");
      packages.insert(packages.end(), more.begin(), more.end());
    }
  }
  return packages;
}

}  // namespace

std::vector<std::string> in_python_packages(const std::string& name) {
  std::vector<std::string> found;
  for (const fs::path& prefix : prefixes()) {
    for (const fs::path& package : nvidia_packages(prefix)) {
      const fs::path library = package / "lib" / name;
      std::error_code error;
      if (fs::exists(library, error)) found.push_back(library.string());
    }
  }
  return found;
}

std::string why_not_opened() {
  const char* reason = dlerror();
  return reason == nullptr ? "the loader gives no reason" : reason;
}

void* open_library(const std::vector<std::string>& names) {
  const auto open = [](const std::string& path) { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); };
  for (const std::string& name : names) {
    if (void* library = open(name)) return library;
  }
  for (const std::string& name : names) {
    if (name.find('/') != std::string::npos) continue;
    for (const std::string& path : in_python_packages(name)) {
      if (void* library = open(path)) return library;
    }
  }
  return nullptr;
}

}  // namespace dev
