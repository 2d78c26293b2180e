#include "viz/terminal/sweep/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/check.h"
#include "sim/report/run_json.h"
#include "viz/files/checksum.h"
#include "viz/files/output_folder.h"

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t checksum_digits = 8;

std::string with_checksum(std::uint32_t seed, const std::string& text) {
  return fmt::format("{:08x} {}\n", files::checksum(seed, text), text);
}

/// The row on line `number`, "" if the line is too short for one.
std::string row_in(const std::string& line, std::int64_t number) {
  const std::size_t start = checksum_digits + 1 + std::to_string(number).size() + 1;
  return line.size() > start ? line.substr(start, line.size() - start - 1) : "";
}

/// Reads the lines of a file from its start, each with its newline; the last may lack it.
class Lines {
 public:
  explicit Lines(int descriptor) : file_(::fdopen(::dup(descriptor), "rb")) {
    if (file_ != nullptr) std::rewind(file_);
  }
  ~Lines() {
    if (file_ != nullptr) std::fclose(file_);
    std::free(buffer_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  bool failed() const { return file_ == nullptr || std::ferror(file_) != 0; }
  /// Reads a line; false at the end or after a failure.
  bool next(std::string& line) {
    const ssize_t length = file_ == nullptr ? -1 : ::getline(&buffer_, &capacity_, file_);
    line.assign(length < 0 ? "" : buffer_, length < 0 ? 0 : static_cast<std::size_t>(length));
    return length >= 0;
  }

 private:
  std::FILE* file_;
  char* buffer_ = nullptr;
  std::size_t capacity_ = 0;
};

/// First difference of two identities: `axes/0/name is "head-dim" there and "gpu" here`.
std::string first_difference(const Json& there, const Json& here) {
  const Json flat_there = there.flatten(), flat_here = here.flatten();
  const auto shown = [](const Json& flat, const std::string& key) {
    return flat.contains(key) ? report::to_line(flat.at(key)).substr(0, 100) : "not given";
  };
  const auto differs = [](const Json& flat, const std::string& key, const Json& value) {
    return flat.contains(key) ? flat.at(key) != value : !value.is_null();  // null: an empty list or object
  };
  for (const bool from_here : {true, false}) {
    for (const auto& [key, value] : (from_here ? flat_here : flat_there).items()) {
      if (!differs(from_here ? flat_there : flat_here, key, value)) continue;
      return key.substr(1) + " is " + shown(flat_there, key) + " there and " + shown(flat_here, key) + " here";
    }
  }
  return "its fields have another order";
}

}  // namespace

SweepJournal::Descriptor::~Descriptor() {
  if (number >= 0) ::close(number);
}

SweepJournal::SweepJournal(std::filesystem::path file, const Json& identity, std::int64_t most_rows)
    : claim_("resume", std::move(file)) {
  const std::string name = report::to_line({{"flashscope-sweep-journal", 1}, {"sweep", identity}});
  header_ = with_checksum(0, name);
  seed_ = files::checksum(0, name);
  open_and_lock();
  std::string first;
  Lines lines(descriptor_.number);
  lines.next(first);
  if (lines.failed()) fail("cannot be read");
  if (first != header_ && header_.rfind(first, 0) == 0) {  // new, or killed while writing this line
    cut_off();
    write(header_);
    files::sync_folder_of(path());
    return;
  }
  recognise(first, identity);
  end_ = static_cast<std::int64_t>(header_.size());
  std::string next;
  while (rows_ < most_rows && lines.next(next) && next == line(rows_, row_in(next, rows_))) {
    end_ += static_cast<std::int64_t>(next.size());
    ++rows_;
  }
  if (lines.failed()) fail("cannot be read");
  cut_off();
}

SweepJournal::~SweepJournal() {
  try {
    flush();
  } catch (const std::exception&) {  // an error is already being handled, or the last rows are recomputed next time
  }
}

void SweepJournal::open_and_lock() {
  descriptor_.number = ::open(path().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_.number < 0) fail("cannot be opened");
  sim::require(size() >= 0, "resume ", path().string(), ": is not a regular file");
  if (::flock(descriptor_.number, LOCK_EX | LOCK_NB) == 0) return;
  sim::require(errno != EWOULDBLOCK, "resume ", path().string(), ": is in use by another sweep");
  fail("cannot be locked");
}

std::int64_t SweepJournal::size() const {
  struct stat status {};
  if (::fstat(descriptor_.number, &status) != 0) fail("cannot be read");
  return S_ISREG(status.st_mode) ? status.st_size : -1;
}

void SweepJournal::cut_off() {
  damaged_ = size() - end_;
  if (damaged_ > 0 && ::ftruncate(descriptor_.number, end_) != 0) fail("cannot be written");
}

void SweepJournal::recognise(const std::string& first, const Json& identity) const {
  if (first == header_) return;
  const std::string text = first.size() > checksum_digits + 2 ? first.substr(checksum_digits + 1) : "";
  const Json found = Json::parse(text, nullptr, false);
  const bool journal = found.is_object() && found.contains("flashscope-sweep-journal") && found.contains("sweep") &&
                       first == with_checksum(0, text.substr(0, text.size() - 1));
  sim::require(journal, "resume ", path().string(),
               ": is not the journal of a sweep, or its first line is damaged; it stays as it is");
  refuse_other_files(found["sweep"], identity);
  refuse_other_build(found["sweep"], identity);
  throw sim::Error(sim::text("resume ", path().string(),
                             ": is the journal of another sweep: ", first_difference(found["sweep"], identity)));
}

/// Throws if the sweep is equal but one of its files has changed.
void SweepJournal::refuse_other_files(const Json& there, const Json& here) const {
  if (!there.is_object() || !there.contains("files") || !here.contains("files")) return;
  for (const auto& [name, checksum] : here["files"].items()) {
    sim::require(there["files"].value(name, checksum) == checksum, "resume ", path().string(), ": ", name,
                 " has changed since this sweep began, and the rows may differ: restore it, name another file to start "
                 "again, or delete ",
                 path().string());
  }
}

/// Throws if the sweep is equal but the simulator differs: its rows and the new ones must not be mixed.
void SweepJournal::refuse_other_build(Json there, Json here) const {
  const auto take = [](Json& identity) {
    if (!identity.is_object()) return std::string();
    const Json sources = identity.value("sources", Json("unknown"));  // absent in a journal of an old version
    identity.erase("sources");
    return sources.is_string() ? sources.get<std::string>() : report::to_line(sources);
  };
  const std::string old_sources = take(there), our_sources = take(here);
  sim::require(there != here, "resume ", path().string(), ": was begun by a program of other sources, ", old_sources,
               " there and ", our_sources, " here, whose rows may differ: name another file to start again, delete ",
               path().string(), ", or resume with the program that began it");
}

std::string SweepJournal::line(std::int64_t number, const std::string& row) const {
  return with_checksum(seed_, fmt::format("{} {}", number, row));
}

void SweepJournal::append(const std::string& row) {
  constexpr int most_pending = 256;
  constexpr auto longest_wait = std::chrono::milliseconds(100);
  pending_ += line(rows_ + pending_rows_, row);
  ++pending_rows_;
  if (pending_rows_ >= most_pending || Clock::now() - flushed_ >= longest_wait) flush();
}

void SweepJournal::flush() {
  if (pending_rows_ == 0) return;
  const int count = std::exchange(pending_rows_, 0);
  write(std::exchange(pending_, ""));
  rows_ += count;
  flushed_ = Clock::now();
}

void SweepJournal::write(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::pwrite(descriptor_.number, text.data() + done, text.size() - done,
                                     static_cast<off_t>(end_) + static_cast<off_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("cannot be written");  // a partial row is cut off next time
    done += static_cast<std::size_t>(written);
  }
  if (::fdatasync(descriptor_.number) != 0) fail("cannot be written");
  end_ += static_cast<std::int64_t>(text.size());
}

void SweepJournal::read(const std::function<void(const std::string&)>& each) const {
  Lines lines(descriptor_.number);
  std::string next;
  lines.next(next);
  for (std::int64_t number = 0; number < rows_; ++number) {
    if (!lines.next(next) && lines.failed()) fail("cannot be read");
    const std::string row = row_in(next, number);
    sim::require(next == line(number, row), "resume ", path().string(), ": was changed by others while the sweep ran");
    each(row);
  }
}

void SweepJournal::fail(const char* what) const {
  throw sim::Error(sim::text("resume ", path().string(), ": ", what, ": ", std::strerror(errno)));
}

}  // namespace terminal
