// TOML from untrusted files: device files and lessons. Returns a table; every error names the file and the line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

// toml++ 3.3 asserts on some malformed input that it failed to reject, such as a = 1979-02-27Tb7. Here a failed
// assertion is an error in the file, in every build.
namespace sim {
struct FailedTomlAssertion {};
[[noreturn]] inline void fail_toml_assertion() { throw FailedTomlAssertion{}; }
}  // namespace sim
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? void() : sim::fail_toml_assertion())
#include <toml++/toml.h>

namespace sim {

/// Limits of a kind of file.
struct TomlRules {
  std::string_view what;                 ///< "a device file", for errors
  std::size_t longest;                   ///< bytes; bounds how deep dotted keys can nest
  std::vector<std::string_view> tables;  ///< lines that begin a table: "[[step]]"
};

/// Parses TOML. Throws Error if the text is not TOML or breaks the rules; `origin` names the file in errors.
toml::table read_toml(std::string_view text, const std::string& origin, const TomlRules& rules);

/// Returns "toy.toml:12: ".
std::string at_line(const std::string& origin, const toml::source_region& region);

/// Throws Error if a table has a name that is not among `known`; `what` is the noun for the error: "field".
void check_names(const toml::table& table, const std::vector<std::string>& known, const std::string& what,
                 const std::string& origin);

/// Returns the text of a node: one line that is not blank, of at most `longest` bytes. Throws Error otherwise,
/// located by `where` and `name`.
std::string toml_text(const toml::node* node, std::string_view name, const std::string& where,
                      std::size_t longest = 500);

}  // namespace sim
