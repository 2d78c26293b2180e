#include "viz/files/complete_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sim/base/read_file.h"
#include "sim/report/run_json.h"
#include "viz/files/checksum.h"
#include "viz/files/output_folder.h"

namespace files {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *complete_name = "complete.json", *incomplete_name = "incomplete.json";
constexpr const char* key = "flashscope-output";  // its value is the version of this format

std::string digits(std::uint32_t checksum) { return fmt::format("{:08x}", checksum); }

/// Reads the list from a file; null if it is missing or FlashScope did not write it.
Json read_list(const fs::path& path) {
  try {
    Json list = Json::parse(sim::read_file(path.string(), 1 << 20), nullptr, false);
    const bool ours = list.is_object() && list.contains(key) && list.contains("files") && list["files"].is_array();
    return ours ? list : Json(nullptr);
  } catch (const sim::Error&) {
    return nullptr;
  }
}

void check_ours(const fs::path& path) {
  std::error_code ignored;
  const bool there = fs::exists(fs::symlink_status(path, ignored));
  sim::require(!there || !read_list(path).is_null(), "output-dir ", path.parent_path().string(), ": ",
               path.filename().string(), " there is not FlashScope's and would be replaced: name another folder");
}

/// The entry of a file; null if there is none.
Json entry_of(const Json& list, const std::string& name) {
  if (list.is_null()) return nullptr;
  for (const Json& entry : list["files"]) {
    if (entry.is_object() && entry.value("name", Json()) == name) return entry;
  }
  return nullptr;
}

/// The CRC-32 of the first `size` bytes of a file.
std::string checksum_of(const fs::path& path, std::uintmax_t size) {
  std::ifstream in(path, std::ios::binary);
  std::array<char, 1 << 16> piece;
  std::uint32_t sum = 0;
  while (size > 0 && in) {
    in.read(piece.data(), static_cast<std::streamsize>(std::min<std::uintmax_t>(size, piece.size())));
    const auto length = static_cast<std::size_t>(in.gcount());
    sum = checksum(sum, {piece.data(), length});
    size -= length;
  }
  return digits(sum);
}

/// True if a file has the size and checksum of its entry.
bool agrees(const Json& entry, const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  return !error && entry.value("bytes", Json()) == size && entry.value("crc32", Json()) == checksum_of(file, size);
}

/// Advice for the user: "run it again: flashscope simulate --output-dir d".
std::string again(const Json& list) {
  const Json command = list.value("command", Json());
  return command.is_string() ? "run it again: " + command.get<std::string>() : "write it again";
}

std::string doubt_beside(const fs::path& file) {
  const std::string name = file.filename().string();
  if (const Json list = read_list(file.parent_path() / complete_name); !list.is_null()) {
    const Json entry = entry_of(list, name);
    if (entry.is_null() || agrees(entry, file)) return "";
    return sim::text("is not the file that ", complete_name, " next to it lists: it has changed or is of another run; ",
                     again(list), ", or delete ", complete_name, " if that is meant");
  }
  const Json list = read_list(file.parent_path() / incomplete_name);
  if (entry_of(list, name).is_null()) return "";
  return sim::text("is of a set that was not completed, according to ", incomplete_name,
                   " next to it: the folder may hold files of two runs; ", again(list));
}

}  // namespace

CompleteMark::CompleteMark(const fs::path& folder, std::string command)
    : command_(std::move(command)), incomplete_(folder / incomplete_name), complete_("output", folder / complete_name) {
  check_ours(folder / incomplete_name);
  check_ours(folder / complete_name);
}

void CompleteMark::prepare(const std::list<OutputFile>& files) {
  Json list = Json::array();
  for (const OutputFile& file : files) {
    if (file.path().parent_path() != incomplete_.path().parent_path()) continue;  // --output outside --output-dir
    list.push_back(
        {{"name", file.path().filename().string()}, {"bytes", file.size()}, {"crc32", digits(file.checksum())}});
  }
  incomplete_.write(report::to_text({{key, 1}, {"command", command_}, {"files", list}}));
  incomplete_.prepare();
}

// Nothing may fail between a rename and the record of it: names and messages are built before, or after a failure.
void CompleteMark::begin() {
  incomplete_.replace();
  TemporaryName aside(temporary_in(complete_.path().parent_path()));
  moved_ = ::rename(complete_.path().c_str(), aside.c_str()) == 0;
  if (moved_)
    old_ = std::move(aside);
  else if (errno != ENOENT)
    complete_.fail("cannot be replaced");
  sync_folder_of(complete_.path());  // before the first file changes
}

void CompleteMark::end() {
  if (::rename(incomplete_.path().c_str(), complete_.path().c_str()) != 0) complete_.fail("cannot be completed");
}

void CompleteMark::take_back() noexcept {
  if (moved_) ::rename(old_.c_str(), complete_.path().c_str());
  incomplete_.take_back();
}

void CompleteMark::settle() noexcept {
  old_ = TemporaryName();
  incomplete_.settle();
}

std::string doubt_of_set(const fs::path& file) {
  std::string doubt = doubt_beside(file);
  if (!doubt.empty() || !fs::is_symlink(file)) return doubt;
  return doubt_beside(place_of(file).target);
}

}  // namespace files
