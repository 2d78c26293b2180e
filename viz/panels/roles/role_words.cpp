// Sentences on a role at a time: from the barrier, its phase and its last arriver, never from the schedule's name.
#include "sim/report/numbers.h"
#include "viz/model/event_label.h"
#include "viz/model/listing/equation.h"
#include "viz/panels/roles/lanes.h"
#include "viz/panels/roles/roles.h"
#include "viz/ui/rich_text.h"

namespace explorer {
namespace {

constexpr std::size_t most_listed = 3;  // tiles on their way

/// Words on one role at a time, in one language.
class RoleSpeaker {
 public:
  RoleSpeaker(Language language, const RoleTrace& roles, std::size_t role, sim::Cycles time)
      : language_(language), roles_(roles), role_(role), time_(time), now_(role_at(roles, role, time)) {}

  RoleWords words() const {
    if (now_.span == nullptr) return {say(/*say*/ "is done"), rest_of_cta(), "", {}};
    if (now_.span->does == RoleDoes::work) return {works(), beside(), pipe(), now_.span->cause};
    RoleWords words{say(/*say*/ "waits {} more cycles", in_cycles(now_.left)), "", "", now_.span->cause};
    if (now_.phase == nullptr) {
      words.why = now_.span->is_products ? own_product()
                  : now_.span->cause == sim::Cause::barrier
                      ? say(/*say*/ "its warps meet before {}", what(now_.span->event))
                  : at_end() ? say(/*say*/ "until {} is in HBM", name_of_event(now_.span->event))
                             : say(/*say*/ "until {} can begin", what(now_.span->event));
      words.meanwhile = pipe();
      return words;
    }
    const sim::TraceBarrier& barrier = barrier_of(*now_.phase);
    words.why = barrier.kind == sim::BarrierKind::turn   ? turn(barrier)
                : barrier.kind == sim::BarrierKind::full ? full(barrier)
                                                         : empty(barrier);
    const bool computes = roles_.lanes()[role_].computes;
    words.meanwhile = barrier.kind != sim::BarrierKind::empty ? (computes ? full_stages() : next_copy())
                      : computes                              ? pipe()
                                                              : next_copy();
    return words;
  }

 private:
  template <class... Values>
  std::string say(std::string_view english, const Values&... values) const {
    return words::say_with(language_, english, values...);
  }
  const sim::Event& event(std::int32_t n) const { return roles_.event(n); }
  const sim::TraceBarrier& barrier_of(const RolePhase& phase) const {
    return roles_.trace().barriers[static_cast<std::size_t>(phase.barrier)];
  }
  std::string name(std::size_t role) const { return role_name(language_, roles_.lanes()[role].name); }

  /// "a, b and c".
  std::string listed(const std::vector<std::string>& all) const {
    std::string text = all.front();
    for (std::size_t n = 1; n < all.size(); ++n)
      text = say(n + 1 < all.size() ? /*say*/ "{}, {}" : /*say*/ "{} and {}", text, all[n]);
    return text;
  }

  /// The equation of an event's line; of a copy, the tile that it moves; of a tile that is put there, that.
  std::string what(std::int32_t n) const {
    if (roles_.is_backward() && event(n).verb == sim::Verb::move)
      return say(/*say*/ "{} to shared memory",
                 sim::text(name_on_chip(event(n).tensor), "_{", event(n).rows.index, "}"));
    const std::string equation = equation_of(roles_.trace().listing, event(n).line);
    if (event(n).direction != sim::Direction::none || equation.find(" = ") == std::string::npos)
      return label_of(event(n));
    return equation_markup(equation);
  }

  std::string works() const { return say(/*say*/ "works: {}", what(now_.span->event)); }

  std::string rest_of_cta() const {
    if (roles_.end() <= time_) return "";
    return say(/*say*/ "the CTA goes on for {} cycles", in_cycles(roles_.end() - time_));
  }

  /// Products of a role that are on the tensor cores now.
  std::vector<std::string> products_of(std::size_t role) const {
    std::vector<std::string> names;
    const std::vector<RoleSpan>& all = roles_.lanes()[role].products;
    const auto [first, last] = spans_within(all, time_, time_ + sim::Cycles(1));
    for (std::size_t n = first; n < last; ++n) names.push_back(product_markup(roles_, all[n]));
    return names;
  }

  /// "QK_38 (consumer 1)" for each product of another role.
  std::vector<std::string> products_of_others() const {
    std::vector<std::string> names;
    for (std::size_t role = 0; role < roles_.lanes().size(); ++role) {
      if (role == role_) continue;
      for (const std::string& product : products_of(role)) names.push_back(sim::text(product, " (", name(role), ")"));
    }
    return names;
  }

