// Counts what a launch's instructions did to the units of the cores, for the energy of a run (docs/energy.md).
#pragma once

#include <span>
#include <vector>

#include "report/activity_count.h"
#include "report/launch_listener.h"
#include "simt/program.h"

namespace warpfork::gpu {

/// Hears all cores of one launch. While it runs only sums by PC are formed; what an instruction is made of, its
/// registers and its operation, comes to it in the end.
class ActivityCensus final : public report::LaunchListener {
 public:
  ActivityCensus(const simt::Program& program, unsigned warp_size)
      : program_(program), warp_size_(warp_size), issues_(program.code.size()) {}

  void issued(const report::IssueEvent& event) override;

  /// All but the flits.
  report::ActivityCount count() const;

 private:
  struct Issues {
    std::uint64_t instructions = 0, threads = 0, slots = 0, paths = 0;
    std::uint64_t register_slots = 0;  // places in the rows of one register
    std::uint64_t shared_words = 0;
  };

  /// 32-bit words of these registers, one that occurs twice once; predicates have a file of their own.
  unsigned words(std::span<const std::uint16_t> registers) const;
  void add(const simt::Instruction& instruction, const Issues& issues, report::ActivityCount& sum) const;

  const simt::Program& program_;
  unsigned warp_size_;
  std::vector<Issues> issues_;  // by PC
};

}  // namespace warpfork::gpu
