// Plots, of which every point is compared with its own simulation.
#include "viz/model/plot.h"

#include <catch2/catch.hpp>

#include "sim/model/formula_symbols.h"
#include "viz/model/deep_link.h"
#include "viz/model/model.h"

namespace {

using explorer::PlotQuantity;

std::shared_ptr<const sim::DeviceSpec> gpu(const std::string& name) { return sim::built_in_gpu(name); }

explorer::Plot finished(const sim::OptionValues& options, const std::string& axis) {
  const sim::Scenario s = sim::scenario_from(options, gpu);
  explorer::Plot plot(options, s.gpu, axis);
  while (plot.advance()) {
  }
  return plot;
}

/// Returns the scenario of a point, without the code under test.
sim::Scenario scenario_at(const sim::OptionValues& options, const explorer::Plot& plot, const explorer::PlotLine& line,
                          std::int64_t value) {
  sim::Scenario s = sim::scenario_from(options, gpu);
  if (!line.current) {
    s.algorithm = line.program->name;
    s.br = s.bc = std::nullopt;
    s.tiling = sim::TilingRule::kernel;
  }
  const std::string_view axis = plot.axis().option;
  if (axis == "seqlen") s.shape.seqlen_q = s.shape.seqlen_k = value;
  if (axis == "batch") s.shape.batch = value;
  if (axis == "head-dim") s.shape.head_dim = value;
  if (axis == "br") s.br = value;
  if (axis == "bc") s.bc = value;
  if (axis == "sram") s.sram = value;
  if (axis == "splits" && sim::has_own_option(s, "splits")) s.own["splits"] = value;
  return s;
}

void check_point(const explorer::PlotPoint& point, const sim::Scenario& scenario) {
  if (!point.values) {
    REQUIRE_FALSE(point.reason.empty());
    if (point.reason.text().find("between two frames") != std::string::npos) return;
    CHECK_THROWS_WITH(sim::simulate(scenario), point.reason.text());
    return;
  }
  const sim::Simulation s = sim::simulate(scenario);
  const auto value = [&](PlotQuantity q) { return (*point.values)[static_cast<std::size_t>(q)]; };
  CHECK(value(PlotQuantity::tile_traffic) ==
        static_cast<double>((s.totals.total.read + s.totals.total.written).count()));
  CHECK(value(PlotQuantity::hbm_traffic) == static_cast<double>((s.hbm.read + s.hbm.written).count()));
  CHECK(value(PlotQuantity::time) == s.microseconds);
  CHECK(value(PlotQuantity::peak_memory) == static_cast<double>(s.memory.peak_hbm.count()));
  const auto flops = static_cast<double>(s.totals.matmul_flops.count());
  CHECK(value(PlotQuantity::intensity) == Approx(flops / static_cast<double>((s.hbm.read + s.hbm.written).count())));
}

}  // namespace

TEST_CASE("every point of a plot equals the result of simulate", "[repeats]") {
  const std::vector<sim::OptionValues> cases = {
      {{"seqlen", "1000"}, {"head-dim", "128"}, {"causal", "1"}},
      {{"algorithm", "flash1"}, {"pass", "forward+backward"}, {"seqlen", "512"}, {"br", "64"}, {"bc", "32"}},
      {{"algorithm", "standard"}, {"seqlen-q", "300"}, {"seqlen-k", "700"}, {"gpu", "t4"}},
      {{"algorithm", "flash-decoding"}, {"seqlen-q", "1"}, {"seqlen-k", "16384"}, {"heads", "4"}, {"kv-heads", "1"}}};
  for (const sim::OptionValues& options : cases) {
    for (const explorer::PlotAxis& axis : explorer::plot_axes_of(sim::scenario_from(options, gpu))) {
      const explorer::Plot plot = finished(options, std::string(axis.option));
      REQUIRE(plot.lines().size() == sim::built_in_programs().size());
      CHECK(plot.lines().front().current);
      for (const explorer::PlotLine& line : plot.lines()) {
        REQUIRE(line.points.size() == plot.values().size());
        for (std::size_t n = 0; n < line.points.size(); n += 2) {
          INFO(line.program->name << " " << axis.option << " " << line.points[n].at);
          REQUIRE(line.points[n].at == plot.values()[n]);
          check_point(line.points[n], scenario_at(options, plot, line, line.points[n].at));
        }
      }
    }
  }
}

