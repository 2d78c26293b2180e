#include "viz/terminal/colour_rule.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace terminal {
namespace {

std::optional<bool> chosen_colours;

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

void choose_colours(const Arguments& arguments) {
  const auto choice = arguments.common.find("color");
  if (choice != arguments.common.end() && choice->second != "auto") chosen_colours = choice->second == "always";
}

bool takes_escapes(int descriptor) {
  const std::string_view terminal = variable("TERM");
  return ::isatty(descriptor) != 0 && !terminal.empty() && terminal != "dumb";
}

bool colours_wanted() { return chosen_colours.value_or(takes_escapes(STDOUT_FILENO) && variable("NO_COLOR").empty()); }

}  // namespace terminal
