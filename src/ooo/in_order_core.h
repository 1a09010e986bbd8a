// DITVA: an in-order core that runs the threads of a warp together where they are at the same place (Kalathingal et al.
// 2017, as SIMT-X section 4 uses it).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ooo/completion_queue.h"
#include "ooo/core.h"
#include "ooo/issue_order.h"
#include "ooo/lane_scoreboard.h"

namespace warpfork::ooo {

/// Front end and units are those of the out-of-order core. Each thread's instructions issue in program order; paths of
/// a warp, which have no thread in common, wait for each other only if the machine's issue order says so. A µop issues
/// when its threads' operands have come (a bit for each register and lane), so that loads stall only who uses them. As
/// there are no renamed registers to go back to, every branch may part its path when it executes: a wrong prediction
/// costs the instructions that were fetched on the wrong way, nothing else.
class InOrderCore final : public Core {
 public:
  InOrderCore(const MachineSpec& machine, std::span<ThreadWindow> threads, const x86::Code& code,
              Synchronisation& synchronisation);
  ~InOrderCore() override;

  CoreCounts counts() const override;

 private:
  struct Progress;
  struct Candidate;
  struct Warp;
  bool run_stages() override;
  bool resolve();
  bool issue();
  bool issue_from(Warp& warp, unsigned& left);
  void take_issued(Warp& warp);
  void wait(Warp& warp, const Candidate& candidate);
  bool issue_instruction(Warp& warp, Candidate& candidate, unsigned& left);
  bool issue_paths(Warp& warp, std::uint64_t number);
  bool issue_uop(Warp& warp, Candidate& candidate, const Fetched& fetched, Progress& progress);
  Cycle access(Warp& warp, const Fetched& fetched, const x86::Uop& uop, Progress& progress, unsigned& busy);
  bool commit();
  void introduce(CoreListener& listener) const override;
  void tell_issue(const Warp& warp, std::uint64_t number, const x86::Uop* uop, Cycle done);
  Cycle next_event() const override;
  void count_causes(Cycle cycles) override;
  CycleCause cause_of(unsigned warp) const;

  IssueOrder issue_order_;
  std::vector<std::unique_ptr<Warp>> warps_;
  CompletionQueue resolutions_;  // of branches that have issued; their order is the number of their instruction
  std::uint64_t order_ = 0;      // of the next µop, for listeners
  Cycle last_result_ = 0;        // when the last value that was asked for is there
  Cycle wake_ = kNever;          // when an operand that kept a µop from issuing in this cycle will be there
};

}  // namespace warpfork::ooo
