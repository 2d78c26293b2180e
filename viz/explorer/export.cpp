#include "viz/explorer/export.h"

#include <nlohmann/json.hpp>

#include "sim/model/replayed_timeline.h"
#include "sim/report/run_json.h"
#include "sim/trace/perfetto.h"
#include "viz/model/painting.h"

namespace explorer {
namespace {

/// Lengths in a file name: "n1024", "n1x8192"; the longest ones of a ragged batch.
std::string length_text(const Subject& subject, const char* between) {
  const sim::Shape& shape = subject.problem().shape;
  const std::string queries = sim::text(shape.seqlen_q);
  return shape.seqlen_q == shape.seqlen_k ? queries : sim::text(queries, between, shape.seqlen_k);
}

std::string perfetto_bytes(const Subject& subject) {
  std::string bytes;
  const sim::Timeline timeline = sim::replay_timeline(subject.simulation().plan, subject.replay->place);
  sim::write_perfetto(timeline, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

}  // namespace

std::string export_name(const Model& model, std::string_view suffix) {
  const Subject& subject = model.world.subject(0);
  return sim::text("flashscope-", subject.scenario().algorithm, subject.is_ragged() ? "-ragged-n" : "-n",
                   length_text(subject, "x"), suffix);
}

Export make_export(Request request, const Model& model) {
  const Subject& subject = model.world.subject(0);
  if (request == Request::save_csv)
    return {export_name(model, ".csv"), "text/csv", report::to_csv(report::to_json(subject.simulation()))};
  if (request == Request::save_json)
    return {export_name(model, ".json"), "application/json", report::to_text(report::to_json(subject.simulation()))};
  if (request == Request::save_pattern)
    return {export_name(model, ".pbm"), "image/x-portable-bitmap", sim::to_pbm(PatternBlocks(subject).picture())};
  sim::require(request == Request::save_perfetto, "export: this request is not a file of the run");
  return {export_name(model, ".pftrace"), "application/octet-stream", perfetto_bytes(subject)};
}

std::string window_title(const Model& model) {
  const sim::Scenario& scenario = model.world.subject(0).scenario();
  const bool ragged = model.world.subject(0).is_ragged();
  return sim::text("FlashScope: ", scenario.algorithm, ragged ? ", N up to " : ", N ",
                   length_text(model.world.subject(0), " x "), ", d ", sim::text_of(scenario.shape.head_dims()),
                   scenario.shape.mask.causal ? ", causal" : "");
}

}  // namespace explorer
