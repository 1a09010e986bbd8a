// The front end of one warp of four threads, driven by hand.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ooo/warp_front.h"
#include "unit/ooo/spmd_program.h"

namespace warpfork::ooo {

/// Events are passed by the threads that are let through.
class Gate final : public Synchronisation {
 public:
  bool passes(unsigned thread, const x86::SyncEvent&) override { return open_.contains(thread); }
  void ended(unsigned thread) override { ended_.push_back(thread); }
  void open(unsigned thread) { open_.insert(thread); }
  const std::vector<unsigned>& ended_threads() const { return ended_; }

 private:
  std::set<unsigned> open_;
  std::vector<unsigned> ended_;
};

/// Decodes at once and fetches one instruction a cycle; paths hardly ever take turns. A back end's part is played by
/// resolve() and run().
class DrivenFront {
 public:
  using Pcs = std::vector<std::uint64_t>;

  /// What each thread does. An event lies before the instruction at `event_at`.
  DrivenFront(const SpmdProgram& program, const std::vector<Pcs>& threads, std::uint64_t event_at = 0);
  explicit DrivenFront(const std::vector<std::vector<SpmdProgram::Step>>& threads);

  /// Every branch is thought uniform until it diverges.
  void expect_uniform();
  /// A wrong path finds these instructions, of four bytes each but the last.
  void show_text(std::uint64_t pc, unsigned nops);

  WarpFront& front();
  /// So many cycles; the number of instructions that were fetched.
  unsigned fetch(unsigned cycles = 1);
  Flush resolve(std::uint64_t number);
  void undo_all();
  /// Resolves each branch as soon as it is fetched, and commits all. Returns false if it comes to a standstill before
  /// all threads have ended.
  bool run();
  /// Resolves and commits what is in flight, and fetches nothing.
  void drain();

  /// "1000 1111, 1004 1111 divergent, 1010 0101, meet 1111": what is in flight. Other remarks: "branch".
  std::string in_flight();
  /// Likewise what has been committed.
  const std::string& committed() const { return committed_; }

  Gate gate;
  Predictors predictors;

 private:
  static std::string text(const Fetched& fetched);

  x86::Code code_;
  std::vector<ThreadWindow> windows_;
  std::unique_ptr<WarpFront> front_;  // made when it is first asked for
  Cycle now_ = 0;
  std::set<std::uint64_t> resolved_;  // of what is in flight
  std::string committed_;
};

}  // namespace warpfork::ooo
