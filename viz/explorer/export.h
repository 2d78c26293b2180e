// Files that the explorer can save, made in memory. The front ends store them.
#pragma once
#include <string>

#include "viz/model/model.h"

namespace explorer {

struct Export {
  std::string name;        ///< a suggestion: "flashscope-flash2-n1024.csv"
  std::string media_type;  ///< "text/csv"
  std::string bytes;
};

/// Name of a file: "flashscope-flash2-n1024" and the suffix.
std::string export_name(const Model& model, std::string_view suffix);

/// Makes numbers as CSV or JSON, equal to the output of `flashscope simulate`, the selected CTA for Perfetto, or the
/// blocks of the pattern as a bitmap.
/// O(events) for the trace. Throws sim::Error for other requests.
Export make_export(Request request, const Model& model);

/// Title of a window: "FlashScope: flash2, N 1024, d 64".
std::string window_title(const Model& model);

}  // namespace explorer
