// Parser of .fscope files.
#include <algorithm>

#include "sim/base/nearest.h"
#include "sim/base/printable.h"
#include "sim/base/text.h"
#include "sim/programs/recorded/fields.h"
#include "sim/programs/recorded/long_texts.h"
#include "sim/programs/recorded/program_of.h"
#include "sim/programs/recorded/read_code.h"
#include "sim/trace/tensors.h"

namespace sim::recorded {
namespace {

constexpr std::size_t longest_file = std::size_t{1} << 20;
constexpr std::size_t most_kernels = 64, most_bodies = 64, longest_name = 40;
constexpr std::int64_t this_version = 1, most_parts = std::int64_t{1} << 20;

const TomlRules rules{"a recorded program", longest_file, {"[[kernel]]", "[[kernel.body]]"}};

const std::vector<std::string> program_fields = {"fscope", "name",  "title", "like",   "tiles",
                                                 "parts",  "score", "file",  "source", "kernel"};
const std::vector<std::string> kernel_fields = {
    "name",    "grid",  "inputs", "outputs", "scratch", "threads", "round_p", "prefetches", "tiles_in_flight",
    "unfused", "skips", "rows",   "cols",    "when",    "body"};
const std::vector<std::string> body_fields = {"when", "code"};

std::string read_name(const Fields& fields) {
  std::string name = fields.line("name");
  const bool plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  require(plain && name.size() <= longest_name && name.front() != '-', fields.where(), "name: ", quoted(name),
          " must be at most ", longest_name, " of a-z, 0-9 and -, and not begin with -");
  return name;
}

std::string read_file_name(const Fields& fields) {
  std::string file = fields.line("file");
  require(file.find_first_of("/\\") == std::string::npos, fields.where(), "file: ", quoted(file),
          " must be a name without folders");
  return file;
}

std::optional<Tiling> read_tiles(const Fields& fields) {
  const toml::node* const node = fields.find("tiles");
  if (node == nullptr) return std::nullopt;
  require(node->is_array() && node->as_array()->size() == 2, fields.where(), "tiles must be [Br, Bc]");
  constexpr std::int64_t largest = std::int64_t{1} << 20;
  const auto side = [&](std::size_t n) { return fields.whole((*node->as_array())[n], "tiles", 1, largest); };
  return Tiling{side(0), side(1)};
}

void read_parts(const Fields& fields, Recording& recording) {
  const toml::node* const node = fields.find("parts");
  if (node == nullptr) return;
  if (node->is_integer()) {
    recording.parts = fields.whole(*node, "parts", 0, most_parts);
  } else {
    recording.parts_of_key_blocks = fields.word("parts", {"none", "key_blocks"}, 0) == 1;
  }
}

/// Reads formulas as --score does.
std::vector<std::string> read_score(const Fields& fields) {
  std::vector<std::string> formulas;
  if (fields.find("score") == nullptr) return formulas;
  const std::string score = fields.line("score");
  for (const std::string_view formula : split(score, ";")) {
    try {
      ScoreStep::parse(formula);
    } catch (const Error& error) {
      throw Error(fields.where(), "score: ", error);
    }
    formulas.emplace_back(formula);
  }
  return formulas;
}

/// Returns the tables of an array: [[kernel]].
std::vector<const toml::table*> tables_of(const Fields& fields, std::string_view name, std::size_t most) {
  const toml::node* const node = fields.find(name);
  const toml::array* const array = node == nullptr ? nullptr : node->as_array();
  require(array != nullptr && !array->empty() && array->size() <= most, fields.where(), "there must be 1 to ", most,
          " [[", name == "body" ? "kernel.body" : name, "]]");
  std::vector<const toml::table*> tables;
  for (const toml::node& one : *array) {
    require(one.is_table(), fields.where(), name, " must be [[", name, "]]");
    tables.push_back(one.as_table());
  }
  return tables;
}

Kernel read_kernel_fields(const Fields& fields) {
  Kernel kernel;
  kernel.name = fields.line("name");
  kernel.grid = static_cast<GridKind>(
      fields.word("grid", {"per_head", "per_row_block", "per_tile", "per_kv_head", "per_column_block"}, 1));
  kernel.inputs = fields.tensors("inputs");
  kernel.outputs = fields.tensors("outputs");
  kernel.scratch = fields.tensors("scratch");
  kernel.threads = fields.whole("threads", 128, 32, 1024);
  require(kernel.threads % 32 == 0, fields.where(), "threads must be warps of 32: ", kernel.threads);
  kernel.rounds_p = fields.word("round_p", {"half", "never"}, 0) == 0;
  kernel.prefetches = fields.flag("prefetches", true);
  kernel.tiles_in_flight = fields.whole("tiles_in_flight", 1, 1, 64);
  kernel.unfused = fields.flag("unfused", false);
  kernel.skips = fields.flag("skips", true);
  kernel.rows = static_cast<RowsOf>(fields.word("rows", {"br", "1"}, 0));
  kernel.cols = static_cast<ColsOf>(fields.word("cols", {"bc", "slice", "keys"}, 0));
  kernel.when = fields.answers(false);
  return kernel;
}

class FileReader {
 public:
  FileReader(const std::string& toml, const std::string& called)
      : called_(called), short_(take_out_long_texts(toml, called)), table_(read_toml(short_.toml, called, rules)) {}

