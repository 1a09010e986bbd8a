#include "cuda/runtime/timeline.h"

#include <gtest/gtest.h>

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda {
namespace timeline_test {

TEST(Timeline, elapsed_time_is_cycles_at_the_core_clock) {
  Timeline timeline(1400000);  // 1.4 GHz
  const cudaEvent_t start = timeline.create_event(true), end = timeline.create_event(true);
  timeline.record(start);
  timeline.advance(2800000);
  timeline.record(end);
  EXPECT_FLOAT_EQ(timeline.elapsed_milliseconds(start, end), 2.0f);
  EXPECT_FLOAT_EQ(timeline.elapsed_milliseconds(end, start), -2.0f);
}

TEST(Timeline, event_without_a_time_is_refused) {
  Timeline timeline(1000);
  const cudaEvent_t untimed = timeline.create_event(false), fresh = timeline.create_event(true);
  timeline.record(untimed);
  EXPECT_THROW(timeline.elapsed_milliseconds(untimed, untimed), ApiError);
  EXPECT_THROW(timeline.elapsed_milliseconds(fresh, fresh), ApiError);
}

TEST(Timeline, handles_are_invalid_once_destroyed) {
  Timeline timeline(1000);
  const cudaStream_t stream = timeline.create_stream({cudaStreamNonBlocking, 0});
  EXPECT_EQ(timeline.stream(stream).flags, unsigned{cudaStreamNonBlocking});
  timeline.destroy_stream(stream);
  EXPECT_THROW(timeline.stream(stream), ApiError);
  EXPECT_THROW(timeline.destroy_stream(stream), ApiError);
}

TEST(Timeline, default_streams_are_always_there) {
  const Timeline timeline(1000);
  EXPECT_NO_THROW(timeline.stream(nullptr));
  EXPECT_NO_THROW(timeline.stream(cudaStreamPerThread));
}

}  // namespace timeline_test
}  // namespace warpfork::cuda
