// The microbenchmark of STSIMT section 5.2 on one core of its Table III: a chain of dependent additions, W warps, a
// active threads each.
#pragma once

#include <string>

#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {

inline MachineSpec table_iii(const std::string& lanes, unsigned issue_interval = 1) {
  MachineSpec spec;
  config::bind(spec, "machines/tesla30.toml");
  spec.cores = 1;
  spec.core.issue_interval = issue_interval;
  spec.core.lanes.organisation = lanes;
  spec.core.scheduler = "lrr";  // no warp runs ahead: the last additions find as many warps as the first
  return spec;
}

inline constexpr unsigned kAdditions = 250;  // 2 KB: they stay in the instruction cache

/// Of two registers. In `simt` lanes the result of a warp may meet the second one of its neighbour in a bank, if the
/// two come to be a certain number of cycles apart; with kOfOne none does.
inline constexpr const char* kOfTwo = "add.u32 %r3, %r3, %r2;";
inline constexpr const char* kOfOne = "add.u32 %r3, %r3, 1;";

/// Cycles that the threads of each warp for whom %p0 is not set take for the chain, so many times; %r2 is their lane.
inline Cycle cycles(const std::string& lanes, unsigned warps, const std::string& sets_p0, unsigned times,
                    unsigned issue_interval, const char* addition) {
  const std::string body = "and.b32 %r2, %thread, 31; " + sets_p0 + "; @%p0 exit; mov.u32 %r4, " +
                           std::to_string(times) + "; AGAIN:" + repeated(kAdditions, addition) +
                           "sub.u32 %r4, %r4, 1; setp.ne.u32 %p1, %r4, 0; @%p1 bra AGAIN; exit;";
  return Kernel(body, {1, 1, 1}, {warps * 32, 1, 1}).run(table_iii(lanes, issue_interval)).cycles;
}

/// Thread instructions a cycle the third time, when start and end of the kernel and cold misses cancel out. `threads`:
/// of each warp, for whom %p0 is not set.
inline double ipc(const std::string& lanes, unsigned warps, unsigned threads, const std::string& sets_p0,
                  unsigned issue_interval, const char* addition) {
  const auto times = [&](unsigned times) { return cycles(lanes, warps, sets_p0, times, issue_interval, addition); };
  return double(kAdditions + 3) * warps * threads / double(times(3) - times(2));
}

/// Of threads 0 … active − 1.
inline double ipc(const std::string& lanes, unsigned warps, unsigned active, unsigned issue_interval = 1) {
  return ipc(lanes, warps, active, "setp.ge.u32 %p0, %r2, " + std::to_string(active), issue_interval, kOfTwo);
}

}  // namespace warpfork::gpu
