#include "sim/programs/recorded/program_of.h"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <utility>

#include "sim/base/nearest.h"
#include "sim/base/text.h"
#include "sim/programs/recorded/questions.h"
#include "sim/programs/recorded/verbs.h"
#include "sim/programs/run.h"

namespace sim::recorded {
namespace {

/// A program together with the texts that it points to.
struct Owned {
  Recording recording;
  Program program;
};

/// Sources by listing, and programs by name. Sources expire with their programs.
struct Loaded {
  std::mutex mutex;
  std::vector<std::weak_ptr<const Owned>> sources;
  std::vector<std::shared_ptr<const Program>> programs;
};
Loaded& loaded() {
  static Loaded all;
  return all;
}

/// FNV-1a hash: equal sources have one listing.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

std::string summary_of(const Recording& r) {
  std::string kernels;
  for (const Kernel& kernel : r.kernels) kernels += (kernels.empty() ? "" : ", ") + kernel.name;
  const std::string score = r.score.empty() ? "" : "; score " + joined(r.score, "; ");
  return text("recorded from ", r.file, ": ", kernels, score);
}

constexpr std::string_view listings = "recorded/";

/// A verb of a loop without its names: the verb, its direction, the sizes of its tile, and its work.
using LoopVerb = std::tuple<sim::Verb, Direction, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

/// The verbs of the loops of a launch, sorted, since their order changes no instruction count.
std::vector<LoopVerb> loop_verbs(const Plan& plan, const Launch& launch) {
  std::vector<LoopVerb> verbs;
  for (const Event& e : count(plan, launch).events) {
    if (e.loop != 0)
      verbs.emplace_back(e.verb, e.direction, e.rows.size, e.cols.size, e.matmul_flops, e.other_flops, e.exps);
  }
  std::sort(verbs.begin(), verbs.end());
  return verbs;
}

/// True if every kernel of `own` that reads keys has the verbs of the kernel of `other` in its place.
bool same_loops(const Plan& own, const Plan& other) {
  if (own.launches.size() != other.launches.size()) return false;
  for (std::size_t n = 0; n < own.launches.size(); ++n) {
    const bool reads_keys = own.launches[n].reads(Tensor::K);
    if (reads_keys != other.launches[n].reads(Tensor::K)) return false;
    if (reads_keys && loop_verbs(own, own.launches[n]) != loop_verbs(other, other.launches[n])) return false;
  }
  return true;
}

/// True if a recorded program does in its loops what a built-in one does, with the same tiles, with dropout and
/// without.
bool has_loops_of(const std::shared_ptr<const Program>& recorded, const Program& built_in) {
  try {
    for (const double dropout : {0.0, 0.5}) {
      Scenario own;
      own.shape.seqlen_q = own.shape.seqlen_k = 1024;
      own.dropout = dropout;
      own.algorithm = recorded->name;
      own.named = recorded;
      const Plan plan = make_plan(own);
      Scenario other = own;
      name_algorithm(other, built_in.name);
      if (const std::vector<std::string>& score = recorded->recording->score; !score.empty())
        other.score_steps["score"] = joined(score, ";");
      other.br = plan.problem.tiling.br;
      other.bc = plan.problem.tiling.bc;
      if (!same_loops(plan, make_plan(other))) return false;
    }
    return true;
  } catch (const Error&) {  // it does not take this problem
    return false;
  }
}

/// Gives a program the compiled main loop, and with it the head dimensions, of the built-in one that does the same.
void find_main_loop(Program& program, const std::shared_ptr<const Program>& shared) {
  for (const Program& built_in : built_in_programs()) {
    if (built_in.main_loop.empty() || !has_loops_of(shared, built_in)) continue;
    program.main_loop = built_in.main_loop;
    program.head_dims = built_in.head_dims;
    return;
  }
}

bool reads_sinks(const Kernel& kernel) {
  return std::find(kernel.inputs.begin(), kernel.inputs.end(), Tensor::sinks) != kernel.inputs.end();
}

}  // namespace

std::shared_ptr<const Program> program_of(Recording recording) {
  const auto owned = std::make_shared<Owned>();
  owned->recording = std::move(recording);
  Recording& r = owned->recording;
  r.summary = summary_of(r);
  r.listing = text(listings, r.name, "/", hash_of(r.source), "/", r.file);
  Program& program = owned->program;
  program.name = r.name;
  program.title = program.short_title = r.title;
  program.summary = r.summary;
  program.forward = {.listing = r.listing, .source = r.file};
  program.row_at_a_time = r.like && r.like->row_at_a_time;
  program.whole_rows = r.like && r.like->whole_rows;
  program.score_steps = modifies_scores(r);
  program.recording = &r;
  program.paged = looks_up_pages(r);
  program.sinks = std::any_of(r.kernels.begin(), r.kernels.end(), reads_sinks);
  const std::shared_ptr<const Program> shared(owned, &program);
  find_main_loop(program, shared);
  Loaded& all = loaded();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.sources, [](const auto& source) { return source.expired(); });
  all.sources.push_back(owned);
  return shared;
}

std::string_view source_of(std::string_view listing) {
  if (!listing.starts_with(listings)) return {};
  Loaded& all = loaded();
  const std::lock_guard lock(all.mutex);
  for (const auto& source : all.sources) {
    const auto owned = source.lock();
    if (owned && owned->recording.listing == listing) return owned->recording.source;
  }
  return {};
}

