#include "kernels/counters/host.h"

#include <algorithm>

#include "kernels/counters/cupti.h"

namespace counters {
namespace {

using Object = CUpti_Profiler_Host_Object;

std::vector<const char*> pointers(const std::vector<std::string>& names) {
  std::vector<const char*> all;
  for (const std::string& name : names) all.push_back(name.c_str());
  return all;
}

void require_chip(const std::string& chip) {
  CUpti_Profiler_Host_GetSupportedChips_Params known{CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE};
  COUNTERS_CALL(cuptiProfilerHostGetSupportedChips, known);
  const char* const* end = known.ppChipNames + known.numChips;
  if (std::find(known.ppChipNames, end, chip) == end)
    throw Unavailable(Unavailable::Kind::unknown_chip,
                      sim::text("this CUPTI does not know the chip ", chip, ": install a later CUDA toolkit"));
}

Object* make_object(const std::string& chip) {
  CUpti_Profiler_Host_Initialize_Params made{CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE};
  made.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  made.pChipName = chip.c_str();
  COUNTERS_CALL(cuptiProfilerHostInitialize, made);
  return made.pHostObject;
}

/// Releases the object; errors are ignored.
void release(void* object) {
  CUpti_Profiler_Host_Deinitialize_Params gone{CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE};
  gone.pHostObject = static_cast<Object*>(object);
  reinterpret_cast<decltype(&cuptiProfilerHostDeinitialize)>(cupti_function("cuptiProfilerHostDeinitialize"))(&gone);
}

/// Adds all metrics in one call: metrics added one by one never share a pass.
bool accepts(Object* object, std::vector<const char*> names) {
  CUpti_Profiler_Host_ConfigAddMetrics_Params added{CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE};
  added.pHostObject = object;
  added.ppMetricNames = names.data();
  added.numMetrics = names.size();
  using Add = decltype(cuptiProfilerHostConfigAddMetrics);
  return reinterpret_cast<Add*>(cupti_function("cuptiProfilerHostConfigAddMetrics"))(&added) == CUPTI_SUCCESS;
}

bool has_metric(const std::string& chip, const std::string& metric) {
  Object* alone = make_object(chip);  // after one rejection an object rejects valid metrics too
  const bool accepted = accepts(alone, {metric.c_str()});
  release(alone);
  return accepted;
}

void add_metrics(Object* object, const std::string& chip, const std::vector<std::string>& metrics) {
  using enum Unavailable::Kind;
  if (accepts(object, pointers(metrics))) return;
  for (const std::string& metric : metrics) {
    if (!has_metric(chip, metric))
      throw Unavailable(unknown_metric, sim::text("the chip ", chip, " has no metric ", metric));
  }
  throw Unavailable(refused, sim::text("CUPTI takes each of ", metrics.size(), " metrics, but not all of them"));
}

std::vector<std::uint8_t> config_of(Object* object) {
  CUpti_Profiler_Host_GetConfigImageSize_Params size{CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE};
  size.pHostObject = object;
  COUNTERS_CALL(cuptiProfilerHostGetConfigImageSize, size);
  std::vector<std::uint8_t> config(size.configImageSize);
  CUpti_Profiler_Host_GetConfigImage_Params image{CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE};
  image.pHostObject = object;
  image.configImageSize = config.size();
  image.pConfigImage = config.data();
  COUNTERS_CALL(cuptiProfilerHostGetConfigImage, image);
  return config;
}

std::int64_t passes_of(std::vector<std::uint8_t>& config) {
  CUpti_Profiler_Host_GetNumOfPasses_Params passes{CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE};
  passes.configImageSize = config.size();
  passes.pConfigImage = config.data();
  COUNTERS_CALL(cuptiProfilerHostGetNumOfPasses, passes);
  return static_cast<std::int64_t>(passes.numOfPasses);
}

}  // namespace

std::string why_no_cupti() {
  try {
    cupti_function("cuptiProfilerHostInitialize");
    return "";
  } catch (const Unavailable& reason) {
    return reason.what();
  }
}

Host::Host(const std::string& chip, const std::vector<std::string>& metrics) : metrics_(metrics) {
  require_chip(chip);
  Object* object = make_object(chip);
  object_ = {object, release};
  add_metrics(object, chip, metrics);
  config_ = config_of(object);
  passes_ = passes_of(config_);
}

std::vector<double> Host::values(const std::vector<std::uint8_t>& counted, std::size_t range) const {
  std::vector<const char*> names = pointers(metrics_);
  std::vector<double> result(names.size());
  CUpti_Profiler_Host_EvaluateToGpuValues_Params to{CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE};
  to.pHostObject = static_cast<Object*>(object_.get());
  to.pCounterDataImage = counted.data();
  to.counterDataImageSize = counted.size();
  to.rangeIndex = range;
  to.ppMetricNames = names.data();
  to.numMetrics = names.size();
  to.pMetricValues = result.data();
  COUNTERS_CALL(cuptiProfilerHostEvaluateToGpuValues, to);
  return result;
}

}  // namespace counters
