// What a program that embeds the C interface decides: which CUDA version it speaks and what simulates the launches.
#pragma once

#include <memory>

#include "cuda/launch_sink.h"
#include "cuda/session/session_request.h"

namespace warpfork::cuda {

struct Embedding {
  int runtime_version;  // as cudaRuntimeGetVersion: 12000 for 12.0; it also chooses the layout of cudaDeviceProp
  std::unique_ptr<LaunchSink> (*make_sink)(const SessionRequest& request);
};

/// The driver's: of the last release whose calls it knows. Runtimes ask for one that is no older than they are.
inline constexpr int kDriverVersion = 13000;

/// From this one on graphs say something about their edges, in calls of the same names with more arguments.
inline constexpr int kFirstVersionWithEdges = 13000;

/// Defined once by each shared library (src/cuda/library/main.cpp) and by tests of the C interface.
extern const Embedding kEmbedding;

}  // namespace warpfork::cuda
