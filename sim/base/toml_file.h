// TOML that anyone may have written: device files and lessons. A file is hostile until proven otherwise; what comes out
// is a table, and every error names the file and the line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

// toml++ 3.3 asserts where it has not refused malformed input before, as in a = 1979-02-27Tb7. Here a failed assertion
// is an error of the file, in every build.
namespace sim {
struct FailedTomlAssertion {};
[[noreturn]] inline void fail_toml_assertion() { throw FailedTomlAssertion{}; }
}  // namespace sim
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? void() : sim::fail_toml_assertion())
#include <toml++/toml.h>

namespace sim {

/// What a kind of file may hold.
struct TomlRules {
  std::string_view what;                 ///< "a device file", for errors
  std::size_t longest;                   ///< bytes; bounds how deep dotted keys can nest
  std::vector<std::string_view> tables;  ///< lines that begin a table: "[[step]]"
};

/// Throws Error for what is not TOML or breaks the rules. `origin` names the file in errors.
toml::table read_toml(std::string_view text, const std::string& origin, const TomlRules& rules);

/// "toy.toml:12: "
std::string at_line(const std::string& origin, const toml::source_region& region);

/// Throws Error for names in a table that are not among the known ones; `what` they are: "field".
void check_names(const toml::table& table, const std::vector<std::string>& known, const std::string& what,
                 const std::string& origin);

/// The text of a node: one line that is not blank, of at most 500 bytes unless `longest` says otherwise. Throws Error;
/// `where` and `name` say which.
std::string toml_text(const toml::node* node, std::string_view name, const std::string& where,
                      std::size_t longest = 500);

}  // namespace sim
