// Streams and events (CUDA Runtime API, "Stream Management" and "Event Management") on simulated time.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>

#include "base/types.h"

namespace warpfork::cuda {

/// Every operation has ended when its call returns, so all streams are one order and always idle. Time passes only in
/// kernels: copies are free. Handles are numbers, never addresses.
class Timeline {
 public:
  explicit Timeline(int core_clock_khz) : core_clock_khz_(core_clock_khz) {}

  /// Lets a kernel's cycles pass.
  void advance(Cycle cycles) { now_ += cycles; }
  Cycle now() const { return now_; }

  /// Kernels run one after the other: streams have but one priority. Greater ones are lower numbers.
  static constexpr int kLeastPriority = 0, kGreatestPriority = 0;

  struct Stream {
    unsigned flags = 0;
    int priority = 0;
  };
  cudaStream_t create_stream(Stream stream);
  /// The stream of a handle, the default streams included. Throws ApiError(cudaErrorInvalidResourceHandle).
  Stream stream(cudaStream_t handle) const;
  void destroy_stream(cudaStream_t handle);
  /// What was set: hints, which change nothing.
  using Attributes = std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>;
  Attributes& attributes(cudaStream_t handle);

  cudaEvent_t create_event(bool timed);
  void destroy_event(cudaEvent_t handle);
  void record(cudaEvent_t handle);
  void require_event(cudaEvent_t handle) const;
  /// Milliseconds at the core clock. Throws ApiError(cudaErrorInvalidResourceHandle) for an event without a time.
  float elapsed_milliseconds(cudaEvent_t start, cudaEvent_t end) const;

 private:
  struct Event {
    bool timed = true;
    Cycle at = kNever;  // not recorded yet
  };
  const Event& event(cudaEvent_t handle) const;

  int core_clock_khz_;
  Cycle now_ = 0;
  // The first numbers name the default streams: 0, cudaStreamLegacy, cudaStreamPerThread.
  std::uintptr_t next_stream_ = 16, next_event_ = 1;
  std::map<std::uintptr_t, Stream> streams_;
  std::map<std::uintptr_t, Attributes> attributes_;  // by stream
  std::map<std::uintptr_t, Event> events_;
};

}  // namespace warpfork::cuda