TEST_CASE("a plot passes through the scenario itself") {
  const sim::OptionValues options = {{"seqlen", "1111"}, {"br", "96"}, {"bc", "80"}, {"head-dim", "72"}, {"l2", "0"}};
  const sim::Simulation s = sim::simulate(sim::scenario_from(options, gpu));
  for (const explorer::PlotAxis& axis : explorer::plot_axes_of(s.plan.scenario)) {
    const explorer::Plot plot = finished(options, std::string(axis.option));
    const std::int64_t here = explorer::value_on(axis, s.plan);
    bool found = false;
    for (const explorer::PlotPoint& point : plot.lines().front().points) {
      if (point.at != here) continue;
      found = true;
      REQUIRE(point.values.has_value());
      CHECK(point.values->at(static_cast<std::size_t>(PlotQuantity::time)) == s.microseconds);
    }
    CHECK(found);
  }
}

TEST_CASE("waves grow with the splits of a decode, and belong to the kernel that takes longest") {
  const sim::OptionValues decode = {
      {"algorithm", "flash-decoding"}, {"seqlen-q", "1"}, {"seqlen-k", "65536"}, {"head-dim", "128"}, {"heads", "12"},
      {"gpu", "a100-sxm-40gb"}};
  const explorer::Plot plot = finished(decode, "splits");
  for (const explorer::PlotPoint& point : plot.lines().front().points) {
    if (point.at < 2 || point.at > 64) continue;
    INFO(point.at);
    REQUIRE(point.values.has_value());
    const double slots = 108 * 2;  // two CTAs of 64 KiB fit in an SM's 163 KiB
    CHECK(point.values->at(static_cast<std::size_t>(PlotQuantity::waves)) ==
          Approx(12.0 * static_cast<double>(point.at) / slots));
  }
  CHECK(explorer::plot_axes_of(sim::Scenario{}).size() + 1 == explorer::plot_axes().size());
}

TEST_CASE("tiles that do not fit are a gap with a reason") {
  const explorer::Plot plot = finished({{"seqlen", "2048"}, {"head-dim", "128"}, {"bc", "128"}}, "br");
  const explorer::PlotPoint& last = plot.lines().front().points.back();
  CHECK(last.at == 512);
  CHECK_FALSE(last.values.has_value());
  CHECK_THAT(last.reason.text(), Catch::Contains("KiB") && Catch::Contains("the largest --br is"));
}

TEST_CASE("taking a value of the axis N makes queries and keys equally long") {
  explorer::Model model(gpu);
  model.follow("#seqlen-q=300&seqlen-k=700&causal=1");
  model.change_options(explorer::options_at(explorer::find_plot_axis("seqlen"), 512));
  CHECK(explorer::to_link({model.state.options, {}, {}}) == "causal=1&seqlen=512");
  model.undo();
  CHECK(model.state.options.at("seqlen-q") == "300");
  CHECK_THROWS_WITH(explorer::find_plot_axis("heads"), Catch::Contains("\"heads\" is not an axis"));
}

TEST_CASE("a point of another size has drawn inputs, one of other tiles those of the scenario") {
  const sim::OptionValues worked = {{"seqlen", "4"}, {"head-dim", "2"}, {"inputs", "worked"}};
  for (const char* axis : {"seqlen", "head-dim", "br"}) {
    const explorer::Plot plot = finished(worked, axis);
    for (const explorer::PlotPoint& point : plot.lines().front().points) CHECK(point.values.has_value());
  }
  CHECK(explorer::options_at(explorer::find_plot_axis("br"), 2).count("inputs") == 0);
}

