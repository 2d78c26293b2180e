#include "sim/base/npy_header.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/printable.h"

namespace sim {
namespace {

class HeaderParser {
 public:
  HeaderParser(std::string_view header, const std::string& name) : rest_(header), size_(header.size()), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    expect('{');
    while (!accept('}')) {
      read_entry(header);
      if (accept('}')) break;
      expect(',');
    }
    skip_space();
    check(rest_.empty(), "nothing after '}'");
    return header;
  }

 private:
  void read_entry(NpyHeader& header) {
    const std::string key = quoted();
    expect(':');
    if (key == "descr") {
      set(header.descr, key, quoted());
    } else if (key == "fortran_order") {
      set(header.fortran_order, key, boolean());
    } else if (key == "shape") {
      set(header.shape, key, tuple());
    } else {
      throw Error(text(name_, ": unknown key '", shown_of_npy(key),
                       "' in the npy header, allowed are descr, fortran_order, shape"));
    }
  }

  template <class Value>
  void set(std::optional<Value>& field, const std::string& key, Value value) {
    require(!field, name_, ": key '", key, "' appears twice in the npy header");
    field = std::move(value);
  }

  std::string quoted() {
    skip_space();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    check(quote == '\'' || quote == '"', "a string in quotes");
    const std::size_t end = rest_.find(quote, 1);
    check(end != std::string_view::npos, "a closing quote");
    std::string result(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return result;
  }

  bool boolean() {
    if (accept("True")) return true;
    check(accept("False"), "True or False");
    return false;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> result;
    expect('(');
    while (!accept(')')) {
      result.push_back(integer());
      require(result.size() <= largest_npy_rank, name_, ": more than ", largest_npy_rank,
              " dimensions, allowed are 1 to 4");
      if (accept(')')) break;
      expect(',');
    }
    return result;
  }

  std::int64_t integer() {
    skip_space();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    check(error == std::errc{}, "an integer below 2^63");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (rest_.starts_with('L')) rest_.remove_prefix(1);  // a long of Python 2
    return value;
  }

  bool accept(std::string_view word) {
    skip_space();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool accept(char c) { return accept(std::string_view(&c, 1)); }
  void expect(char c) { check(accept(c), std::string{'\'', c, '\''}); }
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  void check(bool condition, std::string_view expected) const {
    require(condition, name_, ": npy header, character ", size_ - rest_.size(), ": expected ", expected, ", found \"",
            shown_of_npy(rest_), "\"");
  }

  std::string_view rest_;
  std::size_t size_;
  const std::string& name_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view header, const std::string& name) {
  return HeaderParser(header, name).parse();
}

std::string shown_of_npy(std::string_view found) { return shortened(found, 32); }

}  // namespace sim
