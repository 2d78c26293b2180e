#include "viz/terminal/lesson/notebook_file.h"

#include <fstream>
#include <iterator>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "viz/files/folder_lock.h"
#include "viz/files/output_file.h"
#include "viz/files/state_folder.h"
#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"

namespace terminal {
namespace {

/// Renames a file to the first free name; returns it.
std::filesystem::path put_aside(const std::filesystem::path& path) {
  for (int n = 1; n < 1000; ++n) {
    const std::filesystem::path name = path.string() + ".unreadable-" + std::to_string(n);
    std::error_code error;
    if (std::filesystem::exists(name, error)) continue;
    std::filesystem::rename(path, name, error);
    return error ? path : name;
  }
  return path;
}

}  // namespace

std::filesystem::path notebook_path() {
  const std::filesystem::path folder = files::state_folder();
  return folder.empty() ? folder : folder / "notebook.json";
}

std::string read_text_file(const std::filesystem::path& path, std::size_t most) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  sim::require(!std::filesystem::exists(status) || std::filesystem::is_regular_file(status), path.string(),
               ": is not a regular file");  // a pipe may never end or deliver
  std::ifstream file = open_input(path);
  sim::require(file.is_open(), path.string(), ": cannot be read");
  std::string text(most + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  sim::require(text.size() <= most, path.string(), ": has more than ", most, " bytes");
  return text;
}

lessons::Notebook load_notebook(const std::filesystem::path& path) {
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error)) return {};
  try {
    return lessons::read_notebook(read_text_file(path, lessons::longest_notebook), path.string());
  } catch (const sim::Error& problem) {
    print_warnings(
        {sim::text("the notebook cannot be read and is kept as ", put_aside(path).string(), ": ", problem.what())});
    return {};
  }
}

lessons::Notebook peek_notebook(const std::filesystem::path& path) {
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error)) return {};
  try {
    return lessons::read_notebook(read_text_file(path, lessons::longest_notebook), path.string());
  } catch (const sim::Error&) {  // load_notebook() warns
    return {};
  }
}

bool save_notebook(const lessons::Notebook& notebook, const std::filesystem::path& path) {
  if (path.empty()) return false;
  try {
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    files::OutputFile file(path);
    file.write(lessons::to_text(notebook));
    file.commit();
    return true;
  } catch (const sim::Error& problem) {
    print_warnings({sim::text("your answers are not kept: ", problem.what())});
    return false;
  }
}

bool add_to_notebook(const lessons::Notebook& mine, const lessons::Notebook& before,
                     const std::filesystem::path& path) {
  files::FolderLock lock;
  if (!path.empty()) lock.take(path.parent_path(), true);
  const lessons::Notebook kept = load_notebook(path);
  if (!kept.student.empty() && kept.student != mine.student) {
    print_warnings(
        {sim::text("your answers are not kept: ", path.string(), " now holds those of ", sim::quoted(kept.student))});
    return false;
  }
  return save_notebook(lessons::merged(kept, mine, before), path);
}

}  // namespace terminal
