#include "sim/trace/cause.h"

#include <algorithm>
#include <numeric>

namespace sim {
namespace {

struct Words {
  std::string_view name, meaning;
};

constexpr std::array<Words, cause_count> words = {{
    {/*say*/ "tensor", /*say*/ "work, slowest on the tensor cores"},
    {/*say*/ "fp32", /*say*/ "work, slowest on the FP32 pipe: arithmetic outside matrix products, and fp32 products"},
    {/*say*/ "exp", /*say*/ "work, slowest on the MUFU: exponentials"},
    {/*say*/ "smem", /*say*/ "work, slowest on the shared-memory port: operands of matrix products"},
    {/*say*/ "issue", /*say*/ "work, slowest on the issue slots, which every instruction passes"},
    {/*say*/ "tensor busy", /*say*/ "work held up while other CTAs or warpgroups of the SM use the tensor cores"},
    {/*say*/ "fp32 busy", /*say*/ "work held up while other CTAs or warpgroups of the SM use the FP32 pipe"},
    {/*say*/ "exp busy", /*say*/ "work held up while other CTAs or warpgroups of the SM use the MUFU"},
    {/*say*/ "smem busy", /*say*/ "work held up while other CTAs or warpgroups of the SM use the shared-memory port"},
    {/*say*/ "issue busy", /*say*/ "work held up while other CTAs or warpgroups of the SM use the issue slots"},
    {/*say*/ "data", /*say*/ "waits until a copy that has been transferred arrives: its latency"},
    {/*say*/ "bandwidth", /*say*/ "waits for a copy's transfer: the SM's part of L2 and HBM bandwidth"},
    {/*say*/ "barrier", /*say*/ "waits between dependent phases: pipes drain and warps meet"},
    {/*say*/ "turn", /*say*/ "waits for the turn of a warpgroup, which another one passes on"},
    {/*say*/ "stage", /*say*/ "waits until a stage of a ring is full, or may be filled again"},
    {/*say*/ "link", /*say*/ "waits for keys and values of other GPUs: the part of a transfer that no computing hides"},
    {/*say*/ "launch", /*say*/ "waits for the kernel to start, and for a CTA to follow another in its slot"},
    {/*say*/ "tail", /*say*/ "waits with no CTA left, while others finish"},
}};

const Words& words_of(Cause cause) { return words.at(static_cast<std::size_t>(cause)); }

}  // namespace

std::string_view name_of(Cause cause) { return words_of(cause).name; }
std::string key_of(Cause cause) {
  std::string key(name_of(cause));
  std::replace(key.begin(), key.end(), ' ', '_');
  return key;
}

std::string_view meaning_of(Cause cause) { return words_of(cause).meaning; }

double Budget::total() const { return std::accumulate(time.begin(), time.end(), 0.0); }

Budget& Budget::add(const Budget& other, double times) {
  for (std::size_t c = 0; c < time.size(); ++c) time[c] += times * other.time[c];
  return *this;
}

}  // namespace sim
