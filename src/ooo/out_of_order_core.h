// The out-of-order core of SIMT-X, which with one thread a warp is an SMT core (Figure 2 and Table I).
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <span>
#include <vector>

#include "ooo/core.h"
#include "ooo/rename/free_list.h"
#include "ooo/rename/registry.h"
#include "ooo/store_queue.h"

namespace warpfork::ooo {

/// Stages in a cycle, from the last to the first: commit, completion, issue, rename, fetch. Queues are shared by the
/// warps; commit is in order within a warp. Cycles in which nothing can happen are jumped over.
class OutOfOrderCore final : public Core {
 public:
  OutOfOrderCore(const MachineSpec& machine, std::span<ThreadWindow> threads, const x86::Code& code,
                 Synchronisation& synchronisation);
  ~OutOfOrderCore() override;

 private:
  enum class State : std::uint8_t { Waiting, Ready, Executing, Done };
  struct Uop;      // an entry of the reorder buffer
  struct Warp;     // front end, reorder buffer and rename state of one warp
  struct Waiter {  // for a register
    std::uint64_t order, number;
    std::uint32_t warp;
    bool address;  // of a store
  };
  struct Ready {
    std::uint64_t order, number;
    std::uint32_t warp;
    bool operator<(const Ready& other) const { return order < other.order; }
  };
  struct Completion {
    Cycle at;
    std::uint64_t order, number;
    std::uint32_t warp;
    bool operator>(const Completion& other) const { return at != other.at ? at > other.at : order > other.order; }
  };

  bool run_stages() override;
  bool commit();
  bool may_commit(const Warp& warp) const;
  void commit_one(Warp& warp);
  bool complete();
  void finish(Warp& warp, Uop& uop);
  void wake(PhysicalRegister physical);
  void wake_paths(Warp& warp);
  void wake_loads(Warp& warp, std::uint64_t store);
  void settle(Warp& warp, Uop& uop);
  void stop_waiting(Warp& warp, Uop& uop, WaitCause cause);
  bool issue();
  static bool is_alone(const Uop& uop);
  bool may_issue(const Warp& warp, const Uop& uop) const;
  void execute(Warp& warp, Uop& uop);
  void count_operations(const Warp& warp, const Uop& uop);
  bool rename();
  bool rename_one(Warp& warp, unsigned& width);
  bool has_room(const Warp& warp, bool memory) const;
  void go_on(Warp& warp, const Fetched& fetched);
  Uop& enter(Warp& warp, std::uint64_t instruction, bool free);
  void enter_merge(Warp& warp, const Merge& merge, std::uint64_t instruction, bool free);
  void enter_operation(Warp& warp, std::uint64_t number, const x86::Uop* operation, const RenamedUop& renamed,
                       bool memory);
  void enter_access(Warp& warp, Uop& uop, const Fetched& fetched);
  void wait_for(Warp& warp, Uop& uop, PhysicalRegister source, bool address = false);
  void wait_for_path(Warp& warp, Uop& uop);
  void resolve(Warp& warp, std::uint64_t instruction);
  void undo(Warp& warp);
  void introduce(CoreListener& listener) const override;
  void tell_commit(const Warp& warp, const Uop& uop) const;
  Cycle next_event() const override;
  CycleCause cause_of(unsigned warp) const override;

  FreeList free_;
  std::vector<std::unique_ptr<Warp>> warps_;
  std::vector<std::uint8_t> register_ready_;           // by physical register
  std::vector<std::vector<Waiter>> register_waiters_;  // likewise
  std::vector<Ready> ready_;                           // by age
  std::priority_queue<Completion, std::vector<Completion>, std::greater<>> completions_;
  std::vector<unsigned> reorder_buffer_;             // entries in use, by part: one for all warps, or one for each
  unsigned issue_queue_ = 0, load_store_queue_ = 0;  // likewise, of all warps
  std::uint64_t order_ = 0;                          // of the next µop
  bool commit_is_full_ = false;                      // in this cycle
  RenamedUop renamed_;                               // the µop at hand
};

}  // namespace warpfork::ooo
