// Messages of the simulator in other languages: an error is a text, of which the words of a known sentence are found.
// A quoted value may be a message itself: "link: {}".
#include <optional>

#include "viz/words/words.h"

namespace words {
namespace {

// The first that fits is taken: special ones precede general ones.
constexpr std::string_view messages[] = {
    /*say*/ "link: {}",
    /*say*/ "\"{}\" is not percent-encoded text that can be read",
    /*say*/ "{} is given twice",
    /*say*/ "only the first {} of {} bytes are read",
    /*say*/ "{} = \"{}\" makes no sense here",
    /*say*/ "unknown {} \"{}\": did you mean \"{}\"? known: {}",
    /*say*/ "unknown {} \"{}\": known: {}",
    /*say*/ "key",
    /*say*/ "{}; tiles (br {}, bc {}) do not fit on {}: {}",
    /*say*/ "with --br {} the largest --bc is {}, with --bc {} the largest --br is {}",
    /*say*/ "with --br {} the largest --bc is {}",
    /*say*/ "with --bc {} the largest --br is {}",
    /*say*/ "neither a smaller --br nor a smaller --bc alone is enough",
    /*say*/ "{} tile ({}, {}) {} needs {}, {} of {} SMEM are free",
    /*say*/ "{} tile ({}, {}) {} needs {}, {} of {} registers are free",
    /*say*/ "{}: {} is more than the {} of fmha, which keeps all keys of a head on chip: {}",
    /*say*/
    "seqlen: {} single rows are more than the {} that are counted between two frames; flashscope sweep counts them",
    /*say*/ "{}: \"{}\": \"{}\" is not a whole number of blocks from {} to {}",
    /*say*/ "{}: \"{}\": \"{}\" is not a probability from 0 to 1",
    /*say*/ "{}: \"{}\" has {} numbers, {} takes {}: {}",
    /*say*/ "{}: \"{}\" is none of {}",
    /*say*/ "{}: \"{}\" is not a number of painted columns from 1 to {}",
    /*say*/ "{}: row {} of the painted blocks: \"{}\" is not hexadecimal digits",
    /*say*/ "{}: row {} of the painted blocks has {} digits, {} columns take at most {}",
    /*say*/ "{}: row {} of the painted blocks shows column {}, allowed are those below {}",
    /*say*/ "{}: {} x {} painted blocks are more than {}: make a picture of them, FILE.pbm",
    // NOLINTBEGIN(bugprone-suspicious-missing-comma): one sentence of two lines
    /*say*/
    "{} has {} x {} pixels, but there are {} x {} blocks (of {} keys x {} queries): change the picture, or --bc and "
    "--br",
    // NOLINTEND(bugprone-suspicious-missing-comma)
    /*say*/ "{}, or auto",
    /*say*/ "{}: \"{}\" is not a whole number from {} to {}: write {}",
    /*say*/ "{}: \"{}\" is not a whole number from {} to {}",
    /*say*/ "{}: \"{}\" is not a size in bytes from {} to {}: write {}",
    /*say*/ "{}: \"{}\" is not a size in bytes from {} to {}, such as {}",
    /*say*/ "{}: \"{}\" is not a clock in Hz from {} to {}: write {}",
    /*say*/ "{}: \"{}\" is not a clock in Hz from {} to {}, such as {}",
    /*say*/ "{}: \"{}\" is not a finite number",
    /*say*/ "{}: {} is not a number from {} to {}",
    /*say*/ "{}: {} is not in [0, 1)",
    /*say*/ "{}: {} is not in {}..{}",
    /*say*/ "{} is {}: must divide {} = {}; allowed are {}",
    /*say*/ "{} is {}: allowed are {} to {}",
    /*say*/ "{}: the product {} x {} passes 64 bits: use smaller sizes",
    /*say*/ "the product {} x {} passes 64 bits: use smaller sizes",
    /*say*/ "the sum {} + {} passes 64 bits: use smaller sizes",
    /*say*/ "batch x heads x seqlen-q x seqlen-k x {} bytes",
    /*say*/ "batch x heads x seqlen x head-dim x {} tensors of {} bytes",
    /*say*/ "batch x heads x seqlen-q x seqlen-k x head-dim x {} operations",
    /*say*/ "a grid takes {} x {} ticks of 1/256 cycle in all: allowed are {}",
    /*say*/ "a grid holds {} slots for {} ticks of 1/256 cycle: allowed are {} in all",
    /*say*/ "a CTA of run {} takes {} x {} ticks of 1/256 cycle: allowed are 1 to {}",
    /*say*/ "replay: one CTA has more than {} events: use larger tiles or a shorter --seqlen",
    /*say*/ "replay: the values of one CTA need more than {} MiB: use a shorter --seqlen",
    /*say*/ "{}: applies only to the forward pass: leave it out",
    /*say*/
    "{}: does not follow the batch entries of --seqlens, which differ in length: give one --seqlen, or use "
    "simulate, compare, sweep or tune",
    /*say*/ "{}: is an option of {}; {} has none: add --algorithm {}, or leave it out",
    /*say*/ "{}: is an option of {}; {} has none: leave it out",
    /*say*/ "{}: {} has none with --pattern: leave out one of them",
    /*say*/ "pattern: none of the algorithms that are compared has this option: leave it out",
    /*say*/ "inputs: worked is one head with --seqlen {} --head-dim {}, here is {}: change that, or use --inputs drawn",
    /*say*/
    "inputs: text:{} is {} heads of its {} words with --seqlen {} --head-dim {}, here is {}: leave out that, or "
    "use --inputs drawn",
    /*say*/ "tiling: {} has no {} code: {}",
    /*say*/ "{}: standard-pytorch has no {}: leave it out, or use --algorithm standard",
    /*say*/ "{}: {} for {} heads: standard-pytorch has no grouped heads, kv-heads = heads",
    /*say*/ "{} and paper",
    /*say*/ "tiling: paper is not for {}, which has the tiles that it was released with: {}",
    /*say*/ "{}: {} is not the {} of fmha",
    /*say*/ "{}: {} is not in fmha, which is written for tensor cores: fp16 or bf16",
    /*say*/ "{}: {} is not in the released code of flash1: fp16 or bf16",
    /*say*/ "{}: {} is more than the {} of the released code of flash1",
    /*say*/
    "{}: {} is more than the 64 that the released code of flash1 ran backward on {} ({}): up to 128 on sm_80 and sm_90 "
    "alone, as --gpu a100-sxm-40gb or h100-sxm, or use --pass forward",
    /*say*/ "tiling: the released code of flash1 is of sm_75 and later, not of {} ({}): leave out --tiling released",
    /*say*/ "{}: {} has {}, which one size does not describe: leave it out",
    /*say*/ "{}: {} for {} heads: the released code of flash1 has no grouped heads, kv-heads = heads",
    /*say*/
    "mask: a query does not see the first key, but the released code of flash1 begins every row there: no --window, "
    "--padding below {}, and with --causal no more queries than keys",
    /*say*/ "{}: {} has no backward pass: forward",
    /*say*/ "{}: {} is not {}, all keys: the tiles of {} are whole rows of scores; leave it out",
    /*say*/ "{}: {} and --bc {} are the same size of {}: give one of them",
    /*say*/ "{}: {} in blocks of {} makes {} blocks, more than {}: use a shorter --{} or a larger --{}",
    /*say*/ "{}: {} is more than the {} key blocks of {} keys: use --splits 1 to {}, auto, or a smaller --bc",
    /*say*/ "{}: {} parts of {} row blocks make more than {} CTAs per head: use fewer",
    /*say*/ "{}, heads {}",
    /*say*/ "heads {}",
    /*say*/ "{}, batch {}",
    /*say*/ "batch {}",
    /*say*/ "heads",
    /*say*/ "{} bytes",
};

/// Finds the texts at the fields {} of a pattern, if the text matches it.
std::optional<std::vector<sim::Sentence>> values_in(std::string_view text, std::string_view pattern) {
  std::vector<sim::Sentence> values;
  while (true) {
    const std::size_t place = pattern.find("{}");
    if (place == std::string_view::npos) return text == pattern ? std::optional(values) : std::nullopt;
    if (text.substr(0, place) != pattern.substr(0, place)) return std::nullopt;
    text.remove_prefix(place);
    pattern.remove_prefix(place + 2);
    const std::string_view next = pattern.substr(0, pattern.find("{}"));
    const std::size_t end = next.empty() ? text.size() : text.find(next);
    if (end == std::string_view::npos) return std::nullopt;
    values.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

}  // namespace

std::string translate_message(explorer::Language language, std::string_view english) {
  for (const std::string_view pattern : messages) {
    if (language == explorer::Language::en) break;
    if (const auto values = values_in(english, pattern))
      return sim::Sentence::filled(say(language, pattern), *values, [&](const sim::Sentence& value) {
        return translate_message(language, value.text());
      });
  }
  return std::string(english);
}

}  // namespace words
