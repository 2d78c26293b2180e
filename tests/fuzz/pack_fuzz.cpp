// Packs of lessons that a page fetches: any bytes are an Error, or a pack whose parts are all that follows its first
// line; and any lesson and words, packed as in a build, are unpacked unchanged and registered or rejected. The words
// follow a line "=====", the font another one.
#include <cstdint>

#include "lessons/catalogue.h"
#include "lessons/packs.h"
#include "sim/base/check.h"
#include "sim/base/text.h"
#include "tests/fuzz/invariant.h"

namespace {

using lessons::Language;
using lessons::Pack;

constexpr std::string_view separator = "=====\n", file = "fuzz.pack";

/// Opens the bytes of a file as the page does; checks nothing more if they are rejected.
void open(std::string_view bytes, const Pack* whole) {
  try {
    const Pack pack = lessons::read_pack(bytes, std::string(file));
    const std::size_t parts = pack.toml.size() + pack.words.size() + pack.font.size();
    fuzz::check(bytes.size() <= lessons::longest_pack, "a pack is bounded");
    fuzz::check(bytes.find('\n') + 1 + parts == bytes.size(), "the parts are all that follows the first line");
    fuzz::check(pack.font.empty() || pack.font.data() + pack.font.size() == bytes.data() + bytes.size(),
                "the font ends the pack");
    if (whole != nullptr)
      fuzz::check(pack.id == whole->id && pack.language == whole->language && pack.toml == whole->toml &&
                      pack.words == whole->words && pack.font == whole->font,
                  "a pack comes out as it went in");
    const std::string title = lessons::built_in("00-tour").words(pack.language).title;
    lessons::register_lesson(pack, std::string(file));
    fuzz::check(lessons::is_here(pack.id, pack.language), "what was registered is here");
    fuzz::check(lessons::built_in("00-tour").words(pack.language).title == title, "who reads a lesson goes on");
  } catch (const sim::Error& error) {
    fuzz::check_message(error.what());
  }
}

std::string_view cut_at_separator(std::string_view& rest) {
  const std::size_t at = rest.find(separator);
  const std::string_view part = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + separator.size());
  return part;
}

}  // namespace

/// Reads the list of lessons once, before the clock runs; a page's build has it from the start.
extern "C" int LLVMFuzzerInitialize(int*, char***) { return lessons::summaries().empty() ? 1 : 0; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(input), size);
  open(bytes, nullptr);
  for (const Language language : {Language::en, Language::zh}) {
    std::string_view rest = bytes;
    Pack pack{"00-tour", language, cut_at_separator(rest), cut_at_separator(rest), {}};
    pack.font = rest;
    const std::string packed =
        sim::text("flashscope-pack 1 ", pack.id, " ", lessons::name_of(language), " ", pack.toml.size(), " ",
                  pack.words.size(), " ", pack.font.size(), "\n", pack.toml, pack.words, pack.font);
    open(packed, &pack);
  }
  return 0;
}
