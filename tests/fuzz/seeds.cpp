// fuzz_seeds NAME FOLDER: writes the initial inputs of the fuzzer NAME: valid ones, and one of every kind of error.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/embedded.h"
#include "sim/base/npy.h"
#include "sim/machine/device_spec.h"
#include "sim/model/published.h"
#include "tests/measurements/example.h"
#include "tests/recorded/load.h"
#include "tests/support/profile_layouts.h"
#include "tests/support/profile_text.h"
#include "viz/terminal/command.h"

namespace {

using Seeds = std::vector<std::string>;

std::string npy(const std::vector<std::int64_t>& shape, const std::string& dtype) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  const auto bytes = sim::format_npy(shape, std::vector<float>(static_cast<std::size_t>(count), -1.5f), dtype);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string npy(char version, const std::string& header, std::size_t bytes) {
  std::string file = std::string("\x93NUMPY") + version + '\0' + static_cast<char>(header.size()) + '\0';
  if (version > 1) file += std::string(2, '\0');
  return file + header + std::string(bytes, '\x3c');
}

Seeds npy_seeds() {
  return {
      npy({3}, "f2"),
      npy({2, 3}, "f4"),
      npy({1, 2, 2}, "f2"),
      npy({2, 1, 2, 2}, "f4"),
      npy(1, "{'descr': '>f8', 'fortran_order': True, 'shape': (2, 2), }\n", 32),
      npy(2, "{\"shape\":(1,2),\"fortran_order\":False,\"descr\":\"=f4\"}", 8),
      npy(3, "{'descr': '|f2', 'fortran_order': True, 'shape': (2, 1, 3), }", 12),
      npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (4000000000, 4000000000), }", 4),
  };
}

Seeds device_seeds() {
  Seeds seeds = {
      "name = 'toy'\ntitle = \"\"\"a\\\n  b\"\"\"\nsm_count = { value = 0x10, unit = \"SM\" }\n",
      "sm_count.value = 1_000\nsm_count.unit = \"SM\"\r\nclock_hz = { value = -1e9 }\n",
      "a = 1979-05-27T07:32:00.999-07:00\nb = 07:32:00\nc = 1979-05-27 # comment\n",
      "a = [1, 2.5e-3, [true, 'x'], {b = inf, c = nan}, \"\\u00e9\\U0001F600\\t\"]\n",
      "'a b'.\"c\\n\".d = 0b101\ne = 0o17\nf = '''x'y'''\n",
      "name = \"x\"\n[hbm]\n[[list]]\n",
  };
  for (const std::string& name : sim::device_names())
    seeds.emplace_back(sim::embedded_text("machine/devices/" + name + ".toml"));
  return seeds;
}

Seeds expression_seeds() {
  return {"4*N*d + N^2/Bc",
          "ceil(N / (Br - 1)) * log2(N)",
          "min(1, 2, max(N,d)) - -2.5e-3",
          "-2^2^-1",
          "sqrt(d-65)+floor(1)",
          "N/(d-64)",
          "((((1))))",
          "1e309 + 0x1",
          "log(0)^inf*nan",
          "max(1)",
          "ceil",
          "\t\n.5 $"};
}

/// The header and the first rows of every table.
Seeds published_seeds() {
  Seeds seeds = {"a,b\r\n\"1,\"\"x\",2", "a\n\"", "a,a\n", "a,,b\n1"};
  for (const std::string& group : sim::published_groups())
    seeds.emplace_back(sim::published_table(group).substr(0, 1500));
  seeds.emplace_back(sim::embedded_text("model/accuracy_table.csv"));
  return seeds;
}

Seeds link_seeds() {
  return {"#algorithm=flash1&seqlen=512&head-dim=64&causal=1&cta=0,0,0,0&time=900.5&theme=light",
          "algorithm=standard&seqlen=256&kernel=2&compare=flash2,br:64+bc:32,gpu:t4&sync=step&pane=1",
          "seqlen=abc&sqlen=3&time=-5&theme=blue&lang=zh&causal=1&causal=0&cta=1,2&x%zz=1",
          "select=tile_traffic.by_tensor.K.read_bytes&tab=memory&center=plots&source=1&speed=0.5",
          "#&&=&%00=1&compare=,&gpu=none"};
}

/// Low, narrow and ordinary windows.
Seeds window_seeds() {
  return {"800x480 compare=flash2",
          "320x560 compare=flash1,standard&tab=code",
          "1600x900 play=run&compare=flash1",
          "480x480 overlay=tour&tour-step=3&lang=zh",
          "960x599 lesson=01&present=1",
          "1280x800 first=1&run-time=1000",
          "360x640 first=1&lang=zh&compare=flash2"};
}

