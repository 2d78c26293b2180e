#include "viz/ui/fonts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "sim/base/check.h"
#include "sim/base/printable.h"
#include "viz/ui/font_files.h"

namespace ui {
namespace {

struct Face {
  Style style;
  std::string_view file, fallback;
  float size;  ///< em in CSS pixels
};

constexpr std::array<Face, styles> faces{{
    {Style::caption, "inter-regular", "dejavu-sans", 12},
    {Style::control, "inter-medium", "dejavu-sans", 13},
    {Style::body, "inter-regular", "dejavu-sans", 14},
    {Style::title, "inter-semibold", "dejavu-sans", 15},
    {Style::number, "inter-semibold", "dejavu-sans", 22},
    {Style::code, "jetbrains-mono", "dejavu-sans-mono", 14},
    {Style::table, "jetbrains-mono", "dejavu-sans-mono", 12},
    {Style::small_script, "inter-regular", "dejavu-sans", 10},
    {Style::script, "inter-regular", "dejavu-sans", 11},
    {Style::code_script, "jetbrains-mono", "dejavu-sans-mono", 10},
}};

const FontFile* find(std::string_view name) {
  const std::span<const FontFile> files = font_files();
  const auto found = std::find_if(files.begin(), files.end(), [&](const FontFile& f) { return f.name == name; });
  return found == files.end() ? nullptr : &*found;
}

/// Offset of a table in a font. Source: OpenType 1.9, "Table directory".
std::size_t table_of(const FontFile& file, std::string_view name) {
  const auto at = [&](std::size_t n) { return static_cast<std::size_t>(file.bytes[n]); };
  for (std::size_t entry = 12, n = 0; n < at(5); ++n, entry += 16) {
    if (std::string_view(reinterpret_cast<const char*>(file.bytes) + entry, 4) == name)
      return at(entry + 9) << 16 | at(entry + 10) << 8 | at(entry + 11);
  }
  throw sim::Error("fonts: \"", file.name, "\" has no table ", name);
}

/// A font in the form that Dear ImGui takes.
struct Sized {
  unsigned char* bytes;  ///< a copy, for the atlas to keep
  float line;            ///< the height of a line, in pixels
};

/// Copies a font, adjusting its metrics. Dear ImGui's font size is that of the line, ascent and descent; ours is that
/// of the em. Since 1.90 Dear ImGui truncates fractions: a line of this copy therefore has a whole number of pixels,
/// and its ascent and descent are such that the em is right, to a thousandth.
Sized sized(const FontFile& file, float em) {
  auto* const bytes = static_cast<unsigned char*>(ImGui::MemAlloc(static_cast<std::size_t>(file.size)));
  std::memcpy(bytes, file.bytes, static_cast<std::size_t>(file.size));
  const auto number = [&](std::size_t at) { return static_cast<std::int16_t>(bytes[at] << 8 | bytes[at + 1]); };
  const auto write = [&](std::size_t at, int value) {
    bytes[at] = static_cast<unsigned char>(value >> 8);
    bytes[at + 1] = static_cast<unsigned char>(value);
  };
  const std::size_t ascent = table_of(file, "hhea") + 4, descent = ascent + 2;
  const float units = number(table_of(file, "head") + 18), pixel = units / em;
  const int height = number(ascent) - number(descent);
  const float line = std::max(1.f, std::round(static_cast<float>(height) / pixel));
  const int more = static_cast<int>(std::lround(line * pixel)) - height;
  write(ascent, number(ascent) + more / 2);
  write(descent, number(descent) - (more - more / 2));
  return {bytes, line};
}

/// Ranges of Chinese characters and their punctuation, as in cmake/Fonts.cmake.
constexpr ImWchar all_chinese[] = {0x2E80, 0x9FFF, 0xFF00, 0xFFEF, 0};

/// A font added while the program runs.
struct Added {
  std::string bytes;
  ImVector<ImWchar> ranges;
  FontFile file() const {
    return {"hanzi", reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()), ranges.Data};
  }
};

std::vector<Added>& added() {
  static std::vector<Added> fonts;
  return fonts;
}

/// Fonts of the last scales, the newest first.
std::vector<std::shared_ptr<const Fonts>>& kept() {
  static std::vector<std::shared_ptr<const Fonts>> fonts;
  return fonts;
}

struct FontPart {
  const FontFile* file;
  const ImWchar* ranges;
  float advance = 0;  ///< width of every character; 0: each its own
};

/// Adds a font, or merges it into the previous one, whose characters take precedence.
ImFont* add(ImFontAtlas& atlas, const FontPart& part, float em, bool merge) {
  ImFontConfig config;
  config.MergeMode = merge;
  config.OversampleH = 2;
  config.OversampleV = 1;  // text is aligned to whole pixels
  if (part.advance > 0) config.GlyphMinAdvanceX = config.GlyphMaxAdvanceX = part.advance;
  const Sized font = sized(*part.file, em);
  return atlas.AddFontFromMemoryTTF(font.bytes, part.file->size, font.line, &config, part.ranges);
}

constexpr int most_bold_columns = 4;  // of the atlas, by which strokes of Chinese become wider

constexpr ImWchar digits[] = {'0', '9', 0};

/// Advance of the widest digit, in pixels.
float digit_width(const FontFile& file, float em) {
  ImFontAtlas atlas;
  const ImFont* font = add(atlas, {&file, digits}, em, false);
  atlas.Build();
  float width = 0;
  for (ImWchar c = '0'; c <= '9'; ++c) width = std::max(width, font->FindGlyph(c)->AdvanceX);
  return width;
}

ImFont* add_face(ImFontAtlas& atlas, const Face& face, float em) {
  std::vector<FontPart> parts;
  // Centres digits in cells of equal width, so that numbers do not jitter while they change.
  const FontFile* own = find(face.file);
  if (face.style == Style::number && own != nullptr) parts.push_back({own, digits, digit_width(*own, em)});
  for (const std::string_view name : {face.file, face.fallback, std::string_view("hanzi")}) {
    if (const FontFile* file = find(name)) parts.push_back({file, file->ranges});
  }
  std::vector<FontFile> more;
  for (const Added& later : added()) more.push_back(later.file());
  for (const FontFile& file : more) parts.push_back({&file, file.ranges});
  ImFont* font = nullptr;
  for (const FontPart& part : parts) font = add(atlas, part, em, font != nullptr);
  return font;
}

/// Widens the strokes of Chinese, whose font has a single weight, where Latin letters are bold: by half a pixel at a
/// size of 15. Dear ImGui rasterises glyphs at twice their width, so that is one column of the atlas; more at larger
/// sizes.
void embolden_chinese(ImFontAtlas& atlas, ImFont& font, float em) {
  const int columns = std::clamp(static_cast<int>(em / 15), 1, most_bold_columns);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
  const auto on_atlas = [](float part, int size) {
    return static_cast<int>(std::lround(part * static_cast<float>(size)));
  };
  for (ImFontGlyph& glyph : font.Glyphs) {
    if (glyph.Codepoint < all_chinese[0] || glyph.Visible == 0) continue;
    const int left = on_atlas(glyph.U0, width), right = on_atlas(glyph.U1, width);
    for (int y = on_atlas(glyph.V0, height); y < on_atlas(glyph.V1, height); ++y) {
      unsigned char* const row = pixels + static_cast<std::ptrdiff_t>(y) * width;
      for (int x = right + columns - 1; x > left; --x)
        row[x] = *std::max_element(row + std::max(left, x - columns), row + x + 1);
    }
    const float wider = static_cast<float>(columns);
    glyph.X1 += (glyph.X1 - glyph.X0) * wider / static_cast<float>(right - left);
    glyph.U1 += wider / static_cast<float>(width);
  }
}

/// Allocates for Dear ImGui; throws if memory runs out, while its own allocator continues with null.
void* allocate(std::size_t size, void*) {
  for (;;) {
    if (void* memory = std::malloc(size)) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

Style script_of(Style style) {
  if (style == Style::code) return Style::code_script;
  return style == Style::body || style == Style::title || style == Style::number ? Style::script : Style::small_script;
}

Fonts make_fonts(float scale) {
  ImGui::SetAllocatorFunctions(allocate, [](void* memory, void*) { std::free(memory); });
  sim::require(scale >= 0.25f && scale <= 8, "fonts: a scale of ", scale, " cannot be drawn; 0.25 to 8 can");
  Fonts fonts{.scale = scale, .atlas = std::make_unique<ImFontAtlas>()};
  fonts.atlas->Flags |= ImFontAtlasFlags_NoMouseCursors;
  for (const Face& face : faces) {
    const auto place = static_cast<std::size_t>(face.style);
    fonts.ems[place] = face.size * scale;
    fonts.fonts[place] = add_face(*fonts.atlas, face, face.size * scale);
  }
  fonts.atlas->TexGlyphPadding = 1 + most_bold_columns;
  sim::require(fonts.atlas->Build(), "fonts: the atlas cannot be built at scale ", scale);
  for (const Style style : {Style::title, Style::number}) embolden_chinese(*fonts.atlas, fonts[style], fonts.em(style));
  return fonts;
}

std::shared_ptr<const Fonts> shared_fonts(float scale) {
  constexpr std::size_t most = 6;  // 11 MB at scale 1, 74 MB at 4
  std::vector<std::shared_ptr<const Fonts>>& fonts = kept();
  auto found = std::find_if(fonts.begin(), fonts.end(), [&](const auto& f) { return f->scale == scale; });
  if (found == fonts.end()) {
    fonts.push_back(std::make_shared<const Fonts>(make_fonts(scale)));
    found = fonts.end() - 1;
  }
  std::rotate(fonts.begin(), found, found + 1);
  if (fonts.size() > most) fonts.pop_back();
  return fonts.front();
}

void add_chinese(std::string_view font, std::string_view text) {
  Added later{std::string(font), {}};
  sim::require(font.size() >= 12, "fonts: ", font.size(), " bytes are not a font");
  const FontFile file = later.file();
  const auto at = [&](std::size_t n) { return static_cast<std::size_t>(file.bytes[n]); };
  const auto number = [&](std::size_t n) { return at(n) << 24 | at(n + 1) << 16 | at(n + 2) << 8 | at(n + 3); };
  sim::require(number(0) == 0x10000 && at(4) == 0, "fonts: these bytes do not begin as a TrueType font");
  const std::size_t contents = 12 + 16 * at(5);
  sim::require(font.size() >= contents, "fonts: the table of contents of a font is cut off");
  for (std::size_t entry = 12; entry < contents; entry += 16) {
    const std::size_t begin = number(entry + 8), size = number(entry + 12);
    sim::require(begin <= font.size() && size <= font.size() - begin, "fonts: a table of a font is cut off");
  }
  for (const std::string_view table : {"cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp"})
    table_of(file, table);  // throws if it is missing
  ImFontGlyphRangesBuilder builder;
  builder.AddText(text.data(), text.data() + text.size());
  if (text.empty()) builder.AddRanges(all_chinese);
  builder.BuildRanges(&later.ranges);
  added().push_back(std::move(later));
  kept().clear();
}

std::vector<char32_t> missing(const Fonts& fonts, Style style, std::string_view text) {
  std::vector<char32_t> result;
  while (!text.empty()) {
    const sim::Character character = sim::first_character(text);
    text.remove_prefix(character.size);
    const char32_t c = character.code;
    const bool shown = c == '\n' || (c <= 0xFFFF && fonts[style].FindGlyphNoFallback(static_cast<ImWchar>(c)));
    if (!shown && std::find(result.begin(), result.end(), c) == result.end()) result.push_back(c);
  }
  return result;
}

}  // namespace ui
