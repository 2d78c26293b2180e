// Journals of sweep: rows of a damaged journal are the first of those written, and new ones follow them; or it is an
// Error, and the file is unchanged. An input "POSITION COUNT\nBYTES" replaces COUNT bytes of a valid journal by BYTES;
// any other input is the whole file.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "sim/base/check.h"
#include "tests/fuzz/invariant.h"
#include "viz/terminal/sweep/journal.h"

namespace {

using terminal::SweepJournal;
using Rows = std::vector<std::string>;

constexpr std::int64_t most_rows = 6;
const Rows written = {"[1,\"a\"]", "[2]", "[]", "[4,null,\"\xc3\xa9\"]"};
const nlohmann::ordered_json identity = {{"version", "1"}, {"axes", {"seqlen", "gpu"}}};

/// A file in memory for the lifetime of this object.
class File {
 public:
  File() : descriptor_(::memfd_create("journal", MFD_CLOEXEC)) { sim::require(descriptor_ >= 0, "no file in memory"); }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::string path() const { return sim::text("/proc/self/fd/", descriptor_); }

  std::string read() const {
    std::string text(static_cast<std::size_t>(::lseek(descriptor_, 0, SEEK_END)), '\0');
    fuzz::check(::pread(descriptor_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()), "it is read");
    return text;
  }
  void write(std::string_view text) const {
    fuzz::check(::ftruncate(descriptor_, 0) == 0 &&
                    ::pwrite(descriptor_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()),
                "it is written");
  }

 private:
  int descriptor_;
};

Rows rows_of(const SweepJournal& journal) {
  Rows rows;
  journal.read([&](const std::string& row) { rows.push_back(row); });
  return rows;
}

std::string good_journal() {
  const File file;
  SweepJournal journal(file.path(), identity, most_rows);
  for (const std::string& row : written) journal.append(row);
  journal.flush();
  return file.read();
}

/// The valid journal, changed as the input prescribes; empty if the input has another form.
std::optional<std::string> changed(std::string journal, const std::string& input) {
  std::size_t position = 0, count = 0;
  int read = 0;
  if (std::sscanf(input.c_str(), "%5zu %5zu%n", &position, &count, &read) != 2) return std::nullopt;
  position %= journal.size() + 1;
  const std::size_t bytes = std::min(static_cast<std::size_t>(read) + 1, input.size());
  return journal.replace(position, count, input.substr(bytes));
}

void check_journal(const File& file, bool changed) {
  const Rows next = {"[\"next\"]"};
  Rows rows;
  {
    SweepJournal journal(file.path(), identity, most_rows);
    rows = rows_of(journal);
    fuzz::check(static_cast<std::int64_t>(rows.size()) == journal.rows(), "all of its rows are read");
    fuzz::check(!changed || (rows.size() <= written.size() && std::equal(rows.begin(), rows.end(), written.begin())),
                "its rows are the first of those that were written");
    if (rows.size() == static_cast<std::size_t>(most_rows)) return;
    journal.append(next[0]);
    rows.push_back(next[0]);
  }
  fuzz::check(rows_of(SweepJournal(file.path(), identity, most_rows)) == rows, "the next row comes behind them");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string good = good_journal();
  const std::string input(reinterpret_cast<const char*>(data), size);
  const auto edited = changed(good, input);
  const std::string before = edited.value_or(input);
  const File file;
  file.write(before);
  try {
    check_journal(file, edited.has_value());
  } catch (const sim::Error& error) {
    fuzz::check(*error.what() != '\0' && file.read() == before, "a file that is refused stays as it is");
  }
  return 0;
}
