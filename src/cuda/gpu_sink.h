// The simulated GPU as the CUDA runtime's launch sink.
#pragma once

#include <functional>
#include <memory>

#include "cuda/launch_sink.h"
#include "cuda/session/session_request.h"

namespace warpfork::cuda {

/// A GPU by the request's `simulation` section. Throws Error if the section makes no machine.
std::unique_ptr<LaunchSink> make_gpu_sink(const SessionRequest& request);
/// `at_times` is called again and again while a launch runs (see gpu::LaunchProgress); what it throws ends the launch.
std::unique_ptr<LaunchSink> make_gpu_sink(const SessionRequest& request, std::function<void()> at_times);

}  // namespace warpfork::cuda
