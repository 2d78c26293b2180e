#include "viz/terminal/explorer_request.h"

#include <cstdlib>

#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"
#include "sim/machine/device_override.h"
#include "sim/model/measured.h"
#include "viz/model/deep_link.h"
#include "viz/terminal/command.h"
#include "viz/terminal/lesson/lesson_library.h"
#include "viz/terminal/request.h"

namespace terminal {
namespace {

/// Device lookup for a link, which is untrusted and must not open files.
sim::GpuLookup lookup_of(const Arguments& arguments) {
  const auto typed = arguments.scenario.find("gpu");
  const std::string name = typed == arguments.scenario.end() ? "" : sim::split_device(typed->second).name;
  return [name](const std::string& gpu) { return gpu == name ? find_gpu(gpu) : sim::built_in_gpu(gpu); };
}

/// Loads a teacher's own lessons, for the panel and for pictures of it.
void take_lessons(const Arguments& arguments) {
  if (!arguments.find("lessons")) return;
  const LessonLibrary library = library_of(arguments);
  lessons::replace_built_in(library.ids, library.read);
}

void take_size(const std::string& text, ExplorerRequest& request) {
  constexpr std::int64_t most = 16384;  // largest drawable size
  const std::size_t cross = text.find('x');
  sim::require(cross != std::string::npos, "size: \"", text, "\" is not WIDTHxHEIGHT, for example 1600x1000");
  request.width = sim::typed_whole_number("size", text.substr(0, cross), 320, most);
  request.height = sim::typed_whole_number("size", text.substr(cross + 1), request.width < 640 ? 480 : 320, most);
}

/// Sets an option, replacing whatever the link sets of it: seqlen replaces both lengths, a model its sizes.
void put_option(explorer::Link& link, const sim::ScenarioOption& option, const std::string& value) {
  for (const std::string_view covered : option.covers) link.scenario.erase(std::string(covered));
  link.scenario[std::string(option.name)] = value;
}

/// Sets the lengths of a ragged batch, replacing all in the link; a file is expanded, since links hold lengths.
void put_lengths(explorer::Link& link, const std::string& value) {
  link.scenario["seqlens"] = sim::names_sequence_file(value) ? sim::text_of(sim::read_sequences(value)) : value;
  link.scenario = sim::without_others(std::move(link.scenario));
}

/// Sets a measured time as a key of the link; the engineer's lens shows its interpretation.
void put_measured(explorer::Link& link, const std::string& times) {
  for (const std::string_view time : sim::split(times, ",")) {
    if (time != "-") sim::parse_time("measured", std::string(time));
  }
  link.view["measured"] = times;
  link.view.emplace("center", "engineer");
}

}  // namespace

std::optional<double> dpr_of(const Arguments& arguments) {
  const auto text = arguments.find("dpr");
  if (!text) return std::nullopt;
  char* end = nullptr;
  const double dpr = std::strtod(text->c_str(), &end);
  sim::require(!text->empty() && *end == '\0' && dpr >= 0.5 && dpr <= 4, "dpr: \"", *text,
               "\" is not a number from 0.5 to 4");
  return dpr;
}

ExplorerRequest make_explorer_request(const Arguments& arguments) {
  take_lessons(arguments);
  ExplorerRequest request;
  request.gpu = lookup_of(arguments);
  request.typed = !arguments.scenario.empty();
  sim::check_options(arguments.scenario, request.gpu);
  if (const auto size = arguments.find("size")) take_size(*size, request);
  explorer::Link link = explorer::read_link(arguments.value("link", ""), request.gpu);
  print_warnings(sim::texts(link.link_errors));
  print_notes(link.notes);
  const auto lengths = arguments.scenario.find("seqlens");
  if (lengths != arguments.scenario.end()) put_lengths(link, lengths->second);
  // In the order of the contract: a model precedes the sizes that override it.
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    const auto given = arguments.scenario.find(option.name);
    if (given == arguments.scenario.end() || given == lengths) continue;
    const bool file = option.name == "documents" && sim::names_document_file(given->second);
    const bool sinks = option.name == "sink" && sim::names_sink_file(given->second);
    put_option(link, option,
               file    ? sim::text_of_documents(sim::read_documents(given->second))
               : sinks ? sim::text_of_sinks(sim::read_sinks(given->second))
                       : given->second);
  }
  for (const char* name : {"theme", "lang"}) {
    if (const auto value = arguments.find(name)) link.view[name] = *value;
  }
  if (const auto times = arguments.find("measured")) put_measured(link, *times);
  request.bare = explorer::is_bare(link);
  request.link = explorer::to_link(link);
  return request;
}

void report_trouble(const ExplorerRequest& request, const explorer::Model& model) {
  const sim::Sentence& error = model.world.error();
  print_warnings(sim::texts(model.link_errors));
  sim::require(error.empty() || !request.typed, error);
  if (!error.empty()) print_warnings({sim::text("link: ", error, "; what is shown is the default scenario")});
}

}  // namespace terminal
