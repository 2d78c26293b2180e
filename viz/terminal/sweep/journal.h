// The journal of a sweep: its finished rows, in a file that survives a kill at any moment.
//
// The first line identifies the sweep, every further line is one row, in order: CRC-32, number and text. The checksum
// of a row is seeded with that of the first line, so that a row of another journal is not accepted. If a line is
// incomplete or damaged, the file counts up to the line before.
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
  /// Opens or creates the file and locks it for this process; reads its rows, at most `most_rows`, and cuts off the
  /// rest. Throws sim::Error, leaving the file unchanged, if it cannot be written, if another process uses it, if it is
  /// an input or an output of this command, or if it is not the journal of the sweep `identity`, with the first
  /// difference.
  SweepJournal(std::filesystem::path file, const nlohmann::ordered_json& identity, std::int64_t most_rows);
  ~SweepJournal();  ///< flushes what it can
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  std::int64_t rows() const { return rows_; }              ///< valid rows in the file, including appended ones
  std::int64_t damaged_bytes() const { return damaged_; }  ///< cut off when opened

  /// Adds a row; it is written after at most 255 more rows, or with the first row at least 100 ms later.
  void append(const std::string& row);

  /// Writes appended rows and waits until they are on disk. Throws sim::Error; complete rows remain.
  void flush();

  /// Passes the rows in order. Throws sim::Error if the file cannot be read or was changed.
  void read(const std::function<void(const std::string& row)>& each) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Descriptor {
    int number = -1;
    ~Descriptor();
  };
  const std::filesystem::path& path() const { return claim_.path(); }
  void open_and_lock();
  std::int64_t size() const;  ///< -1 if not a regular file
  void cut_off();             ///< removes everything after end_
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
  std::int64_t rows_ = 0, end_ = 0, damaged_ = 0;  ///< end_: end of the last valid line, in bytes
  std::string pending_;
  int pending_rows_ = 0;
  Clock::time_point flushed_ = Clock::now();
};

}  // namespace terminal
