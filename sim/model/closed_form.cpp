#include "sim/model/closed_form.h"

#include <algorithm>
#include <cctype>

#include "sim/model/live_tiles.h"
#include "sim/programs/kernel_form.h"
#include "sim/programs/steps.h"

namespace sim {
namespace {

/// A sum of both head dimensions, as rules of kernels write it: its symbol where they differ, and its product where
/// both are d.
struct Width {
  std::string_view rule, apart, equal;
  std::int64_t qk, v;
  std::string_view meaning;
};

constexpr Width widths[] = {
    {"d", "dk", "d", 1, 0, /*say*/ "head dimension of Q and K"},
    {"dv", "dv", "d", 0, 1, /*say*/ "head dimension of V and O"},
    {"(d+dv)", "(dk+dv)", "2 d", 1, 1, /*say*/ "sum of both head dimensions"},
    {"(2d+dv)", "(2dk+dv)", "3 d", 2, 1, /*say*/ "twice that of Q and K, once that of V"},
    {"(3d+2dv)", "(3dk+2dv)", "5 d", 3, 2, /*say*/ "three times that of Q and K, twice that of V"}};

/// Symbols of one kernel. Without a mask the sums over live tiles are products of plain symbols.
class Symbols {
 public:
  /// `masked`: sums over live tiles stay symbols, as for a plan with a mask.
  Symbols(const Problem& p, const Launch& launch, bool masked = false)
      : masked_(masked || p.shape.mask.any()), one_width_(p.shape.head_dims().are_equal()) {
    const GridShape& grid = launch.grid;
    const Shape& s = p.shape;
    const std::int64_t queries = grid.queries_of(s);
    values_ = {{"B", s.batch},
               {"H", s.heads},
               {"Hk", s.kv_heads},
               {"Nq", queries},
               {"Nk", s.seqlen_k},
               {"d", s.head_dim},
               {"e", size_of(p.dtype)},
               {"Tr", ceil_div(queries, grid.br)},
               {"Tc", ceil_div(s.seqlen_k, grid.bc)},
               {"(Tc-1)", ceil_div(s.seqlen_k, grid.bc) - 1}};
    for (const Width& width : widths)
      values_.emplace_back(width.apart, width.qk * s.head_dim + width.v * s.value_dim());
    const std::int64_t part = grid.is_split() ? grid.cta_columns(s).size : s.seqlen_k;
    if (p.modified()) add_steps(launch.score_steps != nullptr ? *launch.score_steps : *p.score_steps);
    of_steps_.emplace_back("Ts", p.heads_in_rows > 1 ? "Nq" : "Tr");
    values_.insert(values_.end(),
                   {{"Ns", p.parts}, {"Nl", ceil_div(s.seqlen_k, part)}, {"Nm", p.parts > 1 ? p.parts : 0}});
    if (p.paged()) values_.emplace_back("Np", ceil_div(s.seqlen_k, p.pages->rows));
    pages_divide_tiles_ = p.paged() && p.pages->rows <= grid.bc;
    if (!masked_ || !grid.skips) return;
    if (grid.is_split()) values_.emplace_back("Pq", sum_live_tiles(s, grid.br, part, queries).query_visits);
    const LiveTiles live = sum_live_tiles(s, grid.br, grid.bc, queries);
    const SymbolValues sums = {{"Rq", live.live_queries}, {"Ck", live.live_keys},
                               {"Aq", live.query_visits}, {"Mq", live.query_visits - live.live_queries},
                               {"Ak", live.key_visits},   {"A", live.elements},
                               {"Tl", live.tiles}};
    if (p.paged()) values_.emplace_back("Pt", pages_of_tiles(live, s.seqlen_k, grid.bc, p.pages->rows));
    values_.insert(values_.end(), sums.begin(), sums.end());
  }

  /// Returns the symbol, or the product that it equals without a mask.
  std::string plain(const std::string& symbol) const {
    static const std::vector<std::pair<std::string, std::string>> unmasked = {
        {"Rq", "Nq"},    {"Ck", "Nk"},   {"Aq", "Tc Nq"}, {"Mq", "(Tc-1) Nq"},
        {"Ak", "Tr Nk"}, {"A", "Nq Nk"}, {"Pq", "Nl Nq"}, {"Tl", "Tr Tc"}};
    for (const Width& width : widths) {
      if (width.rule == symbol) return std::string(one_width_ ? width.equal : width.apart);
    }
    for (const auto& [name, meaning] : of_steps_) {
      if (name == symbol) return meaning;
    }
    for (const auto& [sum, product] : unmasked) {
      if (!masked_ && sum == symbol) return product;
    }
    if (!masked_ && symbol == "Pt") return pages_divide_tiles_ ? "Tr Np" : "Tr Tc";
    return symbol;
  }

