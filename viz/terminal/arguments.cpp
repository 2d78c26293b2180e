#include "viz/terminal/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/catalogue/typed_values.h"
#include "viz/terminal/input_file.h"

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

bool is_known(const std::vector<KnownOption>& known, std::string_view name) {
  return std::any_of(known.begin(), known.end(), [&](const KnownOption& option) { return option.name == name; });
}

bool takes_value(const std::vector<KnownOption>& known, std::string_view name) {
  return std::any_of(known.begin(), known.end(),
                     [&](const KnownOption& option) { return option.takes_value && option.name == name; });
}

/// Name of an option for a word such as --num-heads or -N, with its value if the word implies one; "" if none is meant.
std::string meant_option(const std::vector<KnownOption>& known, std::string_view name) {
  const bool option = name.size() > 1 && name[0] == '-' && name != "-h" && name != "-V" && !is_known(known, name);
  const sim::KnownAs meant = option ? sim::known_as(name) : sim::KnownAs{};
  if (meant.option.empty() || !is_known(known, "--" + meant.option)) return "";
  return "--" + meant.option + (meant.value.empty() ? "" : "=" + meant.value);
}

bool is_scenario_flag(const CommandSyntax& syntax, std::string_view name) {
  const sim::ScenarioOption* option = name.starts_with("--") ? sim::find_option(name.substr(2)) : nullptr;
  return syntax.scenario && option != nullptr && option->kind == sim::OptionKind::flag;
}

/// True for a word that says yes or no: "--causal false".
bool is_truth(const std::string& flag, const std::string& word) {
  const std::string exact = sim::exact_value(flag.substr(2), word);
  return exact == "0" || exact == "1";
}

/// Replaces names of the field by those of options, with a note, and gives each flag of the scenario its value.
std::vector<std::string> spelled_out(const CommandSyntax& syntax, const std::vector<std::string>& words,
                                     std::vector<std::string>& notes) {
  const std::vector<KnownOption> known = known_options(syntax);
  std::vector<std::string> out;
  for (std::size_t n = 0; n < words.size(); ++n) {
    const std::size_t equals = std::min(words[n].find('='), words[n].size());
    std::string word = words[n], name = word.substr(0, equals);
    const std::string meant = meant_option(known, name);
    const bool implied = meant.find('=') != std::string::npos;
    if (!meant.empty() && (!implied || equals == word.size())) {
      notes.push_back(sim::text(name, ": taken as ", implied ? meant.substr(0, meant.find('=')) + " " : meant,
                                implied ? meant.substr(meant.find('=') + 1) : ""));
      word = meant + word.substr(equals);
      name = meant;
    }
    const bool next = n + 1 < words.size();
    if (is_scenario_flag(syntax, word)) word += "=" + (next && is_truth(word, words[n + 1]) ? words[++n] : "1");
    out.push_back(word);
    if (takes_value(known, word) && n + 1 < words.size()) out.push_back(words[++n]);
  }
  return out;
}

/// Error for an unknown option, with the nearest one: compared without dashes, which all of them have.
std::string unknown_option(const CommandSyntax& syntax, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  if (const std::string instead = sim::why_no_option(name); syntax.scenario && !instead.empty())
    return sim::text("unknown option ", sim::quoted(name, 100), ": ", instead);
  std::vector<std::string> bare, dashed;
  for (KnownOption& option : known_options(syntax)) {
    bare.push_back(option.name.substr(2));
    dashed.push_back(std::move(option.name));
  }
  const std::string nearest = sim::nearest_name(name.substr(std::min(name.find_first_not_of('-'), name.size())), bare);
  return sim::text("unknown option ", sim::quoted(name, 100), ": ",
                   nearest.empty() ? "" : "did you mean \"--" + nearest + "\"? ", "known: ", sim::joined(dashed));
}

