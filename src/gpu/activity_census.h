// Counts what a launch's instructions did to the units of the cores, for the energy of a run (docs/energy.md).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "analysis/register_set.h"
#include "report/activity_samples.h"
#include "report/launch_listener.h"
#include "simt/program.h"

namespace warpfork::gpu {

/// Hears all cores of one launch. While it runs only sums by PC are formed; what an instruction is made of, its
/// registers and its operation, comes to it in the end.
class ActivityCensus final : public report::LaunchListener {
 public:
  /// `add_rest`: puts into a sample what caches, interconnect and DRAM have done since the launch began.
  using AddRest = std::function<void(report::ActivitySample&)>;

  /// `scalar_file`: registers that lie in a file of their own, whose words are read and written once for a warp; null =
  /// there is none. `by_groups`: registers are read and written for the groups that execute, not for the whole warp.
  ActivityCensus(const simt::Program& program, unsigned warp_size, bool by_groups,
                 const analysis::RegisterSet* scalar_file, AddRest add_rest);

  void issued(const report::IssueEvent& event) override;
  bool observes_issues() const override { return true; }

  /// Up to now, with samples at the ends of the windows that have passed.
  report::ActivityCount count() const;

 private:
  struct Issues {
    std::uint64_t instructions = 0, threads = 0, slots = 0, paths = 0;
    std::uint64_t register_slots = 0;  // places in the rows of one register
    std::uint64_t shared_words = 0;
  };

  /// 32-bit words of registers.
  struct Words {
    unsigned of_places = 0;  // in each place of a row
    unsigned of_warp = 0;    // in the scalar file
  };
  struct Operands {
    Words reads, writes;
  };

  /// Of these registers, one that occurs twice once; predicates have a file of their own.
  Words words(std::span<const ptx::RegisterId> registers) const;
  void sample(Cycle now);
  void add(Pc pc, report::ActivityCount& sum) const;

  const simt::Program& program_;
  unsigned warp_size_;
  bool by_groups_;
  AddRest add_rest_;
  const analysis::RegisterSet* scalar_file_;
  std::vector<Operands> words_;  // by PC
  std::vector<Issues> issues_;   // likewise
  report::ActivityCount sampled_;
  Cycle next_sample_ = sampled_.window;
};

}  // namespace warpfork::gpu
