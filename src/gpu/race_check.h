// Finds accesses of different threads that nothing orders (docs/checks.md says what orders them).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "gpu/access_shadow.h"
#include "gpu/machine_spec.h"
#include "gpu/step.h"
#include "report/finding.h"
#include "report/launch_listener.h"
#include "simt/launch.h"
#include "simt/used_bytes.h"

namespace warpfork::gpu {

/// Hears all cores of one launch. Compares each access to global or shared memory with the last write and the reads
/// since then of the same word. Never claims a race that the order in docs/checks.md forbids; what it does not see is
/// listed there, too.
class RaceCheck final : public report::LaunchListener {
 public:
  RaceCheck(const MachineSpec& spec, const simt::Launch& launch);

  void block_started(const report::BlockEvent& event) override;
  void issued(const report::IssueEvent& event) override;
  bool observes_issues() const override { return true; }

  report::Findings findings() const;

 private:
  /// What an instruction does for order, besides being a barrier or a fence.
  struct Words {
    bool meets = false;     // volatile, relaxed, acquire or release
    bool releases = false;  // as a fence before it
    bool frees = false;     // memory of malloc
  };
  /// What has been done in a block to order its accesses.
  struct Order {
    std::uint32_t number = 0;           // in the grid
    std::uint32_t barrier = 0;          // time at which one opened last
    std::uint32_t acquired = 0;         // time of its last atomic or volatile load
    std::vector<std::uint32_t> fences;  // times, rising; of releases, too
  };
  /// A block's place on a core.
  struct Place {
    Order* block = nullptr;
    unsigned waiting = 0;  // threads at barriers
    AccessShadow shared;
  };

  std::uint32_t tick();
  void note_barrier(const report::IssueEvent& event, Place& place);
  void check(const report::IssueEvent& event, Place& place);
  void compare(ShadowCell& cell, const PastAccess& access, std::uint32_t value, std::uint64_t address, bool shared);
  static Words words_of(const ptx::Instruction& instruction);
  bool is_ordered(const PastAccess& before, const PastAccess& now) const;
  bool was_freed_since(const PastAccess& before, std::uint64_t address) const;
  void report(const PastAccess& before, const PastAccess& now, std::uint64_t address, bool shared);
  report::AccessPlace place_of(const PastAccess& access) const;

  const simt::Launch& launch_;
  const simt::Program& program_;
  simt::UsedBytes used_;
  std::vector<Words> words_;                         // by PC
  std::uint32_t time_ = 0, freed_ = 0;               // of the latest access, and of the latest call of free
  std::unordered_map<std::uint32_t, Order> blocks_;  // by number: found, never gone through
  std::vector<std::vector<Place>> places_;           // by core and first warp slot
  AccessShadow global_;
  std::map<std::tuple<Pc, Pc, bool>, std::size_t> known_;  // first and second instruction, whether shared memory
  std::vector<report::Finding> findings_;
};

}  // namespace warpfork::gpu
