#include "sim/base/embedded.h"
#include "sim/base/nearest.h"
#include "sim/programs/program.h"

namespace sim {

namespace {

std::vector<Program>& all() {
  using namespace programs;
  static std::vector<Program> programs = {standard,     memory_efficient,   rabe_staats, fmha,
                                          flash1,       flash1_q_outer,     flash2,      flash_decoding,
                                          block_sparse, flash2_block_sparse};
  return programs;
}

void add_names(const std::vector<Program>& programs, std::vector<std::string>& names) {
  for (const Program& program : programs) names.emplace_back(program.name);
}

}  // namespace

const std::vector<Program>& catalog() { return all(); }

const std::vector<Program>& variants() {
  static const std::vector<Program> programs = {programs::flash1_released, programs::flash1_released_1};
  return programs;
}

bool add_program(const Program& program) {
  all().push_back(program);
  return true;
}

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  add_names(catalog(), names);
  return names;
}

std::vector<std::string> all_program_names() {
  std::vector<std::string> names = program_names();
  add_names(variants(), names);
  return names;
}

const Program& find_program(std::string_view name) {
  for (const auto* programs : {&catalog(), &variants()}) {
    for (const Program& program : *programs) {
      if (program.name == name) return program;
    }
  }
  throw Error(unknown_name_message("algorithm", name, all_program_names()));
}

std::string_view name_of(Pass pass) {
  constexpr std::string_view names[] = {"forward", "backward", "forward+backward"};
  return names[static_cast<int>(pass)];
}

std::string_view listing_text(std::string_view listing) {
  for (const Program& program : catalog()) {
    if (program.forward.listing == listing || program.backward.listing == listing) return program.text(listing);
  }
  return embedded_text(listing);
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
  const std::size_t comment = line.find("  //");
  return comment == std::string::npos ? line : line.substr(0, line.find_last_not_of(' ', comment) + 1);
}

}  // namespace sim
