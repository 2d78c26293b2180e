#include "kernels/counters/session.h"

namespace counters {
namespace {

template <class Function, class... Arguments>
void call_driver(const char* name, Arguments... arguments) {
  const CUresult result = reinterpret_cast<Function*>(driver_function(name))(arguments...);
  if (result != CUDA_SUCCESS)
    throw Unavailable(Unavailable::Kind::no_driver, sim::text("the NVIDIA driver refuses ", name, " (", result, ")"));
}

CUcontext current_context() {
  CUcontext context = nullptr;
  call_driver<decltype(cuCtxGetCurrent)>("cuCtxGetCurrent", &context);
  if (context == nullptr) throw Unavailable(Unavailable::Kind::no_driver, "no GPU is open on this thread");
  return context;
}

/// Name of the current GPU's chip in CUPTI.
std::string current_chip() {
  current_context();
  CUpti_Profiler_Initialize_Params ready{CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  COUNTERS_CALL(cuptiProfilerInitialize, ready);
  CUdevice device = 0;
  call_driver<decltype(cuCtxGetDevice)>("cuCtxGetDevice", &device);
  CUpti_Device_GetChipName_Params chip{CUpti_Device_GetChipName_Params_STRUCT_SIZE};
  chip.deviceIndex = static_cast<std::size_t>(device);
  COUNTERS_CALL(cuptiDeviceGetChipName, chip);
  return chip.pChipName;
}

/// Releases the counters; errors are ignored.
void release(CUpti_RangeProfiler_Object* profiler) {
  CUpti_RangeProfiler_Disable_Params gone{CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE};
  gone.pRangeProfilerObject = profiler;
  reinterpret_cast<decltype(&cuptiRangeProfilerDisable)>(cupti_function("cuptiRangeProfilerDisable"))(&gone);
}

}  // namespace

CounterSession::CounterSession(const std::vector<std::string>& metrics, std::size_t ranges)
    : host_(current_chip(), metrics) {
  CUpti_RangeProfiler_Enable_Params enabled{CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE};
  enabled.ctx = current_context();
  COUNTERS_CALL(cuptiRangeProfilerEnable, enabled);
  profiler_ = {enabled.pRangeProfilerObject, release};
  make_room(metrics, ranges);
  configure(ranges);
}

void CounterSession::make_room(const std::vector<std::string>& metrics, std::size_t ranges) {
  std::vector<const char*> names;
  for (const std::string& metric : metrics) names.push_back(metric.c_str());
  CUpti_RangeProfiler_GetCounterDataSize_Params size{CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE};
  size.pRangeProfilerObject = profiler_.get();
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = ranges;
  size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(ranges);
  COUNTERS_CALL(cuptiRangeProfilerGetCounterDataSize, size);
  counted_.resize(size.counterDataSize);
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params empty{
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE};
  empty.pRangeProfilerObject = profiler_.get();
  empty.counterDataSize = counted_.size();
  empty.pCounterData = counted_.data();
  COUNTERS_CALL(cuptiRangeProfilerCounterDataImageInitialize, empty);
}

/// Configures user ranges and user replay: copies and the filling of memory are between ranges and not counted.
void CounterSession::configure(std::size_t ranges) {
  CUpti_RangeProfiler_SetConfig_Params set{CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE};
  set.pRangeProfilerObject = profiler_.get();
  set.configSize = host_.config().size();
  set.pConfig = host_.config().data();
  set.counterDataImageSize = counted_.size();
  set.pCounterDataImage = counted_.data();
  set.range = CUPTI_UserRange;
  set.replayMode = CUPTI_UserReplay;
  set.maxRangesPerPass = ranges;
  set.numNestingLevels = set.minNestingLevel = set.targetNestingLevel = 1;  // no nested ranges
  COUNTERS_CALL(cuptiRangeProfilerSetConfig, set);
}

void CounterSession::begin_pass() {
  CUpti_RangeProfiler_Start_Params start{CUpti_RangeProfiler_Start_Params_STRUCT_SIZE};
  start.pRangeProfilerObject = profiler_.get();
  COUNTERS_CALL(cuptiRangeProfilerStart, start);
}

bool CounterSession::end_pass() {
  CUpti_RangeProfiler_Stop_Params stop{CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE};
  stop.pRangeProfilerObject = profiler_.get();
  COUNTERS_CALL(cuptiRangeProfilerStop, stop);
  return stop.isAllPassSubmitted != 0;
}

void CounterSession::begin_range(const std::string& name) {
  CUpti_RangeProfiler_PushRange_Params push{CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE};
  push.pRangeProfilerObject = profiler_.get();
  push.pRangeName = name.c_str();
  COUNTERS_CALL(cuptiRangeProfilerPushRange, push);
}

void CounterSession::end_range() {
  CUpti_RangeProfiler_PopRange_Params pop{CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE};
  pop.pRangeProfilerObject = profiler_.get();
  COUNTERS_CALL(cuptiRangeProfilerPopRange, pop);
}

std::vector<std::vector<double>> CounterSession::values() {
  CUpti_RangeProfiler_DecodeData_Params decode{CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE};
  decode.pRangeProfilerObject = profiler_.get();
  COUNTERS_CALL(cuptiRangeProfilerDecodeData, decode);
  if (decode.numOfRangeDropped > 0)
    throw Unavailable(Unavailable::Kind::refused,
                      sim::text("CUPTI dropped ", decode.numOfRangeDropped, " of the kernels"));
  CUpti_RangeProfiler_GetCounterDataInfo_Params held{CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE};
  held.pCounterDataImage = counted_.data();
  held.counterDataImageSize = counted_.size();
  COUNTERS_CALL(cuptiRangeProfilerGetCounterDataInfo, held);
  std::vector<std::vector<double>> all;
  for (std::size_t range = 0; range < held.numTotalRanges; ++range) all.push_back(host_.values(counted_, range));
  return all;
}

}  // namespace counters