TEST_CASE("formulas in the plot over N cross dense attention at the measured crossover") {
  const sim::OptionValues options = {{"gpu", "a100-sxm-40gb"}, {"batch", "16"}, {"heads", "8"}};
  explorer::Plot plot(options, sim::built_in_gpu("a100-sxm-40gb"), "seqlen", true);
  while (plot.advance()) {
  }
  REQUIRE(plot.lines().size() == sim::built_in_programs().size() + sim::approximate_families().size());
  const auto time = static_cast<std::size_t>(PlotQuantity::time),
             bytes = static_cast<std::size_t>(PlotQuantity::hbm_traffic);
  std::int64_t first = std::int64_t{1} << 40, last = 0;
  for (const explorer::PlotLine& line : plot.lines()) {
    if (line.family == nullptr) continue;
    INFO(line.name());
    for (const explorer::PlotPoint& point : line.points) {
      REQUIRE(point.values);
      sim::Scenario s = sim::scenario_from(options, gpu);
      s.shape.seqlen_q = s.shape.seqlen_k = point.at;
      const sim::Plan plan = sim::make_plan(s);
      CHECK((*point.values)[bytes] == sim::formula_value(std::string(line.family->bytes), plan));
      CHECK((*point.values)[time] == sim::least_microseconds(*line.family, plan));
      CHECK((*point.values)[static_cast<std::size_t>(PlotQuantity::peak_memory)] < 0);  // formulas have none
    }
    CHECK_FALSE(plot.crossover(line, bytes).has_value());  // no formula moves fewer bytes than dense FlashAttention
    const auto crossed = plot.crossover(line, time);
    CHECK(crossed.has_value() == (line.family->name != "dense"));
    if (crossed) first = std::min(first, crossed->first), last = std::max(last, crossed->second);
  }
  // Formulas are at the roofline, of which the measured FlashAttention reached less than half: it was overtaken
  // earlier. Last are the queries of lsformer, which meet keys of two kinds.
  CHECK(first == sim::published_crossover[0]);
  CHECK(last == 8 * sim::published_crossover[1]);
}

TEST_CASE("formulas cover only forward passes without a mask, and only the axis N") {
  for (const sim::OptionValues& options : {sim::OptionValues{{"causal", "1"}}, {{"pass", "backward"}}}) {
    explorer::Plot plot(options, sim::built_in_gpu("h100-sxm"), "seqlen", true);
    while (plot.advance()) {
    }
    for (const explorer::PlotPoint& point : plot.lines().back().points) {
      CHECK_FALSE(point.values.has_value());
      CHECK_THAT(point.reason.text(), Catch::Contains("a forward pass without a mask"));
    }
  }
  const explorer::Plot plot({}, sim::built_in_gpu("h100-sxm"), "head-dim", true);
  CHECK(plot.lines().size() == sim::built_in_programs().size());
}

TEST_CASE("the plot over the batch has a linear layer in three implementations, whose least times are of its rows") {
  const sim::OptionValues options = {
      {"algorithm", "flash-decoding"}, {"seqlen-q", "1"}, {"seqlen-k", "4096"}, {"heads", "32"}, {"head-dim", "128"},
      {"gpu", "a100-sxm-40gb"}};
  explorer::Plot plot(options, sim::built_in_gpu("a100-sxm-40gb"), "batch", true);
  while (plot.advance()) {
  }
  REQUIRE(plot.lines().size() == sim::built_in_programs().size() + 3);
  const auto time = static_cast<std::size_t>(PlotQuantity::time);
  // 33.6 MB of weights at 1,555 GB/s: bound by their bytes up to the ridge, whatever the padding is.
  const double weights = 2.0 * 4096 * 4096, bytes_per_second = 1.555e12, fp32 = 19.5e12;
  for (const explorer::PlotLine& line : plot.lines()) {
    if (!line.projection) continue;
    INFO(line.name());
    CHECK(line.is_formula());
    for (const explorer::PlotPoint& point : line.points) {
      REQUIRE(point.values);
      CHECK((*point.values)[static_cast<std::size_t>(PlotQuantity::hbm_traffic)] <
            0);  // the roofline gives a time only
      const double m = static_cast<double>(point.at), bytes = weights + 2 * 2 * m * 4096;
      if (point.at <= 8) CHECK((*point.values)[time] == Approx(1e6 * bytes / bytes_per_second).epsilon(0.001));
      if (point.at >= 16 && *line.projection == sim::FlatRows::cuda_cores)
        CHECK((*point.values)[time] == Approx(1e6 * m * weights / fp32).epsilon(0.002));
    }
  }
}
