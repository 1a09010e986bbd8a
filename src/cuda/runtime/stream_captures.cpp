#include "cuda/runtime/stream_captures.h"

#include <algorithm>
#include <utility>

#include "cuda/runtime/api_error.h"

namespace warpfork::cuda {

namespace {

/// 0 and cudaStreamLegacy, with which other streams wait for each other.
bool is_legacy(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

}  // namespace

void StreamCaptures::begin(cudaStream_t stream) {
  if (is_legacy(stream)) throw ApiError(cudaErrorStreamCaptureUnsupported);
  if (is_capturing(stream)) throw ApiError(cudaErrorIllegalState);
  captures_[next_] = {stream};
  branches_[stream] = {next_++, graphs_.create(), {}};
}

cudaGraph_t StreamCaptures::end(cudaStream_t stream) {
  if (!is_capturing(stream)) throw ApiError(cudaErrorIllegalState);
  const Branch branch = branches_.at(stream);
  const Capture capture = captures_.at(branch.capture);
  if (capture.origin != stream) throw ApiError(cudaErrorStreamCaptureUnmatched);
  const bool joined = all_joined(branch);
  forget(branch.capture);
  if (!capture.is_invalid && joined) return branch.graph;
  graphs_.destroy(branch.graph);
  throw ApiError(capture.is_invalid ? cudaErrorStreamCaptureInvalidated : cudaErrorStreamCaptureUnjoined);
}

/// Whether the origin waits for all that the other streams of its capture have been given.
bool StreamCaptures::all_joined(const Branch& origin) const {
  return std::ranges::all_of(branches_, [&](const auto& other) {
    return other.second.capture != origin.capture || std::ranges::all_of(other.second.last, [&](cudaGraphNode_t node) {
             return graphs_.is_before(node, origin.last);
           });
  });
}

void StreamCaptures::forget(unsigned long long capture) {
  captures_.erase(capture);
  const auto is_of_it = [&](const auto& entry) { return entry.second.capture == capture; };
  std::erase_if(branches_, is_of_it);
  std::erase_if(events_, is_of_it);
}

cudaStreamCaptureStatus StreamCaptures::status(cudaStream_t stream) const {
  const auto found = branches_.find(stream);
  if (found == branches_.end()) return cudaStreamCaptureStatusNone;
  return captures_.at(found->second.capture).is_invalid ? cudaStreamCaptureStatusInvalidated
                                                        : cudaStreamCaptureStatusActive;
}

void StreamCaptures::add(cudaStream_t stream, GraphOperation operation) {
  Branch& branch = branches_.at(stream);
  if (captures_.at(branch.capture).is_invalid) throw ApiError(cudaErrorStreamCaptureInvalidated);
  branch.last = {graphs_.add(branch.graph, branch.last, std::move(operation))};
}

void StreamCaptures::require_none(cudaStream_t stream) {
  const auto found = branches_.find(stream);
  if (found == branches_.end()) return;
  captures_.at(found->second.capture).is_invalid = true;
  throw ApiError(cudaErrorStreamCaptureUnsupported);
}

bool StreamCaptures::record(cudaEvent_t event, cudaStream_t stream) {
  const auto found = branches_.find(stream);
  if (found == branches_.end()) return events_.erase(event), false;
  events_[event] = found->second;
  return true;
}

void StreamCaptures::wait(cudaStream_t stream, cudaEvent_t event) {
  const auto captured = events_.find(event);
  const auto waiting = branches_.find(stream);
  if (captured == events_.end()) {
    if (waiting != branches_.end()) throw ApiError(cudaErrorStreamCaptureIsolation);
    return;
  }
  if (is_legacy(stream)) throw ApiError(cudaErrorStreamCaptureImplicit);
  if (waiting == branches_.end()) {
    branches_[stream] = captured->second;
    return;
  }
  if (waiting->second.capture != captured->second.capture) throw ApiError(cudaErrorStreamCaptureMerge);
  std::vector<cudaGraphNode_t>& last = waiting->second.last;
  for (const cudaGraphNode_t node : captured->second.last)
    if (std::ranges::find(last, node) == last.end()) last.push_back(node);
}

void StreamCaptures::require_ordinary(cudaEvent_t event) const {
  if (events_.contains(event)) throw ApiError(cudaErrorCapturedEvent);
}

}  // namespace warpfork::cuda
