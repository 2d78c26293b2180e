// What the explorer can save: files of the run, made in memory. The front ends put them where files go there.
#pragma once
#include <string>

#include "viz/model/view_model.h"

namespace explorer {

struct Export {
  std::string name;        ///< a proposal: "flashscope-flash2-n1024.csv"
  std::string media_type;  ///< "text/csv"
  std::string bytes;
};

/// "flashscope-flash2-n1024" and the suffix.
std::string export_name(const ViewModel& model, std::string_view suffix);

/// Numbers as CSV or JSON, the same as `flashscope simulate` prints, the CTA that is looked at for Perfetto, or the
/// blocks of the pattern as a bitmap.
/// O(events) for the last. Throws sim::Error for other requests.
Export make_export(Request request, const ViewModel& model);

/// "FlashScope: flash2, N 1024, d 64": the title of a window.
std::string window_title(const ViewModel& model);

}  // namespace explorer
