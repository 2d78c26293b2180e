#include <algorithm>

#include "sim/base/embedded.h"
#include "sim/base/nearest.h"
#include "sim/programs/programs.h"
#include "sim/programs/recorded/program_of.h"
#include "sim/programs/scenario.h"
#include "sim/trace/line_comment.h"

namespace sim {

namespace {

/// Built-in programs; pointers to them stay valid when one is added.
std::deque<Program>& all() {
  using namespace programs;
  static std::deque<Program> programs = {
      standard, memory_efficient, rabe_staats,         fmha,       flash1,       flash1_q_outer,      flash2,
      flash3,   flash_decoding,   flash_decoding_plus, mla_decode, block_sparse, flash2_block_sparse, paged_attention};
  return programs;
}

/// A program that is never gone.
std::shared_ptr<const Program> built_in(const Program& program) { return {std::shared_ptr<const Program>{}, &program}; }

}  // namespace

std::string_view default_algorithm() { return programs::flash2.name; }

const std::deque<Program>& built_in_programs() { return all(); }

const std::vector<Program>& variants() {
  static const std::vector<Program> programs = {programs::standard_pytorch, programs::flash1_released,
                                                programs::flash1_released_1, programs::flash2_released};
  return programs;
}

bool add_program(const Program& program) {
  all().push_back(program);
  return true;
}

std::vector<std::shared_ptr<const Program>> programs_now() {
  std::vector<std::shared_ptr<const Program>> programs;
  for (const Program& program : built_in_programs()) programs.push_back(built_in(program));
  for (auto& program : loaded_programs()) programs.push_back(std::move(program));
  return programs;
}

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& program : programs_now()) names.emplace_back(program->name);
  return names;
}

std::vector<std::string> all_program_names() {
  std::vector<std::string> names = program_names();
  for (const Program& program : variants()) names.emplace_back(program.name);
  return names;
}

std::shared_ptr<const Program> recorded::find_built_in(std::string_view name) {
  const auto has_name = [&](const Program& program) { return program.name == name; };
  const auto built_in_one = std::find_if(built_in_programs().begin(), built_in_programs().end(), has_name);
  if (built_in_one != built_in_programs().end()) return built_in(*built_in_one);
  const auto variant = std::find_if(variants().begin(), variants().end(), has_name);
  return variant != variants().end() ? built_in(*variant) : nullptr;
}

std::vector<std::string> recorded::built_in_names() {
  std::vector<std::string> names;
  for (const Program& program : built_in_programs()) names.emplace_back(program.name);
  for (const Program& program : variants()) names.emplace_back(program.name);
  return names;
}

std::shared_ptr<const Program> find_program(std::string_view name) {
  if (auto program = recorded::find_built_in(name)) return program;
  for (auto& program : loaded_programs()) {
    if (program->name == name) return program;
  }
  throw Error(unknown_name_message("algorithm", name, all_program_names()));
}

std::string_view name_of(Pass pass) {
  constexpr std::string_view names[] = {"forward", "backward", "forward+backward"};
  return names[static_cast<int>(pass)];
}

std::string_view name_of(TilingRule rule) {
  constexpr std::string_view names[] = {"kernel", "paper", "released", "released-1"};
  return names[static_cast<int>(rule)];
}

std::string_view listing_text(std::string_view listing) {
  for (const Program& program : built_in_programs()) {
    if (program.forward.listing == listing || program.backward.listing == listing) return program.text(listing);
  }
  const std::string_view source = recorded::source_of(listing);
  return source.empty() ? embedded_text(listing) : source;
}

std::string listing_line(std::string_view listing, int number) {
  std::string_view text = listing_text(listing);
  for (int line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  const std::size_t start = text.find_first_not_of(' ');
  return start == std::string_view::npos ? "" : std::string(text.substr(start));
}

std::string listing_code(std::string_view listing, int number) {
  const std::string line = listing_line(listing, number);
  const std::size_t comment = comment_at(line);
  return comment == std::string::npos ? line : line.substr(0, line.find_last_not_of(' ', comment) + 1);
}

}  // namespace sim
