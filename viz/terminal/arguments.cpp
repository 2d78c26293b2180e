#include "viz/terminal/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/catalogue/typed_values.h"
#include "viz/terminal/input_file.h"
#include "viz/terminal/recorded_program.h"

namespace terminal {
namespace {

/// An option as it is typed.
struct KnownOption {
  std::string name;  ///< with its dashes
  bool takes_value;
};

std::vector<KnownOption> known_options(const CommandSyntax& syntax) {
  std::vector<KnownOption> known = {{"--help", false}};
  for (const CommandOption& option : syntax.own) known.push_back({"--" + option.name, !option.values.empty()});
  if (syntax.common) {
    for (const CommandOption& option : common_options()) known.push_back({"--" + option.name, true});
  }
  if (!syntax.scenario) return known;
  for (const sim::ScenarioOption& option : sim::scenario_options())
    known.push_back({"--" + std::string(option.name), option.kind != sim::OptionKind::flag});
  return known;
}

void check_extras(const CommandSyntax& syntax, const std::vector<std::string>& extras) {
  if (extras.empty()) return;
  const std::string& word = extras.front();
  sim::require(word.size() > 1 && word[0] == '-', syntax.name, ": unexpected word \"", word.substr(0, 100),
               "\"; options begin with --, see flashscope ", syntax.name, " --help");
  refuse_program(syntax, word);
  std::vector<std::string> names;
  for (KnownOption& option : known_options(syntax)) names.push_back(std::move(option.name));
  throw sim::Error(syntax.name + ": " + sim::unknown_name_message("option", word.substr(0, word.find('=')), names));
}

/// Rewords CLI11's errors in the style of the other errors.
std::string in_our_words(const std::string& command, const CLI::ParseError& error) {
  const std::string what = error.what();
  const std::size_t start = std::min(what.find("--"), what.size());
  const std::string option = what.substr(start, what.find_first_of(": ", start) - start);
  const std::string see = ", see flashscope " + command + " --help";
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr)
    return command + ": " + option + " is a flag and takes no value" + see;
  if (what.find("missing") != std::string::npos) return command + ": " + option + " needs a value" + see;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return command + ": " + option + " is given more than once" + see;
  return command + ": " + what + see;
}

/// True for "--causal", "-h"; false for "-0.5", "-3,3", "-N*d".
bool looks_like_option(std::string_view word) { return word.substr(0, 2) == "--" || word == "-h" || word == "-V"; }

/// Throws if an option lacks its value, so that it does not take the next option for it: `--output --causal` does not
/// name a file "--causal", and neither does `--output= --causal`.
void check_values_are_there(const CommandSyntax& syntax, const std::vector<std::string>& words) {
  const std::vector<KnownOption> known = known_options(syntax);
  const auto takes_value = [&](std::string_view name) {
    return std::any_of(known.begin(), known.end(),
                       [&](const KnownOption& o) { return o.takes_value && o.name == name; });
  };
  for (std::size_t n = 0; n < words.size(); ++n) {
    const std::string_view word = words[n], name = word.substr(0, word.size() - (word.ends_with('=') ? 1 : 0));
    sim::require(name == word || !takes_value(name), syntax.name, ": ", name, " needs a value, see flashscope ",
                 syntax.name, " --help");
    if (!takes_value(word) || n + 1 == words.size()) continue;
    const std::string& value = words[++n];
    sim::require(!looks_like_option(value), syntax.name, ": ", words[n - 1], " needs a value, and \"",
                 value.substr(0, 100), "\" is an option; for a value that begins so write ", words[n - 1], "=",
                 value.substr(0, 100));
  }
}

void check_choice(const CommandOption& option, const std::string& value) {
  for (const std::string& choice : option.choices) {
    if (choice == value) return;
  }
  if (!option.choices.empty()) throw sim::Error(sim::unknown_name_message(option.name, value, option.choices));
}

/// The exact name for a typed value: commands' own options also name devices or algorithms.
std::string exact_value(const std::string& option, const std::string& typed, Arguments& arguments) {
  std::string exact = sim::exact_value(option, typed);
  const std::string note = sim::taken_as(option, typed, exact);
  if (!note.empty()) arguments.notes.push_back(note);
  return exact;
}

void once(CLI::Option* option) { option->multi_option_policy(CLI::MultiOptionPolicy::Throw); }

void add_own_options(CLI::App& app, const CommandSyntax& syntax, Arguments& arguments) {
  for (const CommandOption& option : syntax.own) {
    if (option.repeatable) {
      app.add_option("--" + option.name, arguments.repeated[option.name])->allow_extra_args(false);
      continue;
    }
    if (option.values.empty()) {
      const auto set = [&arguments, name = option.name] { arguments.own[name] = "1"; };
      app.add_flag_callback("--" + option.name, set);
      continue;
    }
    const auto keep = [&arguments, option](const std::string& value) {
      const std::string exact = exact_value(option.name, value, arguments);
      check_choice(option, exact);
      arguments.own[option.name] = exact;
    };
    once(app.add_option_function<std::string>("--" + option.name, keep));
  }
}

void add_common_options(CLI::App& app, Arguments& arguments) {
  for (const CommandOption& option : common_options()) {
    const auto keep = [&arguments, option](const std::string& value) {
      check_choice(option, value);
      arguments.common[option.name] = value;
    };
    once(app.add_option_function<std::string>("--" + option.name, keep));
  }
}

/// Adds the positional word, which CLI11 recognises by its lack of dashes.
void add_word(CLI::App& app, const CommandSyntax& syntax, Arguments& arguments) {
  if (syntax.word.name.empty()) return;
  const std::string& name = syntax.word.name;
  if (syntax.word.repeatable) {
    const auto keep_all = [&arguments, name](const std::vector<std::string>& values) {
      arguments.repeated[name] = values;
    };
    app.add_option_function<std::vector<std::string>>(name, keep_all);
    return;
  }
  const auto keep = [&arguments, name](const std::string& value) { arguments.own[name] = value; };
  once(app.add_option_function<std::string>(name, keep)->take_last());
}

void add_scenario_options(CLI::App& app, Arguments& arguments) {
  for (const sim::ScenarioOption& option : sim::scenario_options()) {
    const std::string name(option.name), dashed = "--" + name;
    if (option.kind == sim::OptionKind::flag) {
      const auto set = [&arguments, name] { arguments.scenario[name] = "1"; };
      app.add_flag_callback(dashed, set);
      continue;
    }
    const auto keep = [&arguments, name](const std::string& value) { arguments.scenario[name] = value; };
    once(app.add_option_function<std::string>(dashed, keep));
  }
}

}  // namespace

