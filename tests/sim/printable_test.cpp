// Untrusted text made printable.
#include "sim/base/printable.h"

#include <catch2/catch.hpp>

using namespace sim;

TEST_CASE("printable text stays as it is, in every script") {
  for (const char* text : {"", "plain ASCII ~", "\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80", "back\\slash", "\xc2\xa0"})
    CHECK(printable(text) == text);
}

TEST_CASE("invisible characters and bytes that are not UTF-8 are escaped") {
  CHECK(printable("\x1b[31m") == "\\x1b[31m");
  CHECK(printable("a\x7f") == "a\\x7f");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\u{9b}31m");
  CHECK(printable("\xe2\x80\xae|\xe2\x81\xa6|\xe2\x80\x8b|\xef\xbb\xbf|\xf3\xa0\x81\x81") ==
        "\\u{202e}|\\u{2066}|\\u{200b}|\\u{feff}|\\u{e0041}");
  CHECK(printable("\xff") == "\\xff");
  CHECK(printable("\xc0\xaf") == "\\xc0\\xaf");                    // overlong encoding
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // half of a surrogate pair
  CHECK(printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond Unicode
  CHECK(printable("\xf8\x88\x80\x80") == "\\xf8\\x88\\x80\\x80");
  CHECK(printable("\xe4\xb8") == "\\xe4\\xb8");  // truncated
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("white space on a single line becomes a space, multi-line texts keep their lines") {
  CHECK(printable("a\nb\tc\r\n") == "a b c  ");
  CHECK(printable_lines("a\n\x1b"
                        "b\n\n") ==
        "a\n\\x1b"
        "b\n\n");
  CHECK(printable_lines("") == "");
}

TEST_CASE("a text made printable twice is the same as once, and is nowhere cut within a character") {
  std::string every;
  for (int byte = 0; byte < 256; ++byte)
    every += {static_cast<char>(byte), 'x', '\xe2', '\x80', static_cast<char>(byte)};
  const std::string once = printable(every);
  CHECK(printable(once) == once);
  CHECK(shortened("\xe4\xb8\xad\xe4\xb8\xad", 4) == "\xe4\xb8\xad...");
  CHECK(shortened("\xff\xff", 4) == "\\xff...");
  CHECK(shortened("abcd", 4) == "abcd");
  CHECK(quoted("a\nb") == "\"a b\"");
}

TEST_CASE("JSON with such texts in it stays valid") {
  CHECK(printable_json("{\n  \"a\": \"\xc3\xa9\"\n}\n") == "{\n  \"a\": \"\xc3\xa9\"\n}\n");
  CHECK(printable_json("\"\xe2\x80\xae\xc2\x9b\x7f\xf3\xa0\x81\x81\xff\"") ==
        "\"\\u202e\\u009b\\u007f\\udb40\\udc41\\ufffd\"");
}
