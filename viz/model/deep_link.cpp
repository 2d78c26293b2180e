#include "viz/model/deep_link.h"

#include <algorithm>
#include <optional>

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/catalogue/typed_values.h"
#include "viz/model/comparison.h"
#include "viz/model/look.h"

namespace explorer {
namespace {

bool stands_for_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-_.~+:,/").find(c) != std::string_view::npos;
}

std::string encode(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (stands_for_itself(c))
      out += c;
    else
      out += {'%', digits[byte / 16], digits[byte % 16]};
  }
  return out;
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Decodes percent escapes; empty if a percent sign is not followed by two digits, or the result is not printable.
std::optional<std::string> decode(std::string_view text) {
  std::string out;
  for (std::size_t n = 0; n < text.size(); ++n) {
    char c = text[n];
    if (c == '%') {
      const int high = n + 2 < text.size() ? digit_of(text[n + 1]) : -1;
      const int low = n + 2 < text.size() ? digit_of(text[n + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      n += 2;
    }
    out += c;
  }
  return out == sim::printable(out) ? std::optional(out) : std::nullopt;
}

bool is_view_option(std::string_view name) {
  const auto& options = view_options();
  return std::any_of(options.begin(), options.end(), [&](const ViewOption& option) { return option.name == name; });
}

std::vector<std::string> all_names() {
  std::vector<std::string> names = sim::option_names();
  for (const auto& option : view_options()) names.emplace_back(option.name);
  return names;
}

/// Replaces cumulative lengths by the entries that they set.
void add_lengths(Link& link) {
  try {
    for (const std::string& note : sim::make_lengths_exact(link.scenario)) link.notes.push_back("link: " + note);
  } catch (const sim::Error& error) {
    link.scenario.erase("cu-seqlens");
    link.link_errors.push_back(sim::Sentence::of("link: ", error));
  }
}

/// Reads one "key=value".
void read_pair(std::string_view pair, Link& link, const sim::GpuLookup& gpu) {
  const std::size_t equals = pair.find('=');
  auto name = decode(pair.substr(0, equals));
  const auto value = equals == std::string_view::npos ? std::string("1") : decode(pair.substr(equals + 1));
  if (!name || !value)
    return link.link_errors.push_back(
        sim::Sentence::of("link: \"", encode(pair), "\" is not percent-encoded text that can be read"));
  const sim::KnownAs known = is_view_option(*name) ? sim::KnownAs{} : sim::known_as(*name);
  if (known.value.empty() && known.option != *name && sim::find_option(known.option) != nullptr) {
    link.notes.push_back(sim::text("link: ", *name, ": taken as ", known.option));
    *name = known.option;
  }
  const bool of_scenario = sim::find_option(*name) != nullptr;
  if (!of_scenario && !is_view_option(*name))
    return link.link_errors.push_back(
        sim::Sentence::of("link: ", sim::unknown_name_message(/*say*/ "key", *name, all_names())));
  sim::OptionValues& target = of_scenario ? link.scenario : link.view;
  if (target.count(*name) > 0) return link.link_errors.push_back(sim::Sentence::of("link: ", *name, " is given twice"));
  if (!of_scenario) {
    target[*name] = *value;
    return;
  }
  const bool lengths = *name == "seqlens" || *name == "cu-seqlens";
  if (lengths && sim::names_sequence_file(*value))
    return link.link_errors.push_back(sim::Sentence::of(
        "link: ", *name, ": \"", *value,
        "\" is not a list of lengths, and a link opens no files: allowed are lines such as 1 1024 1024, 2 128 128"));
  if (*name == "documents" && sim::names_document_file(*value))
    return link.link_errors.push_back(sim::Sentence::of(
        "link: ", *name, ": \"", *value,
        "\" is not a list of lengths, and a link opens no files: allowed are lengths, ", "such as 300 724"));
  if (*name == "sink" && sim::names_sink_file(*value))
    return link.link_errors.push_back(sim::Sentence::of(
        "link: sink: \"", *value, "\" is a file, and a link opens none: allowed are numbers, such as 0.5,-1"));
  const std::string exact = sim::exact_value(*name, *value), note = sim::taken_as(*name, *value, exact);
  try {
    sim::check_options({{*name, exact}}, gpu);
  } catch (const sim::Error& error) {
    return link.link_errors.push_back(sim::Sentence::of("link: ", error));
  }
  if (!note.empty()) link.notes.push_back("link: " + note);
  target[*name] = exact;
  if (lengths) add_lengths(link);
}

}  // namespace

const std::vector<ViewOption>& view_options() {
  static const std::vector<ViewOption> options = [] {
    std::vector<ViewOption> all = {
        {"kernel", "N", "which kernel of the sequence, from 0"},
        {"cta", "BATCH,HEAD,ROW,COL", "the selected CTA"},
        {"time", "CYCLES", "the playhead, since the CTA began"},
        {"speed", "X", "playback speed"},
        {"compare", "ALGORITHM,NAME:VALUE+...,...", "up to three runs next to this one: the options that they change"},
        {"packing", "padded|file|longest", "in links of before: the order of a ragged batch, now issue"},
    };
    for (const LookField& field : look_fields()) all.push_back({field.name, field.values, field.help});
    return all;
  }();
  return options;
}

bool is_bare(const Link& link) {
  if (!link.scenario.empty() || link.view.count("lesson") > 0) return false;  // a lesson sets its own scenario and view
  const auto compared = link.view.find("compare");
  if (compared == link.view.end()) return true;
  const auto changes = read_comparison(compared->second);
  return !changes || std::all_of(changes->begin(), changes->end(), [](const sim::OptionValues& change) {
    return change.size() == 1 && change.count("algorithm") == 1;
  });
}

bool names_nothing(const Link& link) {
  return link.scenario.empty() && link.link_errors.empty() &&
         std::all_of(link.view.begin(), link.view.end(), [](const auto& key) {
           return key.first == "theme" || key.first == "lang" || key.first == "still";
         });
}

sim::OptionValues with_batch_and_heads(sim::OptionValues options) {
  const auto inputs = options.find("inputs");
  if (inputs != options.end() && inputs->second.starts_with("text:")) return options;  // a text sets both options
  if (!options.contains("seqlens")) options.emplace("batch", "1");
  options = sim::with_model(std::move(options));
  options.emplace("heads", "1");
  return options;
}

std::string to_link(const Link& link) {
  std::string out;
  for (const auto* part : {&link.scenario, &link.view}) {
    for (const auto& [name, value] : *part) out += (out.empty() ? "" : "&") + encode(name) + "=" + encode(value);
  }
  return out;
}

Link read_link(std::string_view text, const sim::GpuLookup& gpu) {
  Link link;
  if (text.size() > longest_link) {
    link.link_errors.push_back(
        sim::Sentence::of("link: only the first ", longest_link, " of ", text.size(), " bytes are read"));
    text = text.substr(0, longest_link);
  }
  if (!text.empty() && text.front() == '#') text.remove_prefix(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    if (end > 0) read_pair(text.substr(0, end), link, gpu);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return link;
}

}  // namespace explorer
