// The journal of a sweep: the rows that are done, in a file that a kill at any moment cannot spoil.
//
// The first line names the sweep, every further line is one row, in order: CRC-32, number and text. The checksum of a
// row begins with that of the first line, so that a row of another journal is not taken for one of this. A file that
// ends within a line, or has one that is not as it was written, counts up to the line before.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "viz/files/files_in_use.h"

namespace terminal {

class SweepJournal {
 public:
  /// Opens or creates the file and locks it for this process; reads the rows that are there, at most `most_rows`, and
  /// cuts off what follows them. Throws sim::Error, with the file untouched, when it cannot be written, when another
  /// process has it, when it is an input or an output of this command, or when it is not the journal of the sweep
  /// `identity`, with the first difference.
  SweepJournal(std::filesystem::path file, const nlohmann::ordered_json& identity, std::int64_t most_rows);
  ~SweepJournal();  ///< flushes what it can
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  std::int64_t rows() const { return rows_; }              ///< good rows in the file, and those appended
  std::int64_t damaged_bytes() const { return damaged_; }  ///< cut off when opened

  /// Adds a row; it is in the file at the latest after 255 more rows, or with the first one that comes 100 ms later.
  void append(const std::string& row);

  /// Writes what was appended and waits until it is on the disk. Throws sim::Error; whole rows stay.
  void flush();

  /// The rows in order. Throws sim::Error when the file cannot be read or is no longer what it was.
  void read(const std::function<void(const std::string& row)>& each) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Descriptor {
    int number = -1;
    ~Descriptor();
  };
  const std::filesystem::path& path() const { return claim_.path(); }
  void open_and_lock();
  std::int64_t size() const;  ///< -1: not a regular file
  void cut_off();             ///< what follows end_
  void recognise(const std::string& first, const nlohmann::ordered_json& identity) const;
  void refuse_other_files(const nlohmann::ordered_json& there, const nlohmann::ordered_json& here) const;
  void refuse_other_build(nlohmann::ordered_json there, nlohmann::ordered_json here) const;
  void write(const std::string& text);
  std::string line(std::int64_t number, const std::string& row) const;
  [[noreturn]] void fail(const char* what) const;

  files::OutputClaim claim_;
  std::string header_;      ///< the first line
  std::uint32_t seed_ = 0;  ///< its checksum
  Descriptor descriptor_;
  std::int64_t rows_ = 0, end_ = 0, damaged_ = 0;  ///< end_: of the last good line, in bytes
  std::string pending_;
  int pending_rows_ = 0;
  Clock::time_point flushed_ = Clock::now();
};

}  // namespace terminal