std::int64_t parts_of(const Recording& recording, const Problem& p) {
  const std::int64_t key_blocks = ceil_div(p.shape.seqlen_k, p.tiling.bc);
  if (recording.parts_of_key_blocks) return key_blocks;
  require(recording.parts == 0 || recording.parts >= key_blocks, recording.name, ": it keeps ", recording.parts,
          " parts, and these ", p.shape.seqlen_k, " keys are ", key_blocks, " blocks: use a larger --bc");
  return recording.parts;
}

namespace {

/// True if an operation of the turn, or of a loop in it, is such.
template <class Is>
bool any_op(const Turn& turn, const Is& is) {
  return std::any_of(turn.ops.begin(), turn.ops.end(), [&](const Op& op) {
    return is(op) || std::any_of(op.turns.begin(), op.turns.end(), [&](const Turn& of) { return any_op(of, is); });
  });
}

bool is_modify(const Op& op) { return op.verb->name == "modify"; }

bool names(const Op& op, Tensor tensor) {
  return std::any_of(op.operands.begin(), op.operands.end(), [&](const Operand& operand) {
    const auto* const place = std::get_if<Place>(&operand);
    return place != nullptr && place->tensor == tensor;
  });
}

bool reads_slopes(const Op& op) { return names(op, Tensor::slopes); }
bool looks_up(const Op& op) { return names(op, Tensor::block_table); }

/// True if a body of the kernel that may run for the problem has such an operation.
template <class Is>
bool any_op(const Kernel& kernel, const Problem& p, const Is& is) {
  return std::any_of(kernel.bodies.begin(), kernel.bodies.end(),
                     [&](const Body& body) { return may_hold(body.when, p) && any_op(body.all, is); });
}

/// Throws Error unless some kernel that runs has the lines that the score steps of the problem need.
void check_score_steps(const Recording& recording, const Problem& p) {
  const auto some = [&](const auto& is) {
    return std::any_of(recording.kernels.begin(), recording.kernels.end(),
                       [&](const Kernel& kernel) { return holds(kernel.when, nullptr, p) && any_op(kernel, p, is); });
  };
  require(!p.modified() || some(is_modify), "score: no kernel of ", recording.name,
          " that runs for this problem has cta.modify(S, i, j): write it before the mask in each, and record it again");
  require(
      !p.alibi() || some(reads_slopes), "alibi: no kernel of ", recording.name,
      " that runs for this problem reads the slopes: add if p.alibi: cta.load_vec(p.slopes.all), and record it again");
}

GridShape grid_of(const Kernel& kernel, const Problem& p) {
  const std::int64_t cols[] = {p.tiling.bc, p.tiling.slice, p.shape.seqlen_k};
  return {kernel.grid, kernel.rows == RowsOf::one ? 1 : p.tiling.br, cols[static_cast<std::size_t>(kernel.cols)],
          kernel.skips};
}

/// Inputs of a kernel for a problem: sinks only if there are any.
std::vector<Tensor> inputs_of(const Kernel& kernel, const Problem& p) {
  std::vector<Tensor> inputs = kernel.inputs;
  if (!p.has_sinks()) std::erase(inputs, Tensor::sinks);
  return inputs;
}

}  // namespace

/// True if some body of the recording has such an operation.
template <class Is>
static bool any_op(const Recording& recording, const Is& is) {
  const auto has = [&](const Body& body) { return any_op(body.all, is); };
  return std::any_of(recording.kernels.begin(), recording.kernels.end(), [&](const Kernel& kernel) {
    return std::any_of(kernel.bodies.begin(), kernel.bodies.end(), has);
  });
}

bool modifies_scores(const Recording& recording) { return any_op(recording, is_modify); }
bool looks_up_pages(const Recording& recording) { return any_op(recording, looks_up); }

std::vector<Launch> launches_of(const Recording& recording, const Problem& p) {
  check_score_steps(recording, p);
  std::vector<Launch> launches;
  for (const Kernel& kernel : recording.kernels) {
    if (!holds(kernel.when, nullptr, p)) continue;
    launches.push_back(
        {.name = kernel.name,
         .body = [r = &recording, k = &kernel](Cta& cta, const Problem& seen) { replay(*r, *k, cta, seen); },
         .grid = grid_of(kernel, p),
         .threads = kernel.threads,
         .round_p = kernel.rounds_p && p.dtype != Dtype::fp32,
         .inputs = inputs_of(kernel, p),
         .outputs = kernel.outputs,
         .scratch = kernel.scratch,
         .prefetches = kernel.prefetches,
         .tiles_in_flight = kernel.tiles_in_flight,
         .unfused = kernel.unfused});
    if (p.alibi() && any_op(kernel, p, reads_slopes)) launches.back().inputs.push_back(Tensor::slopes);
  }
  require(!launches.empty(), recording.name, ": none of its kernels runs for this problem: record it again");
  return launches;
}

}  // namespace sim::recorded

namespace sim {

void load_program(std::shared_ptr<const Program> program) {
  require(recorded::find_built_in(program->name) == nullptr, "name: ", program->name,
          " is a built-in program: give yours another name");
  recorded::Loaded& all = recorded::loaded();
  std::shared_ptr<const Program> before;  // destroyed after the lock is released
  const std::lock_guard lock(all.mutex);
  for (auto& other : all.programs) {
    if (other->name != program->name) continue;
    before = std::exchange(other, std::move(program));
    return;
  }
  all.programs.push_back(std::move(program));
}

std::vector<std::shared_ptr<const Program>> loaded_programs() {
  recorded::Loaded& all = recorded::loaded();
  const std::lock_guard lock(all.mutex);
  return all.programs;
}

}  // namespace sim
