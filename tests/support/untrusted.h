// Malicious texts, which control terminals, mislead readers or break formats, and checks of output made from them.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/printable.h"

namespace untrusted {

/// Valid UTF-8 without C0 controls, which strict readers accept: C1 controls, bidirectional override and isolate,
/// zero-width characters, tags, HTML, and the syntax of Markdown, LaTeX and spreadsheets.
inline const std::string unseen =
    "\xc2\x9b"
    "31m\xe2\x80\xae\xe2\x81\xa6\xe2\x80\x8b\xef\xbb\xbf\xf3\xa0\x81\x81";
inline const std::string markup = "<script>alert(1)</script><img src=x onerror='y'>|`*_[a](b)&\\~$%#{}^";
inline const std::string polite = unseen + markup;

/// A file name; it may contain any byte but a slash.
inline const std::string name = "\x1b]0;x\x07\x1b[2J\xff\xfe\x7f\xc0\xaf\xed\xa0\x80\r" + unseen + "<script>";

/// Inputs that may contain any byte.
inline const std::vector<std::string> texts = {"\x1b[31mred\x1b[0m",
                                               "\x1b]0;title\x07",
                                               "two\nlines\rover\ttab\vb\fc",
                                               "\x7f\x08\x01",
                                               "\xff\xfe raw \x9b",
                                               "\xc0\xaf\xed\xa0\x80\xf8\x88\x80\x80",
                                               "\xe2\x80",
                                               unseen,
                                               markup,
                                               "=1+1",
                                               std::string(3000, '\xff')};

/// Checks that a text consists of readable lines.
inline void check_seen(std::string_view text) {
  while (!text.empty()) {
    const sim::Character c = sim::first_character(text);
    const bool allowed = c.valid && (c.code == '\n' || sim::is_visible(c.code));
    if (!allowed) {
      INFO("near: " << sim::printable(text.substr(0, 60)));
      FAIL("a byte comes out that cannot be seen: " << static_cast<int>(static_cast<unsigned char>(text[0])));
    }
    text.remove_prefix(c.size);
  }
}

}  // namespace untrusted
