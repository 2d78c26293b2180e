#include "kernels/profile/passes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "sim/base/text.h"

namespace profile {
namespace {

using Launches = std::vector<const Launch*>;
using Key = std::tuple<std::string, std::string, std::string>;

Key key_of(const Launch& launch) { return {launch.kernel, launch.grid, launch.block}; }

std::map<Key, std::size_t> counted(const Launches& launches) {
  std::map<Key, std::size_t> counts;
  for (const Launch* launch : launches) ++counts[key_of(*launch)];
  return counts;
}

/// Smallest period of the launches; the last repetition may be partial.
std::size_t period(const Launches& launches) {
  std::vector<Key> keys;
  for (const Launch* launch : launches) keys.push_back(key_of(*launch));
  std::vector<std::size_t> border(keys.size() + 1, 0);  // by prefix: its longest proper prefix that is a suffix
  for (std::size_t end = 1, length = 0; end < keys.size(); ++end) {
    while (length > 0 && !(keys[end] == keys[length])) length = border[length];
    if (keys[end] == keys[length]) ++length;
    border[end + 1] = length;
  }
  return keys.size() - border[keys.size()];
}

/// Cuts launches into whole passes of this length.
Passes cut(const Launches& launches, std::size_t length) {
  Passes cut;
  for (std::size_t begin = 0; begin + length <= launches.size(); begin += length) {
    const auto first = launches.begin() + static_cast<std::ptrdiff_t>(begin);
    cut.passes.emplace_back(first, first + static_cast<std::ptrdiff_t>(length));
  }
  return cut;
}

/// Deals equally frequent kernels into passes: a kernel's n-th launch belongs to the n-th pass.
std::optional<Passes> dealt(const Launches& launches) {
  const std::map<Key, std::size_t> counts = counted(launches);
  const std::size_t passes = launches.size() / counts.size();
  for (const auto& [key, count] : counts) {
    if (count != passes) return std::nullopt;
  }
  Passes dealt;
  dealt.passes.resize(passes);
  std::map<Key, std::size_t> seen, position;
  for (const Launch* launch : launches) {
    const Key key = key_of(*launch);
    const auto [place, first] = position.try_emplace(key, position.size());
    Launches& pass = dealt.passes[seen[key]++];
    pass.resize(counts.size());
    pass[place->second] = launch;
  }
  return dealt;
}

/// Passes in these launches; empty if nothing repeats, and their number is not that of the kernels.
std::optional<Passes> repeated(const Launches& launches, std::size_t kernels) {
  const std::size_t length = period(launches);
  if (launches.size() / length > 1 || length == kernels) return cut(launches, length);
  const std::optional<Passes> in_turn = dealt(launches);
  const bool fits = in_turn && in_turn->passes.size() > 1 && in_turn->launches() == kernels;
  return fits ? in_turn : std::nullopt;
}

template <class Taken>
Launches those(const Launches& launches, const Taken& taken) {
  Launches some;
  std::copy_if(launches.begin(), launches.end(), std::back_inserter(some),
               [&](const Launch* launch) { return taken(key_of(*launch)); });
  return some;
}

bool says_attention(const Launch* launch) {
  constexpr std::array<std::string_view, 6> words = {"attn", "attention", "flash", "fmha", "sdpa", "mha_"};
  const std::string name = sim::in_lower_case(launch->kernel);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

double microseconds(const Passes& passes) {
  double total = 0;
  for (const Launches& pass : passes.passes) {
    for (const Launch* launch : pass) {
      for (const char* metric : {"gpu__time_duration.sum", "Duration"}) {
        const auto found = launch->readings.find(std::string_view(metric));
        if (found != launch->readings.end() && found->second) total += found->second->value;
      }
    }
  }
  return total;
}

/// Keeps the best of several choices: see find_passes.
class Best {
 public:
  Best(const Launches& launches, std::size_t kernels) : kernels_(kernels) {
    const auto of_attention = std::count_if(launches.begin(), launches.end(), says_attention);
    tell_attention_ = of_attention > 0 && static_cast<std::size_t>(of_attention) < launches.size();
  }

  void consider(const Launches& launches) {
    if (launches.empty()) return;
    std::optional<Passes> next = repeated(launches, kernels_);
    if (!next) return;
    const Launches& pass = next->passes.front();
    const bool fits = kernels_ > 1 && pass.size() == kernels_;
    const bool named = tell_attention_ && std::all_of(pass.begin(), pass.end(), says_attention);
    const auto rank = std::tuple(named, fits, next->passes.size() * pass.size(), microseconds(*next));
    if (best_ && rank <= rank_) return;
    rank_ = rank;
    best_ = std::move(next);
  }

  std::optional<Passes> take() { return std::move(best_); }

 private:
  std::size_t kernels_;
  bool tell_attention_ = false;
  std::optional<Passes> best_;
  std::tuple<bool, bool, std::size_t, double> rank_;
};

/// Launches that are in no pass.
Launches rest_of(const Launches& launches, const Passes& passes) {
  std::set<const Launch*> taken;
  for (const Launches& pass : passes.passes) taken.insert(pass.begin(), pass.end());
  Launches rest;
  std::copy_if(launches.begin(), launches.end(), std::back_inserter(rest),
               [&](const Launch* launch) { return taken.count(launch) == 0; });
  return rest;
}

}  // namespace

Passes find_passes(const Launches& launches, std::size_t kernels) {
  if (launches.empty()) return {};
  const std::map<Key, std::size_t> counts = counted(launches);
  if (counts.size() == launches.size()) return {{launches}, {}};
  const std::size_t length = period(launches);
  if (launches.size() % length == 0 && length < launches.size()) return cut(launches, length);

  Best best(launches, kernels);
  std::set<std::size_t> rates;
  for (const auto& [key, count] : counts) rates.insert(count);
  while (rates.size() > 16) rates.erase(rates.begin());  // many different rates are not passes
  for (const std::size_t rate : rates) {
    best.consider(those(launches, [&](const Key& key) { return counts.at(key) >= rate; }));
    best.consider(those(launches, [&](const Key& key) { return counts.at(key) == rate; }));
  }
  if (counts.size() <= 64) {  // each kernel alone
    for (const auto& [kernel, count] : counts) {
      if (kernels == 1) best.consider(those(launches, [&, &name = kernel](const Key& key) { return key == name; }));
    }
  }
  std::optional<Passes> passes = best.take();
  if (!passes) return {{launches}, {}};
  passes->left_out = rest_of(launches, *passes);
  return *passes;
}

}  // namespace profile
