#include "gpu/sample_plan.h"

#include <algorithm>

namespace warpfork::gpu {

namespace {

/// Of a launch's beginning, in which caches are cold and blocks in step, and of its end, in which cores run dry; the
/// end has one to warm up besides.
constexpr std::uint64_t kEndWaves = 2;
/// So long is a batch before there are more of them than the fewest: it takes a while before the blocks that run side
/// by side are out of step as they are in a whole run.
constexpr std::uint64_t kBatchWaves = 20;
/// Or this part of all that is simulated in detail, if that is more.
constexpr std::uint64_t kEndPart = 8;

/// Steele et al., "Fast splittable pseudorandom number generators" (OOPSLA 2014), mix64.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}

}  // namespace

std::vector<SampleBatch> plan_sample(std::uint64_t blocks, std::uint64_t wave, const SampleRequest& request) {
  const auto detailed = static_cast<std::uint64_t>(request.share * static_cast<double>(blocks));
  const std::uint64_t edge = std::max(kEndWaves, detailed / kEndPart / wave) * wave;
  const std::uint64_t edges = edge + wave + edge;
  if (detailed < edges + kFewestBatches * 2 * wave) return {};
  const std::uint64_t between = detailed - edges;
  const auto batches = std::clamp<std::uint64_t>(between / (kBatchWaves * wave), kFewestBatches, kMostBatches);
  const std::uint64_t counted = (between / batches - wave) / wave * wave, length = wave + counted;
  const std::uint64_t rest = (blocks - edges) / wave;

  std::vector<SampleBatch> plan = {{0, 0, edge}};
  for (std::uint64_t k = 0; k < batches; ++k) {
    const std::uint64_t from = rest * k / batches, to = rest * (k + 1) / batches;
    const std::uint64_t places = to - from - length / wave + 1;
    const std::uint64_t begin = edge + (from + mixed(request.seed * kMostBatches + k) % places) * wave;
    plan.push_back({begin, begin + wave, begin + length});
  }
  const std::uint64_t last = edge + rest * wave;
  plan.push_back({last, last + wave, blocks});
  return plan;
}

}  // namespace warpfork::gpu
