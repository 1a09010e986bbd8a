#include "cuda/runtime/timeline.h"

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda {

namespace {

template <typename Handle>
std::uintptr_t number(Handle handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

constexpr std::uintptr_t kLastDefaultStream = 2;  // cudaStreamPerThread

}  // namespace

cudaStream_t Timeline::create_stream(Stream stream) {
  streams_[next_stream_] = stream;
  return reinterpret_cast<cudaStream_t>(next_stream_++);
}

Timeline::Stream Timeline::stream(cudaStream_t handle) const {
  if (number(handle) <= kLastDefaultStream) return {};
  const auto found = streams_.find(number(handle));
  if (found == streams_.end()) throw ApiError(cudaErrorInvalidResourceHandle);
  return found->second;
}

void Timeline::destroy_stream(cudaStream_t handle) {
  if (streams_.erase(number(handle)) == 0) throw ApiError(cudaErrorInvalidResourceHandle);
  attributes_.erase(number(handle));
}

Timeline::Attributes& Timeline::attributes(cudaStream_t handle) {
  stream(handle);
  return attributes_[number(handle)];
}

cudaEvent_t Timeline::create_event(bool timed) {
  events_[next_event_] = {timed, kNever};
  return reinterpret_cast<cudaEvent_t>(next_event_++);
}

void Timeline::destroy_event(cudaEvent_t handle) {
  if (events_.erase(number(handle)) == 0) throw ApiError(cudaErrorInvalidResourceHandle);
}

void Timeline::record(cudaEvent_t handle) {
  require_event(handle);
  events_[number(handle)].at = now_;
}

void Timeline::require_event(cudaEvent_t handle) const { event(handle); }

float Timeline::elapsed_milliseconds(cudaEvent_t start, cudaEvent_t end) const {
  const Event &from = event(start), &to = event(end);
  if (!from.timed || !to.timed || from.at == kNever || to.at == kNever) throw ApiError(cudaErrorInvalidResourceHandle);
  const double cycles = static_cast<double>(to.at) - static_cast<double>(from.at);
  return static_cast<float>(cycles / core_clock_khz_);  // kHz = cycles per millisecond
}

const Timeline::Event& Timeline::event(cudaEvent_t handle) const {
  const auto found = events_.find(number(handle));
  if (found == events_.end()) throw ApiError(cudaErrorInvalidResourceHandle);
  return found->second;
}

}  // namespace warpfork::cuda