  std::shared_ptr<const Program> read() {
    const Fields fields(table_, called_ + ": ", short_.texts);
    const std::int64_t version = fields.whole(fields.need("fscope"), "fscope", 0, std::int64_t{1} << 53);
    require(version == this_version, called_, ": fscope = ", version, " is another version of the format than ",
            this_version, ", which this program reads");
    check_names(table_, program_fields, "field", called_);
    Recording recording;
    recording.name = read_name(fields);
    recording.title = fields.find("title") == nullptr ? recording.name : fields.line("title");
    recording.like = read_like(fields);
    recording.tiles = read_tiles(fields);
    read_parts(fields, recording);
    recording.score = read_score(fields);
    recording.file = read_file_name(fields);
    recording.source = fields.text_of("source");
    source_lines_ = 1 + static_cast<int>(std::count(recording.source.begin(), recording.source.end(), '\n'));
    for (const toml::table* kernel : tables_of(fields, "kernel", most_kernels)) read_kernel(*kernel, recording);
    check_tensors(recording);
    require(recording.score.empty() || modifies_scores(recording), called_,
            ": score: no body has the verb modify, which applies it");
    return program_of(std::move(recording));
  }

 private:
  std::shared_ptr<const Program> read_like(const Fields& fields) const {
    if (fields.find("like") == nullptr || fields.text_of("like").empty()) return nullptr;
    const std::string name = fields.line("like");
    if (auto program = find_built_in(name)) return program;
    throw Error(fields.where(), "like: ", unknown_name_message("algorithm", name, built_in_names()));
  }

  void read_kernel(const toml::table& table, Recording& recording) {
    check_names(table, kernel_fields, "field", called_);
    const Fields unnamed(table, called_ + ": kernel: ", short_.texts);
    const std::string where = called_ + ": kernel " + printable(unnamed.line("name"));
    const Fields fields(table, where + ": ", short_.texts);
    recording.kernels.push_back(read_kernel_fields(fields));
    Kernel& kernel = recording.kernels.back();
    for (const Kernel& other : recording.kernels)
      require(&other == &kernel || other.name != kernel.name || exclude(other.when, kernel.when), where,
              ": there are two of this name that may run together: their answers in when must differ");
    const std::vector<const toml::table*> bodies = tables_of(fields, "body", most_bodies);
    for (std::size_t n = 0; n < bodies.size(); ++n) {
      check_names(*bodies[n], body_fields, "field", called_);
      const std::string place = bodies.size() == 1 ? where : text(where, ", body ", n + 1);
      const Fields body(*bodies[n], place + ": ", short_.texts);
      const CodeRules code{place + ", ", source_lines_, &kernel, &ops_left_};
      Body read = read_code(body.text_of("code"), code);
      read.when = body.answers(true);
      kernel.bodies.push_back(std::move(read));
    }
  }

  /// True if some question has different answers in the two lists.
  static bool exclude(const std::vector<Answer>& some, const std::vector<Answer>& others) {
    return std::any_of(some.begin(), some.end(), [&](const Answer& a) {
      return std::any_of(others.begin(), others.end(),
                         [&](const Answer& b) { return a.question == b.question && a.is != b.is; });
    });
  }

  /// Checks that inputs exist, and that the inputs of attention are not overwritten.
  void check_tensors(const Recording& recording) const {
    using enum Tensor;
    std::vector<Tensor> there = {Q, K, V, sinks};
    const auto is_there = [&](Tensor tensor) { return std::find(there.begin(), there.end(), tensor) != there.end(); };
    for (const Kernel& kernel : recording.kernels) {
      const std::string where = text(called_, ": kernel ", printable(kernel.name), ": ");
      const std::string_view why = names_gradients(kernel) ? forward_only : std::string_view();
      for (const Tensor tensor : kernel.inputs) {
        require(tensor != slopes, where, "inputs: slopes are there without a declaration: leave them out");
        require(tensor != block_table, where, "inputs: a page table is there without a declaration: leave it out");
        require(is_there(tensor), where, "inputs: ", name_of(tensor), " is written by no kernel before", why);
      }
      for (const auto* tensors : {&kernel.outputs, &kernel.scratch}) {
        for (const Tensor tensor : *tensors) {
          require(can_write(tensor), where, name_of(tensor), " cannot be written by a forward pass", why);
          there.push_back(tensor);
        }
      }
    }
    require(is_there(O), called_, ": no kernel writes O");
    const auto in_parts = std::find_if(there.begin(), there.end(), is_in_parts);
    require(in_parts == there.end() || recording.parts_of_key_blocks || recording.parts > 0, called_, ": ",
            name_of(in_parts == there.end() ? none : *in_parts), " is in parts: set parts = \"key_blocks\"");
  }

  static constexpr std::string_view forward_only =
      ". A recorded program is forward only: its inputs are Q, K and V, and it has no dO and no gradients";

  /// True for a kernel of a backward pass.
  static bool names_gradients(const Kernel& kernel) {
    const auto any = [](const std::vector<Tensor>& tensors) {
      return std::any_of(tensors.begin(), tensors.end(), [](Tensor tensor) { return facts_of(tensor).gradient; });
    };
    return any(kernel.inputs) || any(kernel.outputs) || any(kernel.scratch);
  }

  static bool can_write(Tensor tensor) {
    const TensorFacts& facts = facts_of(tensor);
    return !facts.gradient && (!facts.of_caller || tensor == Tensor::O) && !is_block_map(tensor) &&
           !is_per_block(tensor) && tensor != Tensor::slopes;
  }

  const std::string& called_;
  WithoutLongTexts short_;
  toml::table table_;
  int source_lines_ = 0;
  std::size_t ops_left_ = most_ops;
};

}  // namespace
}  // namespace sim::recorded

namespace sim {

std::shared_ptr<const Program> parse_program(const std::string& text, const std::string& called) {
  require(text.size() <= recorded::longest_file, called, ": the file has ", text.size(),
          " bytes, a recorded program at most ", recorded::longest_file);
  return recorded::FileReader(text, called).read();
}

}  // namespace sim
