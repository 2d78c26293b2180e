#include "viz/terminal/citations.h"

#include <algorithm>
#include <set>

#include "sim/base/text.h"
#include "sim/model/accuracy.h"
#include "sim/model/published.h"
#include "sim/programs/program.h"
#include "viz/terminal/document.h"

namespace terminal {
namespace {

/// A work, and the text with which sources that refer to it begin.
struct Work {
  std::string_view begins;
  std::string_view entry;
};

constexpr Work works[] = {{"Dao et al. 2022", R"(@inproceedings{dao2022flashattention,
  title     = {Flash{A}ttention: Fast and Memory-Efficient Exact Attention with {IO}-Awareness},
  author    = {Dao, Tri and Fu, Daniel Y. and Ermon, Stefano and Rudra, Atri and R{\'e}, Christopher},
  booktitle = {Advances in Neural Information Processing Systems},
  year      = {2022},
  note      = {arXiv:2205.14135}
}
)"},
                          {"Dao 2023", R"(@inproceedings{dao2024flashattention2,
  title     = {Flash{A}ttention-2: Faster Attention with Better Parallelism and Work Partitioning},
  author    = {Dao, Tri},
  booktitle = {International Conference on Learning Representations},
  year      = {2024},
  note      = {arXiv:2307.08691}
}
)"},
                          {"Shah et al. 2024", R"(@inproceedings{shah2024flashattention3,
  title     = {Flash{A}ttention-3: Fast and Accurate Attention with Asynchrony and Low-Precision},
  author    = {Shah, Jay and Bikshandi, Ganesh and Zhang, Ying and Thakkar, Vijay and Ramani, Pradeep and Dao, Tri},
  booktitle = {Advances in Neural Information Processing Systems},
  year      = {2024},
  note      = {arXiv:2407.08608}
}
)"},
                          {"Rabe and Staats 2021", R"(@article{rabe2021selfattention,
  title   = {Self-attention Does Not Need {$O(n^2)$} Memory},
  author  = {Rabe, Markus N. and Staats, Charles},
  journal = {arXiv preprint arXiv:2112.05682},
  year    = {2021}
}
)"},
                          {"Dao et al. 2023", R"(@misc{dao2023flashdecoding,
  title        = {{F}lash-{D}ecoding for Long-Context Inference},
  author       = {Dao, Tri and Haziza, Daniel and Massa, Francisco and Sizov, Grigory},
  year         = {2023},
  howpublished = {PyTorch blog, \url{https://pytorch.org/blog/flash-decoding/}}
}
)"},
                          {"Apex", R"(@misc{nvidiaapex,
  title        = {Apex: A {PyTorch} Extension},
  author       = {{NVIDIA}},
  howpublished = {\url{https://github.com/NVIDIA/apex}},
  note         = {contrib/fmha}
}
)"},
                          {"flash-attention 0.2", R"(@misc{flashattention2022code,
  title        = {flash-attention, version 0.2},
  author       = {Dao, Tri},
  year         = {2022},
  howpublished = {\url{https://github.com/Dao-AILab/flash-attention}}
}
)"}};

/// Entries of a bibliography, without duplicates, in the order of addition.
class Bibliography {
 public:
  /// Adds a source as named by programs and tables; one that matches no work is cited by its own text.
  void add_source(const std::string& source) {
    const auto* const work =
        std::find_if(std::begin(works), std::end(works), [&](const Work& w) { return source.starts_with(w.begins); });
    add(work != std::end(works) ? std::string(work->entry) : misc(source, ""));
  }
  void add_sources(std::string_view sources) {
    for (const std::string_view source : sim::split(sources, ";")) add_source(std::string(sim::trimmed(source)));
  }
  void add_gpu(const sim::DeviceSpec& gpu) {
    add(misc("Model of the " + gpu.title, "every field with its source: flashscope devices --gpu " + gpu.name));
  }
  void add_group(const std::string& group) {
    for (const sim::PublishedPoint& point : sim::published_points()) {
      if (point.group == group) add_source(point.source);
    }
  }
  const std::string& text() const { return text_; }

 private:
  void add(const std::string& entry) {
    if (known_.insert(entry).second) text_ += "\n" + entry;
  }
  static std::string misc(const std::string& title, const std::string& note) {
    std::string key;
    for (const char c : title) {
      if (sim::is_letter(c) || sim::is_digit(c)) key += sim::in_lower_case(c);
    }
    return "@misc{" + key.substr(0, 60) + ",\n  title = {{" + latex(title) + "}}" +
           (note.empty() ? "" : ",\n  note  = {" + latex(note) + "}") + "\n}\n";
  }

  std::set<std::string> known_;
  std::string text_ =
      std::string("@software{flashscope,\n  title   = {{FlashScope}: where the bytes go in attention},\n") +
      "  author  = {{FlashScope developers}},\n  version = {" + FLASHSCOPE_VERSION + "}\n}\n";
};

}  // namespace

std::string cited(const std::vector<sim::Scenario>& scenarios) {
  Bibliography all;
  for (const sim::Scenario& scenario : scenarios) {
    const auto program = sim::named_program(scenario);
    if (scenario.pass != sim::Pass::backward) all.add_sources(program->forward.source);
    if (scenario.pass != sim::Pass::forward) all.add_sources(program->backward.source);
  }
  for (const sim::Scenario& scenario : scenarios) {
    const std::string where = sim::accuracy_of(scenario).where;
    for (const std::string& group : sim::published_groups()) {
      if (where.find(group) != std::string::npos) all.add_group(group);
    }
  }
  for (const sim::Scenario& scenario : scenarios) all.add_gpu(*scenario.gpu);
  return all.text();
}

std::string cited_published(const std::optional<std::string>& group) {
  Bibliography all;
  for (const std::string& name : sim::published_groups()) {
    if (!group || *group == name) all.add_group(name);
  }
  return all.text();
}

CommandOption cite_option() { return {"cite", "", "print the sources of these numbers, as BibTeX, instead", {}}; }

}  // namespace terminal
