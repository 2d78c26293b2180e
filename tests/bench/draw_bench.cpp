// Time to build the shapes of a frame, and to draw them without a graphics card, at 1600 x 1000.
#include <benchmark/benchmark.h>

#include <cmath>

#include "tests/ui/gallery.h"
#include "viz/platform/png.h"
#include "viz/platform/screen.h"

namespace {

platform::Draw rects(int count, float radius) {
  return [=](ui::Ui& ui) {
    const int columns = static_cast<int>(std::ceil(std::sqrt(1.6 * count)));
    const float pitch = 1600.f / static_cast<float>(columns);
    const char letters[] = "QKVSPO";
    for (int i = 0; i < count; ++i) {
      const auto column = static_cast<float>(i % columns), row = static_cast<float>(i / columns);
      ui.canvas.fill({column * pitch, row * pitch, pitch - 1, pitch - 1}, ui.canvas.theme().tensor(letters[i % 6]),
                     radius);
    }
  };
}

platform::Draw gallery_of(int tiles) {
  return [values = gallery::Values{.tiles = tiles}, layout = ui::make_layout(1600, 1000, 1)](ui::Ui& ui) mutable {
    gallery::draw(ui, layout, values);
  };
}

void build(benchmark::State& state, const platform::Draw& draw) {
  platform::Screen screen(1600, 1000, 1);
  for (auto _ : state) screen.frame(ui::dark_theme(), draw);
  state.counters["indices"] = screen.drawn().TotalIdxCount;
}

void raster(benchmark::State& state, const platform::Draw& draw) {
  platform::Screen screen(1600, 1000, 1);
  screen.frame(ui::dark_theme(), draw);
  for (auto _ : state) benchmark::DoNotOptimize(screen.picture());
  state.counters["indices"] = screen.drawn().TotalIdxCount;
}

void fonts(benchmark::State& state, float scale) {
  for (auto _ : state) benchmark::DoNotOptimize(ui::make_fonts(scale));
}

void png(benchmark::State& state) {
  platform::Screen screen(1600, 1000, 1);
  screen.frame(ui::dark_theme(), gallery_of(16));
  const platform::Picture picture = screen.picture();
  for (auto _ : state) benchmark::DoNotOptimize(platform::png_bytes(picture));
}

BENCHMARK_CAPTURE(build, rects_2000, rects(2'000, 0))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, rects_20000, rects(20'000, 0))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, rects_200000, rects(200'000, 0))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, round_rects_2000, rects(2'000, 3))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, gallery_16x16, gallery_of(16))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(build, gallery_64x64, gallery_of(64))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(raster, rects_2000, rects(2'000, 0))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(raster, rects_20000, rects(20'000, 0))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(raster, rects_200000, rects(200'000, 0))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(raster, round_rects_2000, rects(2'000, 3))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(raster, gallery_16x16, gallery_of(16))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(raster, gallery_64x64, gallery_of(64))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fonts, scale_1, 1.f)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fonts, scale_2, 2.f)->Unit(benchmark::kMillisecond);
BENCHMARK(png)->Unit(benchmark::kMillisecond);

}  // namespace
