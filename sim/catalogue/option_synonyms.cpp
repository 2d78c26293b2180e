#include "sim/catalogue/option_synonyms.h"

#include <algorithm>

#include "sim/base/text.h"
#include "sim/catalogue/options.h"

namespace sim {
namespace {

/// Names of the field for options, in other programs and configs. The option may be followed by `=` and a value.
struct OptionNames {
  std::string_view option, names;
};
constexpr OptionNames option_names_of_the_field[] = {
    {"algorithm", "algo, alg"},
    {"model", "model-name, config"},
    {"pass=forward", "fwd, forward, fwd-only, forward-only"},
    {"pass=backward", "bwd, backward, bwd-only, backward-only"},
    {"batch", "b, bs, bsz, nbatch, batch-size, batchsize, num-batches, batches"},
    {"heads",
     "h, nh, num-heads, n-heads, nheads, nhead, n-head, heads-q, num-q-heads, q-heads, query-heads, num-query-heads, "
     "num-attention-heads"},
    {"kv-heads",
     "hk, h-kv, num-kv-heads, n-kv-heads, nheads-kv, nheads-k, heads-kv, heads-k, num-heads-kv, num-heads-k, "
     "n-head-kv, num-key-value-heads, key-value-heads"},
    {"seqlen",
     "n, s, l, seq, seq-len, seq-length, seqlength, sequence-length, sequence-len, length, num-tokens, tokens"},
    {"seqlen-q",
     "nq, sq, q-len, len-q, q-seqlen, seq-len-q, q-seq-len, sequence-length-q, query-length, num-queries, queries"},
    {"seqlen-k",
     "nk, sk, k-len, kv-len, len-k, k-seqlen, kv-seqlen, seqlen-kv, seq-len-k, seq-len-kv, kv-seq-len, "
     "sequence-length-k, kv-length, key-length, num-keys"},
    {"cu-seqlens", "cu-seqlens-q, cu-seqlens-k, cumulative-seqlens"},
    {"head-dim",
     "d, dh, dk, headdim, hdim, head-size, head-dimension, dim-head, dim-per-head, d-head, d-k, qk-head-dim"},
    {"dtype", "data-type, datatype, type, precision, torch-dtype"},
    {"dtype=fp16", "fp16, float16, half"},
    {"dtype=bf16", "bf16, bfloat16"},
    {"dtype=fp32", "fp32, float32"},
    {"causal", "is-causal, causal-mask, use-causal-mask"},
    {"window", "w, window-size, window-left, local-window, attention-window"},
    {"padding", "pad, key-padding"},
    {"prefix", "prefix-length, prefix-len"},
    {"documents", "docs, document-lengths, document-lens, doc-lens"},
    {"dropout", "dropout-p, p-dropout, dropout-rate, attention-dropout, attn-dropout"},
    {"scale", "softmax-scale, sm-scale, scaling, attn-scale"},
    {"softcap", "logits-soft-cap, logit-softcap, attn-logit-softcapping, tanh-cap"},
    {"alibi", "alibi-slopes, use-alibi"},
    {"sink", "sinks, attention-sinks, attention-sink, learnable-sink, s-aux"},
    {"score", "score-mod, score-formula"},
    {"gpu", "device, card, gpu-name, target"},
    {"clock", "freq, frequency, sm-clock, clock-rate, clock-hz"},
    {"sram", "smem, shared-memory, shared-mem, smem-size, smem-bytes, sram-size, sram-bytes"},
    {"l2", "l2-size, l2-bytes, l2-cache, l2-cache-size"},
    {"br", "block-m, block-size-m, block-q, block-size-q, tile-m, kblockm, bm, q-block"},
    {"bc", "block-n, block-size-n, block-k, block-kv, block-size-k, tile-n, kblockn, bn, kv-block"},
    {"seed", "random-seed, rng-seed"},
    {"layers", "num-layers, n-layers, n-layer, num-hidden-layers"},
    {"splits", "num-splits, n-splits, split-k, kv-splits, num-kv-splits"},
    {"output", "o, out, output-file"},
    {"format=json", "json"},
    {"format=csv", "csv"},
};

/// Names of quantities that several options set, with what to give.
constexpr OptionNames names_of_several[] = {
    {"is heads x head-dim: give --heads and --head-dim",
     "hidden, hidden-size, hidden-dim, hidden-dimension, d-model, dmodel, model-dim, embed-dim, embedding-size, "
     "n-embd, dim"},
    {"is the right side of a window: give --window LEFT,RIGHT", "window-right, window-size-right"},
    {"counts the query itself: give --window W-1", "sliding-window, sliding-window-size"},
    {"is the number of queries and keys, --seqlen, or when decoding that of the keys: give --seqlen-q 1 --seqlen-k N",
     "context, context-length, context-len, ctx, max-seq-len, max-seqlen, max-position-embeddings, prompt-length"},
    {"is heads / kv-heads: give --kv-heads", "group-size, gqa, gqa-group, gqa-ratio, num-groups, num-key-value-groups"},
    {"is the default: leave it out", "no-causal, non-causal, full, bidirectional"},
};

/// Returns a name in lower case, with - for _, without dashes before it.
std::string plain_name(std::string_view typed) {
  std::string name = in_lower_case(typed.substr(0, 60));
  std::replace(name.begin(), name.end(), '_', '-');
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

/// Returns the row that has a name, or null.
template <std::size_t count>
const OptionNames* row_with(const OptionNames (&rows)[count], std::string_view name) {
  for (const OptionNames& row : rows) {
    for (const std::string_view each : split(row.names, ",")) {
      if (trimmed(each) == name) return &row;
    }
  }
  return nullptr;
}

}  // namespace

KnownAs known_as(std::string_view typed) {
  const std::string name = plain_name(typed);
  if (const ScenarioOption* option = find_option(name)) return {std::string(option->name), ""};
  const OptionNames* row = row_with(option_names_of_the_field, name);
  if (row == nullptr) return {};
  const std::size_t equals = std::min(row->option.find('='), row->option.size() - 1);
  const bool with_value = row->option[equals] == '=';
  return {std::string(with_value ? row->option.substr(0, equals) : row->option),
          std::string(with_value ? row->option.substr(equals + 1) : "")};
}

std::string why_no_option(std::string_view typed) {
  const std::string name = plain_name(typed);
  const OptionNames* row = row_with(names_of_several, name);
  return row == nullptr ? "" : text(name, " ", row->option);
}

}  // namespace sim