/// Files of several launches in each locale, and one whose launches repeat a sequence.
Seeds drawn_profiles() {
  profile_layouts::Draw draw(1);
  Seeds seeds;
  for (const profile_layouts::Locale& locale : profile_layouts::locales()) {
    profile_layouts::Layout layout = draw.layout(locale);
    seeds.push_back(profile_layouts::file(layout, {draw.launch(0), draw.launch(1)}));
    layout.details = !layout.details;
    layout.labels = layout.rules = layout.details;
    const profile_layouts::Launch one = draw.launch(2);
    profile_layouts::Launch again = one, other = draw.launch(3);
    again.id = "5";
    seeds.push_back(profile_layouts::file(layout, {one, other, again}));
  }
  return seeds;
}

/// Both pages, with numbers in every unit, and files that are truncated or of another kind.
Seeds profile_seeds() {
  const profile_text::Launch launch = {"0",
                                       "my_kernel<64>",
                                       {{"l1tex__m_xbar2l1tex_read_bytes.sum", "byte", "1,234,567"},
                                        {"lts__t_sectors_op_write.sum", "Ksector", "12.5"},
                                        {"dram__bytes_read.sum", "Mbyte", "3.50"},
                                        {"lts__t_sector_op_read_hit_rate.pct", "%", "87.5"},
                                        {"launch__shared_mem_per_block", "Kbyte/block", "49.15"},
                                        {"sm__cycles_elapsed.max", "cycle", "90,000"},
                                        {"sm__throughput.avg", "%", "n/a"},
                                        {"gpu__time_duration.sum", "usecond", "51.2"}}};
  const std::string raw = profile_text::raw({launch}), details = profile_text::details({launch});
  Seeds seeds = drawn_profiles();
  const Seeds made = {raw,
                      details,
                      "==PROF== Connected\n" + details.substr(0, details.size() - 7),
                      raw + raw,
                      "ID,Kernel Name,gpu__time_duration.sum\r\n,,ns\r\n7,k,1e3\r\n",
                      "\xFF\xFEI",
                      "NVR",
                      "==ERROR== ERR_NVGPUCTRPERM\n"};
  seeds.insert(seeds.end(), made.begin(), made.end());
  return seeds;
}

/// The example, without a GPU, truncated, with a value in quotes, and invalid.
Seeds recording_seeds() {
  const std::string example = example_recording, gpu = "# gpu: h200\n";
  std::string without_gpu = example, quoted = example;
  without_gpu.erase(without_gpu.find(gpu), gpu.size());
  quoted.replace(quoted.find("pytorch-flash"), 13, "\"py,\"\"torch\"");
  return {
      example,     without_gpu, quoted, example.substr(0, example.size() - 40), "# FlashScope recording 1\n# gpu: x\n",
      "a,b\n1,2\n"};
}

/// Each command by itself, its example, and its help.
Seeds command_line_seeds() {
  Seeds seeds = {"--help", "simulate\nstray", "simulate\n--seqlen", "simulate\n--seqlen=8\n--seqlen=9"};
  for (const terminal::Command& command : terminal::commands()) {
    const terminal::CommandSyntax syntax = command.syntax();
    seeds.insert(seeds.end(), {syntax.name, syntax.name + "\n--help"});
    std::string example = syntax.example.substr(syntax.example.find(' ') + 1);
    std::replace(example.begin(), example.end(), ' ', '\n');
    seeds.push_back(example);
  }
  return seeds;
}

Seeds over_seeds() {
  return {"seqlen=64:512:x2\ncausal=0,1",       "seqlen=8,16:64:+16,100",
          "gpu=A100,h100-sxm\ndtype=fp16,half", "dropout=0:0.3:0.1\nscale=-1,nan",
          "algorithm=fa1,flash2\nhead-dim=32",  "seqlen=1:2:3:4\nx=1,,2\nbr=2,2"};
}

Seeds scenarios_seeds() {
  return {"# a list\n\n--algorithm flash1 --seqlen 100 --causal\n--seqlen-q 7 --seqlen-k 9 --kernel flash2\n",
          "algorithm=flash2&seqlen=64&causal=1&dtype=bf16\r\nseqlen=8&kernel=flash2_mma\n",
          "--model gpt2-medium --batch 64 --pass forward+backward\n",
          "#seqlen=64\n",
          "--help\n",
          "seqlen=8&seqlen=9\nx"};
}

Seeds cta_seeds() {
  return {"0,0,0,0", "1,2,3,0", "2,0,0,0", "0,0,0", "0,0,0,0,0", "a,b,c,d", "-1,0,0,0", "0,0,99999999999,0"};
}

