// Stream capture (CUDA Runtime API, "Stream Management"): what is called on a stream becomes nodes of a graph.
#pragma once

#include <driver_types.h>

#include <map>
#include <vector>

#include "cuda/runtime/graphs.h"

namespace warpfork::cuda {

/// A capture begins on one stream; others join it where they wait for an event that was recorded in it. Functions throw
/// ApiError with the code that CUDA documents.
class StreamCaptures {
 public:
  explicit StreamCaptures(Graphs& graphs) : graphs_(graphs) {}

  void begin(cudaStream_t stream);
  /// The graph, which is the caller's from now on. The capture is over, also where this throws.
  cudaGraph_t end(cudaStream_t stream);

  cudaStreamCaptureStatus status(cudaStream_t stream) const;
  bool is_capturing(cudaStream_t stream) const { return status(stream) != cudaStreamCaptureStatusNone; }
  /// Of a stream that is: a number that no other capture has, the graph, and the nodes that the next one depends on.
  struct Branch {
    unsigned long long capture = 0;
    cudaGraph_t graph = nullptr;
    std::vector<cudaGraphNode_t> last;
  };
  const Branch& branch(cudaStream_t stream) const { return branches_.at(stream); }

  /// On a stream that is capturing: becomes a node.
  void add(cudaStream_t stream, GraphOperation operation);
  /// The stream is asked for what cannot be captured: if it is capturing, that fails and so does the capture.
  void require_none(cudaStream_t stream);

  /// Returns whether the event stands for what was captured in the stream; else it is an ordinary one from now on.
  bool record(cudaEvent_t event, cudaStream_t stream);
  /// What comes next in the stream comes behind the event, if that was captured.
  void wait(cudaStream_t stream, cudaEvent_t event);
  /// Throws if the event was captured: it has no time, and nobody can wait for it.
  void require_ordinary(cudaEvent_t event) const;

 private:
  struct Capture {
    cudaStream_t origin = nullptr;
    bool is_invalid = false;
  };
  bool all_joined(const Branch& origin) const;
  void forget(unsigned long long capture);

  Graphs& graphs_;
  unsigned long long next_ = 1;
  std::map<unsigned long long, Capture> captures_;
  std::map<cudaStream_t, Branch> branches_;  // of the streams that are capturing
  std::map<cudaEvent_t, Branch> events_;     // that were captured
};

}  // namespace warpfork::cuda
