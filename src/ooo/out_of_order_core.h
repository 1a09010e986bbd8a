// The out-of-order core of SIMT-X, which with one thread a warp is an SMT core (Figure 2 and Table I).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ooo/completion_queue.h"
#include "ooo/core.h"
#include "ooo/issue_queue.h"
#include "ooo/load_store_queue.h"
#include "ooo/rename_stage.h"
#include "ooo/reorder_buffer.h"

namespace warpfork::ooo {

/// Stages in a cycle, from the last to the first: commit, completion, issue, rename, fetch. Queues are shared by the
/// warps; commit is in order within a warp. Cycles in which nothing can happen are jumped over.
class OutOfOrderCore final : public Core {
 public:
  OutOfOrderCore(const MachineSpec& machine, std::span<ThreadWindow> threads, const x86::Code& code,
                 Synchronisation& synchronisation);

  CoreCounts counts() const override;

 private:
  bool run_stages() override;
  bool commit();
  bool may_commit(const UopInFlight& oldest) const;
  void commit_one(const UopInFlight& uop);
  bool complete();
  void finish(UopInFlight& uop);
  [[gnu::noinline]] void resolve(unsigned warp, std::uint64_t instruction);
  void flush_youngest(unsigned warp);
  bool issue();
  bool may_issue(const UopInFlight& uop) const;
  void execute(UopInFlight& uop);
  Cycle occupy_unit(const UopInFlight& uop);
  void count_operations(const UopInFlight& uop);
  void introduce(CoreListener& listener) const override;
  void tell_commit(const UopInFlight& uop) const;
  Cycle next_event() const override;
  void count_causes(Cycle cycles) override;
  CycleCause cause_of(unsigned warp) const;

  FreeList free_;
  ReorderBuffer buffer_;
  IssueQueue issue_queue_;
  LoadStoreQueue load_store_queue_;
  RenameStage rename_;
  CompletionQueue completions_;
  WarpSet done_;                     // warps of which µops are done since none could commit
  std::vector<Cycle> committed_at_;  // by warp: the latest
  bool commit_is_full_ = false;      // in this cycle
};

}  // namespace warpfork::ooo