void check_extras(const CommandSyntax& syntax, const std::vector<std::string>& extras) {
  if (extras.empty()) return;
  const std::string& word = extras.front();
  sim::require(word.size() > 1 && word[0] == '-', syntax.name, ": unexpected word \"", word.substr(0, 100),
               "\"; options begin with --, see flashscope ", syntax.name, " --help");
  refuse_program(syntax, word);
  throw sim::Error(syntax.name, ": ", unknown_option(syntax, word));
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
  for (std::size_t n = 0; n < words.size(); ++n) {
    const std::string_view word = words[n], name = word.substr(0, word.size() - (word.ends_with('=') ? 1 : 0));
    sim::require(name == word || !takes_value(known, name), syntax.name, ": ", name, " needs a value, see flashscope ",
                 syntax.name, " --help");
    if (!takes_value(known, word) || n + 1 == words.size()) continue;
    const std::string& value = words[++n];
    sim::require(!looks_like_option(value), syntax.name, ": ", words[n - 1], " needs a value, and \"",
                 value.substr(0, 100), "\" is an option; for a value that begins so write ", words[n - 1], "=",
                 value.substr(0, 100));
  }
}

/// Returns the choice that is meant, in any case of its letters; any value if the option has no choices.
std::string chosen(const CommandOption& option, const std::string& value) {
  for (const std::string& choice : option.choices) {
    if (sim::in_lower_case(choice) == sim::in_lower_case(value)) return choice;
  }
  if (!option.choices.empty()) throw sim::Error(sim::unknown_name_message(option.name, value, option.choices));
  return value;
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
      arguments.own[option.name] = chosen(option, exact_value(option.name, value, arguments));
    };
    once(app.add_option_function<std::string>("--" + option.name, keep));
  }
}

void add_common_options(CLI::App& app, Arguments& arguments) {
  for (const CommandOption& option : common_options()) {
    const auto keep = [&arguments, option](const std::string& value) {
      arguments.common[option.name] = chosen(option, value);
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
      const auto set = [&arguments, name, dashed](const std::string& value) {
        arguments.scenario[name] = sim::exact_value(name, value);
        sim::require(is_truth(dashed, value), dashed,
                     " is a flag, which takes 1 or 0 (true, false, on, off, yes, no), not \"", value.substr(0, 100),
                     "\"");
      };
      app.add_option_function<std::string>(dashed, set)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
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
  Arguments arguments;
  const std::vector<std::string> words = spelled_out(syntax, {all.begin(), end}, arguments.notes);
  CLI::App app;
  app.allow_extras();
  check_values_are_there(syntax, words);
  app.set_version_flag("-V,--version", "");  // the program's version, whatever the command
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
  results::expand_model_beside(axes_of(arguments), arguments.scenario, arguments.notes, option_files());
  load_program_of(syntax, arguments);
  for (std::string& note : sim::make_exact(arguments.scenario)) arguments.notes.push_back(std::move(note));
  check_pattern_file(arguments.scenario);
  for (std::string& note : sim::make_lengths_exact(arguments.scenario)) arguments.notes.push_back(std::move(note));
  return arguments;
}

results::TypedAxes axes_of(const Arguments& arguments) {
  const auto over = arguments.repeated.find("over");
  if (over == arguments.repeated.end()) return {};
  return {over->second.begin(), over->second.end()};
}

std::string command_text(const CommandSyntax& syntax, const Arguments& arguments) {
  std::string command = "flashscope " + syntax.name;
  for (const auto& [name, value] : arguments.own) {
    const auto is_flag = [&called = name](const CommandOption& o) { return o.name == called && o.values.empty(); };
    command += " --" + name + (std::any_of(syntax.own.begin(), syntax.own.end(), is_flag) ? "" : " " + value);
  }
  for (const auto& [name, value] : arguments.scenario)
    command +=
        " --" + name + (sim::option_called(name).kind == sim::OptionKind::flag && value == "1" ? "" : " " + value);
  return command;
}

}  // namespace terminal