  /// Other events of the role under way.
  std::string beside() const {
    if (now_.beside.empty())
      return roles_.lanes()[role_].computes ? say(/*say*/ "none of its own products runs meanwhile") : "";
    std::vector<std::string> names;
    for (const std::int32_t n : now_.beside) names.push_back(name_of_event(n));
    return say(/*say*/ "meanwhile its own {}", listed(names));
  }

  std::string name_of_event(std::int32_t n) const {
    for (const RoleSpan& product : roles_.lanes()[event(n).role].products) {
      if (product.event == n) return product_markup(roles_, product);
    }
    return event(n).verb == sim::Verb::atomic_add ? sim::text("dQ_{", event(n).rows.index, "}") : label_of(event(n));
  }

  /// Roles that use the tensor cores.
  std::string pipe() const {
    const std::vector<std::string> own = products_of(role_), others = products_of_others();
    if (!others.empty() && !own.empty()) return say(/*say*/ "the tensor cores are shared with {}", listed(others));
    if (!others.empty()) return say(/*say*/ "the tensor cores have {}", listed(others));
    if (!own.empty() && now_.span->does == RoleDoes::work)
      return say(/*say*/ "without this overlap the tensor cores would wait");
    if (!own.empty()) return say(/*say*/ "the tensor cores are its own");
    return say(/*say*/ "the tensor cores are idle");
  }

  /// True for a wait after the role's last event, until what it copied out is there.
  bool at_end() const {
    const std::int32_t n = now_.span->event;
    return event(n).engine == sim::Engine::copy_out && now_.span->begin >= roles_.issued(n);
  }

  std::string own_product() const {
    return say(/*say*/ "for its own {} to end",
               now_.ends_it >= 0 ? name_of_event(now_.ends_it) : what(now_.span->event));
  }

  /// The last arriver passes the turn on, at once or when its products have ended.
  std::string turn(const sim::TraceBarrier& barrier) const {
    if (now_.ends_it < 0) return say(/*say*/ "for its turn");
    if (is_meeting(barrier) && roles_.is_backward())
      return say(/*say*/ "for {}: its part of {} is not in shared memory", name(now_.by), barrier.name);
    if (is_meeting(barrier)) return say(/*say*/ "for {}: all warpgroups meet here", name(now_.by));
    if (now_.is_issued && now_.after >= 0)
      return say(/*say*/ "for {} of {} to end", name_of_event(now_.after), name(now_.by));
    return say(/*say*/ "for {} to pass the turn on", name(now_.by));
  }

  /// The stage whose barrier is meant, and its filling in a phase; null if there is none.
  std::pair<const RingStage*, const StageFilling*> filling_of(std::int16_t RingStage::*side) const {
    for (const RingStage& stage : roles_.stages()) {
      if (stage.*side != now_.phase->barrier) continue;
      for (const StageFilling& filling : stage.fillings) {
        if (filling.phase == now_.phase->number) return {&stage, &filling};
      }
      return {&stage, nullptr};
    }
    return {nullptr, nullptr};
  }

  std::string full(const sim::TraceBarrier& barrier) const {
    const auto [stage, filling] = filling_of(&RingStage::full);
    if (filling == nullptr) return say(/*say*/ "for {} to be full", barrier.name);
    const std::string tile = filled_markup(*stage, *filling);
    const std::size_t by = event(filling->copy).role;
    if (event(filling->copy).tensor == sim::Tensor::dQ_acc)
      return time_ < filling->begin ? say(/*say*/ "for {} of {}: it is not computed yet", tile, name(by))
                                    : say(/*say*/ "for {}, which {} writes to shared memory", tile, name(by));
    if (time_ < filling->issued) return say(/*say*/ "for {}: {} has not issued its copy", tile, name(by));
    const std::int64_t due = barrier_at(roles_, stage->full, time_).bytes_due;
    if (due == 0) return say(/*say*/ "for {}: its bytes are on their way", tile);
    return say(/*say*/ "for {}: {} of its copy are due", tile, report::bytes(due));
  }

  std::string empty(const sim::TraceBarrier& barrier) const {
    const auto [stage, filling] = filling_of(&RingStage::empty);
    if (filling == nullptr) return say(/*say*/ "for {} to be empty", barrier.name);
    std::string place = stage->name, holders;
    std::erase(place, ' ');
    int count = 0;
    std::size_t holder = 0;
    for (const RoleArrival& reader : filling->readers) {
      if (reader.effect <= time_) continue;
      holder = reader.role;
      holders += (count++ == 0 ? "" : ", ") + roles_.lanes()[holder].badge;
    }
    const std::string tile = filled_markup(*stage, *filling);
    if (filling->copy >= 0 && event(filling->copy).tensor == sim::Tensor::dQ_acc)
      return say(/*say*/ "for {} to read {}, which it adds to HBM", name(holder), tile);
    if (count == 0) return say(/*say*/ "{}: {} is still read", place, tile);
    if (count == 1) return say(/*say*/ "{}: {} has not let go of {}", place, name(holder), tile);
    return say(/*say*/ "{}: consumers {} have not let go of {}", place, holders, tile);
  }