const std::vector<CommandOption>& common_options() {
  static const std::vector<CommandOption> all = {
      {"color",
       "auto|always|never",
       "colours in a text; auto: on a terminal, unless NO_COLOR is set [auto]",
       {"auto", "always", "never"}}};
  return all;
}

std::string Arguments::value(const std::string& name, const std::string& otherwise) const {
  return find(name).value_or(otherwise);
}

std::optional<std::string> Arguments::find(const std::string& name) const {
  const auto found = own.find(name);
  return found == own.end() ? std::nullopt : std::optional(found->second);
}

Arguments parse(const CommandSyntax& syntax, const std::vector<std::string>& all) {
  const auto end = syntax.behind.name.empty() ? all.end() : std::find(all.begin(), all.end(), "--");
  const std::vector<std::string> words(all.begin(), end);
  CLI::App app;
  app.allow_extras();
  check_values_are_there(syntax, words);
  app.set_version_flag("-V,--version", "");  // the program's version, whatever the command
  Arguments arguments;
  if (end != all.end()) arguments.repeated[syntax.behind.name].assign(end + 1, all.end());
  add_word(app, syntax, arguments);
  add_own_options(app, syntax, arguments);
  if (syntax.common) add_common_options(app, arguments);
  if (syntax.scenario) add_scenario_options(app, arguments);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    arguments.help = true;
    return arguments;
  } catch (const CLI::CallForVersion&) {
    arguments.version = true;
    return arguments;
  } catch (const CLI::ParseError& error) {
    throw sim::Error(in_our_words(syntax.name, error));
  }
  check_extras(syntax, app.remaining());
  expand_model_file(arguments.scenario, arguments.notes);
  load_program_of(syntax, arguments);
  for (std::string& note : sim::make_exact(arguments.scenario)) arguments.notes.push_back(std::move(note));
  check_pattern_file(arguments.scenario);
  return arguments;
}

std::string command_text(const CommandSyntax& syntax, const Arguments& arguments) {
  std::string command = "flashscope " + syntax.name;
  for (const auto& [name, value] : arguments.own) {
    const auto is_flag = [&called = name](const CommandOption& o) { return o.name == called && o.values.empty(); };
    command += " --" + name + (std::any_of(syntax.own.begin(), syntax.own.end(), is_flag) ? "" : " " + value);
  }
  for (const auto& [name, value] : arguments.scenario)
    command += " --" + name + (sim::option_called(name).kind == sim::OptionKind::flag ? "" : " " + value);
  return command;
}

}  // namespace terminal
