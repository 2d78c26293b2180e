#include "lessons/packs.h"

#include <charconv>

#include "lessons/catalogue.h"
#include "lessons/names.h"
#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"

namespace lessons {
namespace {

using sim::require;

constexpr std::string_view begin = "flashscope-pack 1 ";
constexpr std::size_t longest_head = 200;

std::size_t size_of(std::string_view digits, const std::string& file) {
  std::size_t size = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, size);
  require(error == std::errc{} && stop == end && size <= longest_pack, file, ": ", sim::quoted(digits),
          " is not a number of bytes of a part");
  return size;
}

std::string_view cut(std::string_view& rest, std::size_t size) {
  const std::string_view part = rest.substr(0, size);
  rest.remove_prefix(part.size());
  return part;
}

}  // namespace

std::string pack_name(std::string_view id, Language language) { return sim::text(id, ".", name_of(language)); }

Pack read_pack(std::string_view bytes, const std::string& file) {
  require(bytes.size() <= longest_pack, file, ": a pack has at most ", longest_pack, " bytes");
  const std::size_t end = bytes.substr(0, longest_head).find('\n');
  require(bytes.starts_with(begin) && end != std::string_view::npos, file, ": is not a pack");
  const auto head = sim::split(bytes.substr(begin.size(), end - begin.size()), " ");
  require(head.size() == 5 && (head[1] == "en" || head[1] == "zh"), file, ": its first line is unknown");
  const std::size_t toml = size_of(head[2], file), words = size_of(head[3], file), font = size_of(head[4], file);
  std::string_view rest = bytes.substr(end + 1);
  require(rest.size() == toml + words + font, file, ": ", rest.size(), " bytes follow its first line, which announces ",
          toml + words + font);
  Pack pack{std::string(head[0]), head[1] == "zh" ? Language::zh : Language::en, {}, {}, {}};
  pack.toml = cut(rest, toml);
  pack.words = cut(rest, words);
  pack.font = rest;
  return pack;
}

void register_lesson(const Pack& pack, const std::string& file) {
  Lesson lesson = read_lesson(pack.toml, file);
  require(lesson.id == pack.id, file, ": its first line names ", sim::quoted(pack.id), ", and the lesson is ",
          sim::quoted(lesson.id));
  Words words = read_words(pack.words, pack.language, file);
  expand_names(lesson, words);
  register_lesson(pack.language, std::move(lesson), std::move(words), file);
}

}  // namespace lessons
