// Which blocks of a launch a sampled run simulates in detail (docs/sampling.md).
#pragma once

#include <cstdint>
#include <vector>

namespace warpfork::gpu {

/// What --sample asks for.
struct SampleRequest {
  double share = 0;        // of a launch's blocks, to be simulated in detail; 0 = all, nothing is sampled
  std::uint64_t seed = 0;  // says where batches begin

  bool empty() const { return share == 0; }
};

/// Blocks [begin, end) of a launch are simulated in detail. Those before `counted` warm caches and cores up only.
struct SampleBatch {
  std::uint64_t begin = 0, counted = 0, end = 0;
  bool operator==(const SampleBatch&) const = default;
};

inline constexpr unsigned kMostBatches = 30, kFewestBatches = 10;

/// The first and the last stretch of the launch are whole. Between them lie 10 to 30 batches, each at a place that the
/// seed says within its part of the blocks, and each a wave to warm up and one or more waves that count. A wave is as
/// many blocks as fit on all cores at a time; batches are whole ones, counted from the launch's beginning, as blocks
/// that start together often go on together, and neighbours often share data. Empty if the share of the launch has no
/// room for that.
std::vector<SampleBatch> plan_sample(std::uint64_t blocks, std::uint64_t wave, const SampleRequest& request);

}  // namespace warpfork::gpu
