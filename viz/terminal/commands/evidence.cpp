// flashscope evidence: compares measurements on GPUs with the program's results.
#include "viz/terminal/evidence.h"

#include "viz/terminal/command.h"
#include "viz/terminal/input_file.h"

namespace terminal {

CommandSyntax evidence_syntax() {
  return {"evidence",
          "Counters and times of GPUs, next to those of the program",
          false,
          {recorded_option("its figures join them; "),
           {"points", "", "instead every scenario with counters: bytes counted, bytes of the program, errors", {}},
           {"format", "table|markdown", "what to print [table]", {"table", "markdown"}}},
          "flashscope evidence"};
}

int run_evidence(const Arguments& arguments) {
  require_output();  // before seconds of work
  const auto recordings = all_recordings(arguments);
  const Document document = arguments.find("points") ? counted_document(recordings) : evidence_document(recordings);
  print(arguments.value("format", "table") == "markdown" ? document_markdown(document) : document_text(document));
  return exit_done;
}

}  // namespace terminal
