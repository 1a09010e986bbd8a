// A launch sink for tests: executes a grid under a divergence mechanism, without time.
#pragma once

#include <string>

#include "cuda/launch_sink.h"

namespace warpfork::simulation {

class FunctionalSink final : public cuda::LaunchSink {
 public:
  explicit FunctionalSink(std::string mechanism = "pdom") : mechanism_(std::move(mechanism)) {}

  /// The record is that of a functional launch in docs/result-schema.md.
  cuda::LaunchOutcome run(const simt::Launch& launch) override;
  cuda::Residency residency(const simt::Program&, unsigned, std::uint32_t) const override { return {1, {}}; }
  void copied_from_host(std::uint64_t, std::uint64_t) override {}

 private:
  std::string mechanism_;
};

}  // namespace warpfork::simulation
