#include "viz/terminal/lesson/notebook_file.h"

#include "sim/base/printable.h"
#include "sim/base/read_file.h"
#include "viz/files/folder_lock.h"
#include "viz/files/output_file.h"
#include "viz/files/state_folder.h"
#include "viz/terminal/command.h"

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

/// Reads a notebook; empty if there is none, or with the warning that `warning_for` returns if its contents are
/// damaged.
template <class WarningFor>
lessons::Notebook read_or_report(const std::filesystem::path& path, WarningFor warning_for) {
  if (path.empty()) return {};
  try {
    return lessons::read_notebook(sim::read_file(path.string(), lessons::longest_notebook), path.string());
  } catch (const sim::FileError& error) {
    if (error.is_missing()) return {};
    throw sim::FileError(
        sim::Sentence::of("the notebook ", error,
                          ": ask for the right to read it, or set XDG_STATE_HOME to a folder of your own"),
        false);
  } catch (const sim::Error& damage) {
    print_warnings({warning_for(damage.what())});
    return {};
  }
}

bool not_kept(const std::string& reason) {
  print_warnings({"your answers are not kept: " + reason});
  return false;
}

}  // namespace

std::filesystem::path notebook_path() {
  const std::filesystem::path folder = files::state_folder();
  return folder.empty() ? folder : folder / "notebook.json";
}

lessons::Notebook load_notebook(const std::filesystem::path& path) {
  return read_or_report(path, [&](const std::string& damage) {
    return sim::text("the notebook cannot be read and is kept as ", put_aside(path).string(), ": ", damage);
  });
}

lessons::Notebook peek_notebook(const std::filesystem::path& path) {
  return read_or_report(path, [](const std::string& damage) {
    return sim::text("the notebook is damaged: ", damage, ": the next answer begins another, and this one is kept");
  });
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
    return not_kept(problem.what());
  }
}

bool add_to_notebook(const lessons::Notebook& mine, const lessons::Notebook& before,
                     const std::filesystem::path& path) {
  files::FolderLock lock;
  if (!path.empty()) lock.take(path.parent_path(), true);
  lessons::Notebook kept;
  try {
    kept = load_notebook(path);
  } catch (const sim::FileError& error) {
    return not_kept(error.what());
  }
  if (!kept.student.empty() && kept.student != mine.student)
    return not_kept(sim::text(path.string(), " now holds those of ", sim::quoted(kept.student)));
  return save_notebook(lessons::merged(kept, mine, before), path);
}

}  // namespace terminal