  /// The tile that the producer copies after its wait, and those on their way.
  std::string next_copy() const {
    std::string next;
    std::vector<std::string> coming;
    bool reduces = false;
    for (const RoleSpan& copy : roles_.lanes()[role_].copies) {
      const sim::Event& moved = event(copy.event);
      if (letter_of(moved.tensor) == 0) continue;  // statistics come with a tile
      reduces = reduces || moved.direction == sim::Direction::both;
      if (copy.issued > time_ && next.empty()) next = tile_of(copy);
      if (copy.issued <= time_ && time_ < copy.ready) coming.push_back(tile_of(copy));
    }
    if (reduces)
      return coming.empty() ? say(/*say*/ "none of its reductions is on its way to HBM")
                            : say(/*say*/ "its reduction of {} is on its way to HBM", listed(coming));
    if (next.empty()) return "";
    if (coming.size() > most_listed)
      return say(/*say*/ "then it copies {}; {} tiles are on their way", next, coming.size());
    if (coming.empty()) return say(/*say*/ "then it copies {}; nothing is on its way", next);
    return say(coming.size() == 1 ? /*say*/ "then it copies {}; {} is on its way"
                                  : /*say*/ "then it copies {}; {} are on their way",
               next, listed(coming));
  }

  std::string tile_of(const RoleSpan& copy) const {
    for (const RingStage& stage : roles_.stages()) {
      for (const StageFilling& filling : stage.fillings) {
        if (filling.copy == copy.event) return filled_markup(stage, filling);
      }
    }
    return event(copy.event).verb == sim::Verb::atomic_add ? copied_markup(roles_, copy) : label_of(event(copy.event));
  }

  std::string full_stages() const {
    std::vector<std::string> names;
    for (const RingStage& stage : roles_.stages()) {
      const StageState state = stage_at(roles_, stage, time_);
      if (state.is == StageState::Is::full) names.push_back(filled_markup(stage, *state.filling));
    }
    if (names.empty()) return say(/*say*/ "no stage is full and unread");
    return say(names.size() == 1 ? /*say*/ "{} is full and not yet read" : /*say*/ "{} are full and not yet read",
               listed(names));
  }

  Language language_;
  const RoleTrace& roles_;
  std::size_t role_;
  sim::Cycles time_;
  RoleState now_;
};

}  // namespace

RoleWords role_words(Language language, const RoleTrace& roles, std::size_t role, sim::Cycles time) {
  return RoleSpeaker(language, roles, role, time).words();
}

std::string name_on_chip(sim::Tensor tensor) {
  if (tensor == sim::Tensor::dQ_acc) return "dQ";
  if (sim::facts_of(tensor).gradient) return std::string(name_of(tensor));
  return std::string(1, letter_of(tensor));
}

std::string copied_markup(const RoleTrace& roles, const RoleSpan& copy) {
  const sim::Event& event = roles.event(copy.event);
  if (event.verb != sim::Verb::atomic_add) return label_of(event);
  const std::uint8_t role = event.operands[0] < 0 ? event.role : roles.event(event.operands[0]).role;
  return sim::text(roles.lanes()[role].badge, ": dQ_{", event.rows.index, "}");
}

std::string product_markup(const RoleTrace& roles, const RoleSpan& product) {
  if (roles.is_backward()) {
    const sim::Tensor tensor = roles.event(product.event).tensor;
    const std::string_view added = tensor == sim::Tensor::dV ? " + P_{" : tensor == sim::Tensor::dK ? " + dS_{" : "_{";
    return sim::text(name_on_chip(tensor), added, product.block, "}");
  }
  std::string name = product_in(equation_of(roles.trace().listing, roles.event(product.event).line));
  if (const std::size_t transposed = name.find("^T"); transposed != std::string::npos) name.erase(transposed, 2);
  return product.block < 0 ? name : sim::text(name, "_{", product.block, "}");
}

std::string roles_sentence(Language language, const Subject& subject) {
  const RoleTrace& roles = subject.replay->roles;
  std::string text = words::say_with(language, /*say*/ "{}: one CTA with {} roles, cycle {} of {}.",
                                     words::say(language, subject.simulation().plan.program->title),
                                     roles.lanes().size(), in_cycles(subject.time), in_cycles(roles.end()));
  for (std::size_t role = 0; role < roles.lanes().size(); ++role) {
    const RoleWords words = role_words(language, roles, role, subject.time);
    const std::string name = role_name(language, roles.lanes()[role].name), does = ui::plain(words.does);
    text += " ";
    text += words.why.empty() ? words::say_with(language, /*say*/ "{} {}.", name, does)
                              : words::say_with(language, /*say*/ "{} {}, {}.", name, does, ui::plain(words.why));
  }
  return text;
}

}  // namespace explorer
