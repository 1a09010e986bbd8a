// Notices when a launch has issued more warp instructions than it may.
#pragma once

#include "report/launch_listener.h"

namespace warpfork::gpu {

class InstructionLimit final : public report::LaunchListener {
 public:
  explicit InstructionLimit(std::uint64_t most) : most_(most) {}
  void issued(const report::IssueEvent&) override { ++issued_; }
  bool observes_issues() const override { return true; }
  bool is_exceeded() const { return issued_ > most_; }

 private:
  std::uint64_t most_, issued_ = 0;
};

}  // namespace warpfork::gpu