/// Every kind of question and block, with the words after the separator.
Seeds lesson_seeds() {
  const std::string question = "id = \"50-x\"\n[[step]]\nname = \"one\"\n[[step.question]]\ntext = \"q\"\nkind = ";
  return {
      question +
          "\"number\"\nanswer = \"1 | bytes\"\ntolerance = \"1 %\"\nwrong = [{ when = \"2\", why = \"w\" }]\n=====\n"
          "# T\n\n## one: One\n\nWords {x | number} [K](tensor:K).\n\n    S = Q K\n\n- item\n\n| a |\n\n> myth\n\n"
          "? q: How?\n?? q: hint\n+ a: A\n! w: why\n= q: so\n",
      question + "\"choice\"\nchoices = [{ name = \"a\", when = \"1 = 1\" }, { name = \"b\", when = \"1 = 2\" }]\n",
      question + "\"order\"\nkernel = \"k\"\nlines = [\"a\", \"b\"]\n",
      question + "\"formula\"\nanswer = \"1\"\nover = [\"seqlen=8\"]\nsolution = \"N\"\n",
      "id = \"50-x\"\nothers = { x = \"br=1\" }\n[[step]]\nname = \"one\"\nat = { kernel = \"k\", line = \"S\", i = 0 "
      "}\n"
      "[[step.goal]]\ntext = \"g\"\nchange = [\"br\"]\nuntil = \"1 < 2\"\nsolution = \"br=2\"\n",
      "[.a]\n",
      "=====\n# A\n## x: X\n?? q: no question\n",
      "=====\n# \xe9\xa2\x98\n## x: X\n\xe4\xb8\x80\n\xe4\xba\x8c 1,024\n"};
}

Seeds notebook_seeds() {
  return {
      "{\"schema\": 1, \"student\": \"Ada\", \"lessons\": [{\"id\": \"01-two-memories\", \"version\": 1, \"step\": "
      "\"a\", "
      "\"answers\": [{\"step\": \"a\", \"question\": \"b\", \"given\": \"4 MB\"}, {\"step\": \"a\", \"question\": "
      "\"c\", "
      "\"given\": \"\", \"shown\": true}]}]}",
      "{\"schema\": 2, \"lessons\": []}", "{\"schema\": 1, \"lessons\": [1]}", "null"};
}

/// A pack with the number of steps of the tour, so that it is registered; wrong first lines; and parts to be packed.
Seeds pack_seeds() {
  std::string toml = "id = \"00-tour\"\nversion = 1\n", words = "# T\n";
  for (char step = 'a'; step < 'k'; ++step) {
    toml += sim::text("[[step]]\nname = \"", step, "\"\n");
    words += sim::text("## ", step, ": A\n");
  }
  const std::string head = sim::text("flashscope-pack 1 00-tour en ", toml.size(), " ", words.size(), " ");
  return {head + "2\n" + toml + words + "ft",     toml + "=====\n" + words + "=====\nfont",
          head + "3\n" + toml + words + "ft",     "flashscope-pack 1 01-two-memories zh 18446744073709551615 1 0\n",
          "flashscope-pack 2 00-tour en 0 0 0\n", "id = \"99-else\"\n[[step]]\nname = \"a\"\n=====\n# T\n## a: A\n"};
}

Seeds program_seeds() {
  Seeds seeds;
  for (const sim::RecordedCopy& recorded_copy : sim::recorded_copies)
    seeds.push_back(sim::recorded_text(recorded_copy.recorded));
  return seeds;
}

Seeds seeds_of(const std::string& name) {
  if (name == "npy") return npy_seeds();
  if (name == "device") return device_seeds();
  if (name == "expression") return expression_seeds();
  if (name == "published") return published_seeds();
  if (name == "link") return link_seeds();
  if (name == "window") return window_seeds();
  if (name == "profile") return profile_seeds();
  if (name == "recording") return recording_seeds();
  if (name == "program") return program_seeds();
  if (name == "command_line") return command_line_seeds();
  if (name == "over") return over_seeds();
  if (name == "scenarios") return scenarios_seeds();
  if (name == "cta") return cta_seeds();
  if (name == "lesson") return lesson_seeds();
  if (name == "notebook") return notebook_seeds();
  if (name == "pack") return pack_seeds();
  throw sim::Error("no fuzzer \"" + name + "\": see tests/fuzz/CMakeLists.txt");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    sim::require(argc == 3, "usage: fuzz_seeds NAME FOLDER");
    int number = 0;
    for (const std::string& seed : seeds_of(argv[1])) {
      std::ofstream out(sim::text(argv[2], "/seed-", ++number), std::ios::binary);
      sim::require(static_cast<bool>(out << seed << std::flush), argv[2], ": cannot be written");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_seeds: %s\n", error.what());
    return 2;
  }
}