  std::int64_t operator[](const std::string& symbol) const {
    for (const auto& [name, value] : values_) {
      if (name == symbol) return value;
    }
    throw Error("closed form: unknown symbol ", symbol);
  }

 private:
  void add_steps(const ScoreSteps& steps) {
    const auto factor = [](std::int64_t number) { return number == 1 ? std::string() : std::to_string(number); };
    const ScoreCost value = steps.cost(), slope = steps.slope_cost();
    of_steps_ = {{"So", factor(value.operations)},
                 {"St", factor(value.tanhs)},
                 {"Se", factor(value.exps)},
                 {"Go", factor(slope.operations + 1)},
                 {"Gt", factor(slope.tanhs)},
                 {"Ge", factor(slope.exps)},
                 {"Sl", factor(steps.reads_slopes() ? 1 : 0)}};
  }

  bool masked_, one_width_;          ///< one_width_: both head dimensions are d
  bool pages_divide_tiles_ = false;  ///< a tile holds whole pages, or a page whole tiles
  SymbolValues values_;
  /// Symbols of score steps: numbers (1 is left out); and Ts, blocks of rows that read a number per head.
  std::vector<std::pair<std::string, std::string>> of_steps_;
};

template <class Visitor>
void each_factor(std::string_view equation, Visitor visit) {
  while (!equation.empty()) {
    const std::size_t end = std::min(equation.find(' '), equation.size());
    visit(std::string(equation.substr(0, end)));
    equation.remove_prefix(std::min(end + 1, equation.size()));
  }
}

/// An equation in plain symbols, multiplied out, with its number in front: the printed equation is the computed one.
struct Product {
  std::string equation;
  SymbolValues values;
  std::int64_t result = 1;
};

Product multiply_out(std::string_view equation, const Symbols& symbols) {
  Product product;
  std::int64_t number = 1;
  each_factor(equation, [&](const std::string& symbol) {
    each_factor(symbols.plain(symbol), [&](const std::string& factor) {
      if (std::isdigit(static_cast<unsigned char>(factor.front())) != 0) {
        number *= std::stoll(factor);
        return;
      }
      product.equation += (product.equation.empty() ? "" : " ") + factor;
      product.values.emplace_back(factor, symbols[factor]);
      product.result = checked_multiply(product.result, product.values.back().second);
    });
  });
  if (number != 1) product.equation = text(number, " ", product.equation);
  product.result = checked_multiply(product.result, number);
  return product;
}

/// Bytes that the CTAs of a grid read from the table of a ragged batch: 16 each.
std::string_view reads_of_table(const GridShape& grid, std::int64_t parts) {
  if (grid.is_split() && parts > 0) return "16 B H Tr Ns";
  if (grid.cuts_rows()) return "16 B H Tr";
  return grid.of_columns() ? "16 B Hk Tc" : grid.by_kv_head() ? "16 B Hk" : "16 B H";
}

/// Adds the score steps of a kernel, for each element of its live tiles. So, St and Se are the operations, tanh and
/// other functions of a score's steps; Go, Gt and Ge those of their derivatives, with the product of these and dS.
void add_score_steps(KernelForm& form, const Problem& p, const NamedForm& of) {
  if (!p.modified() || of.slopes.empty()) return;
  const auto add = [&](std::string_view what, std::string_view operations, std::string_view tanhs,
                       std::string_view exps) {
    form.work.push_back({"other_flops", what, operations});
    form.work.push_back({"tanh_count", what, tanhs});
    form.work.push_back({"exp_count", what, exps});
  };
  for (std::int64_t n = 0; n < of.modifications; ++n) add(/*say*/ "score steps", "So B H A", "St B H A", "Se B H A");
  if (of.derivatives && p.sloped())
    add(/*say*/ "derivatives of the score steps, times dS", "Go B H A", "Gt B H A", "Ge B H A");
  if (p.alibi()) form.traffic.push_back({Tensor::slopes, Direction::read, Bucket::matrix, of.slopes});
}

/// Returns the equations of a kernel, for a program that has equations.
KernelForm form_of(const Plan& plan, const Launch& launch) {
  NamedForm equations{launch.name, launch.form};
  for (const NamedForm& named : plan.code->forms()) {
    if (named.kernel == launch.name) equations = named;
  }
  require(equations.form != nullptr, "closed form: kernel ", launch.name, " has no equations yet");
  KernelForm form = equations.form(plan.problem);
  add_score_steps(form, plan.problem, equations);
  if (launch.reads(Tensor::sinks)) form.traffic.push_back({Tensor::sinks, Direction::read, Bucket::matrix, "4 B H Ts"});
  const bool looks_up = std::any_of(form.traffic.begin(), form.traffic.end(),
                                    [](const TrafficRule& rule) { return rule.tensor == Tensor::block_table; });
  if (launch.reads(Tensor::block_table) && !looks_up)
    form.traffic.push_back({Tensor::block_table, Direction::read, Bucket::matrix, "4 B H Pt"});
  if (launch.reads(Tensor::sequences))
    form.traffic.push_back(
        {Tensor::sequences, Direction::read, Bucket::matrix, reads_of_table(launch.grid, plan.problem.parts)});
  return form;
}

/// One rule over all classes of a plan: a sum of products if the batch is ragged.
struct ProductOfClasses {
  Product product;
  std::vector<ClassTerm> classes;
};

ProductOfClasses multiply_out(const Plan& plan, std::string_view equation, const std::vector<Symbols>& symbols) {
  ProductOfClasses all{multiply_out(equation, symbols.front()), {}};
  if (plan.classes == nullptr && symbols.size() == 1) return all;
  all.product.result = 0;
  for (const Symbols& of_class : symbols) {
    Product p = multiply_out(equation, of_class);
    all.product.result = checked_add(all.product.result, p.result);
    all.classes.push_back({std::move(p.values), p.result});
  }
  return all;
}

/// Symbols of a step, and the number of steps that it stands for.
struct StepSymbols {
  Symbols symbols;
  std::int64_t times = 1;
};

/// Replaces a factor of a product by another one.
Product with_factor(const Product& product, std::size_t at, const std::string& name, std::int64_t value) {
  Product changed{"", product.values, product.result};
  std::size_t n = 0;
  each_factor(product.equation, [&](const std::string& factor) {
    const bool number = std::isdigit(static_cast<unsigned char>(factor.front())) != 0;
    const bool replaced = !number && n == at;
    changed.equation += (changed.equation.empty() ? "" : " ") + (replaced ? name : factor);
    n += number ? 0 : 1;
  });
  changed.values[at] = {name, value};
  changed.result = checked_multiply(product.result / product.values[at].second, value);
  return changed;
}

/// One rule over all steps: at most one of its factors changes with the step.
Product summed_over_steps(std::string_view equation, const std::vector<StepSymbols>& steps) {
  const Product last = multiply_out(equation, steps.back().symbols);
  std::optional<std::size_t> growing;
  std::int64_t sum = 0, count = 0;
  for (std::size_t n = 0; n < last.values.size(); ++n) {
    const auto& [symbol, value] = last.values[n];
    std::int64_t of_symbol = 0;
    count = 0;
    for (const StepSymbols& step : steps) {
      of_symbol = checked_add(of_symbol, checked_multiply(step.symbols[symbol], step.times));
      count = checked_add(count, step.times);
    }
    if (of_symbol == checked_multiply(value, count)) continue;
    require(!growing, "closed form: two factors of ", equation, " change with the step");
    growing = n;
    sum = of_symbol;
  }
  if (growing) return with_factor(last, *growing, text("sum(", last.values[*growing].first, ")"), sum);
  Product all = last;
  all.equation += " T";
  all.values.emplace_back("T", count);
  all.result = checked_multiply(all.result, count);
  return all;
}

/// Calls add(launch, product) for every rule of a run over steps whose value is above 0.
template <class Rule, class Add>
void each_term_of_steps(const Plan& plan, std::vector<Rule> KernelForm::*rules, Add add) {
  std::vector<std::vector<StepSymbols>> symbols(plan.launches.size());
  each_step(plan, [&](const Plan& step, std::int64_t times) {
    for (std::size_t k = 0; k < symbols.size(); ++k)
      symbols[k].push_back({Symbols(step.problem, step.launches.at(k)), times});
  });
  for (std::size_t k = 0; k < symbols.size(); ++k) {
    const KernelForm form = form_of(plan, plan.launches[k]);
    for (const Rule& rule : form.*rules) {
      const Product all = summed_over_steps(rule.equation, symbols[k]);
      if (all.result != 0) add(plan.launches[k], rule, all, std::vector<ClassTerm>());
    }
  }
}

/// One rule over the plans that one of several GPUs runs, each a number of times T.
ProductOfClasses summed_over_repeats(const Plan& plan, std::string_view equation, std::size_t launch) {
  const auto& repeats = *plan.repeats;
  const bool masked = std::any_of(repeats.begin(), repeats.end(),
                                  [](const RepeatedPlan& one) { return one.plan.problem.shape.mask.any(); });
  ProductOfClasses all;
  all.product.result = 0;
  for (const RepeatedPlan& one : repeats) {
    Product p = multiply_out(equation, Symbols(one.plan.problem, one.plan.launches.at(launch), masked));
    p.equation += " T";
    p.values.emplace_back("T", one.times);
    p.result = checked_multiply(p.result, one.times);
    all.classes.push_back({p.values, p.result});
    p.result = checked_add(p.result, all.product.result);
    all.product = std::move(p);
  }
  return all;
}

/// Calls add(launch, product, classes) for every rule of one of several GPUs whose value is above 0.
template <class Rule, class Add>
void each_term_of_repeats(const Plan& plan, std::vector<Rule> KernelForm::*rules, Add add) {
  for (std::size_t k = 0; k < plan.launches.size(); ++k) {
    const KernelForm form = form_of(plan, plan.launches[k]);
    for (const Rule& rule : form.*rules) {
      ProductOfClasses all = summed_over_repeats(plan, rule.equation, k);
      if (all.product.result != 0) add(plan.launches[k], rule, all.product, std::move(all.classes));
    }
  }
}

/// Calls add(launch, rule, product, classes) for every rule of every kernel whose value is above 0.
template <class Rule, class Add>
void each_term(const Plan& plan, std::vector<Rule> KernelForm::*rules, Add add) {
  if (!has_closed_forms(plan)) return;
  if (plan.scenario.steps > 0) return each_term_of_steps(plan, rules, add);
  if (plan.repeats != nullptr) return each_term_of_repeats(plan, rules, add);
  for (const Launch& launch : plan.launches) {
    std::vector<Symbols> symbols;
    for (const Plan& c : classes_of(plan, launch)) symbols.emplace_back(c.problem, launch_of(c, launch));
    const KernelForm form = form_of(plan, launch);
    for (const Rule& rule : form.*rules) {
      ProductOfClasses all = multiply_out(plan, rule.equation, symbols);
      if (all.product.result != 0) add(launch, rule, all.product, std::move(all.classes));
    }
  }
}

}  // namespace

bool has_closed_forms(const Plan& plan) { return plan.code->forms != nullptr; }

std::vector<TrafficTerm> closed_form_traffic(const Plan& plan) {
  std::vector<TrafficTerm> terms;
  each_term(plan, &KernelForm::traffic, [&](auto& launch, auto& rule, const Product& p, auto classes) {
    terms.push_back({launch.name, rule.tensor, rule.direction, rule.bucket, p.equation, p.values, Bytes(p.result),
                     std::move(classes)});
  });
  return terms;
}

std::vector<WorkTerm> closed_form_work(const Plan& plan) {
  std::vector<WorkTerm> terms;
  each_term(plan, &KernelForm::work, [&](auto& launch, auto& rule, const Product& p, auto classes) {
    terms.push_back({launch.name, std::string(rule.quantity), std::string(rule.what), p.equation, p.values, p.result,
                     std::move(classes)});
  });
  return terms;
}

std::string_view symbol_meaning(std::string_view symbol) {
  if (is_sum_over_steps(symbol)) symbol = symbol.substr(4, symbol.size() - 5);
  static constexpr std::pair<std::string_view, std::string_view> meanings[] = {
      {"B", /*say*/ "batch entries"},
      {"H", /*say*/ "query heads"},
      {"Hk", /*say*/ "KV heads"},
      {"Nq", /*say*/ "queries"},
      {"Nk", /*say*/ "keys"},
      {"d", /*say*/ "head dimension"},
      {"e", /*say*/ "bytes per element"},
      {"Tr", /*say*/ "row blocks"},
      {"Tc", /*say*/ "column blocks"},
      {"(Tc-1)", /*say*/ "column blocks after the first"},
      {"Rq", /*say*/ "query rows in row blocks that see a key"},
      {"Ck", /*say*/ "key rows in column blocks that a query sees"},
      {"Aq", /*say*/ "query rows met by each live column block, summed"},
      {"Mq", /*say*/ "query rows met by a live column block once more, after their first, summed"},
      {"Ak", /*say*/ "key rows met by each live row block, summed"},
      {"A", /*say*/ "elements of all live tiles of one head"},
      {"Tl", /*say*/ "live tiles of one head"},
      {"Ns", /*say*/ "parts of the keys"},
      {"Nl", /*say*/ "parts of the keys that hold a key"},
      {"Nm", /*say*/ "parts of the keys, 0 for a single one"},
      {"Np", /*say*/ "pages of the keys of one batch entry"},
      {"Pt", /*say*/ "pages that live tiles touch, summed over the tiles of one head"},
      {"T", /*say*/ "steps"},
      {"Pq", /*say*/ "query rows that see a key of a part, summed over the parts"}};
  for (const auto& [name, meaning] : meanings) {
    if (name == symbol) return meaning;
  }
  for (const Width& width : widths) {
    if (width.apart == symbol) return width.meaning;
  }
  return "";
}

}  // namespace sim
