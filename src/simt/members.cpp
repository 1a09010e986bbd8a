#include "simt/members.h"

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "simt/execution_error.h"

namespace warpfork::simt {

namespace {

constexpr std::string_view kRemedy =
    "a branch (or a mechanism that regroups threads) has parted them: put the "
    "__syncwarp() or ..._sync() behind it, "
    "where they meet again, or name those only that are here, by "
    "__activemask() or by a __ballot_sync() of the "
    "condition before the branch; at one instruction "
    "threads wait for each other under --divergence "
    "convergence-barrier";

/// As the program gave it.
std::string mask_text(const WarpContext& warp, RowLanes members) {
  return fmt::format("member mask {:#010x}", permuted(members, warp.lane_key).bits());
}

std::string name_of(const WarpContext& warp, unsigned lane) {
  const Dim3 thread = thread_of(warp, lane);
  return fmt::format("thread ({},{},{}) of its warp", thread.x, thread.y, thread.z);
}

}  // namespace

RowLanes members_of(const Instruction& instruction, const WarpContext& warp, unsigned lane) {
  std::uint32_t bits;
  std::memcpy(&bits, warp.registers + instruction.members + lane * sizeof bits, sizeof bits);
  return permuted(RowLanes(bits), warp.lane_key);
}

void check_own_mask(const Instruction& instruction, const WarpContext& warp, unsigned lane) {
  const RowLanes named = members_of(instruction, warp, lane);
  if (!named.contains(lane))
    fail(instruction, warp, lane, fmt::format("its {} does not name it", mask_text(warp, named)),
         "a thread must be in the mask that it gives");
}

RowLanes together_with_lowest(const Instruction& instruction, const WarpContext& warp, RowLanes lanes) {
  const unsigned lowest = lanes.lowest();
  const RowLanes named = members_of(instruction, warp, lowest);
  RowLanes together;
  lanes.for_each([&](unsigned lane) {
    if (members_of(instruction, warp, lane) == named) together |= RowLanes::single(lane);
  });
  if (together == (named & warp.live)) return together;
  together.for_each([&](unsigned lane) { check_own_mask(instruction, warp, lane); });
  const unsigned missing = ((named & warp.live) - together).lowest();
  const std::string_view how =
      lanes.contains(missing) ? "which gives another mask" : "which does not execute it as well";
  fail(instruction, warp, lowest,
       fmt::format("its {} names {}, {}", mask_text(warp, named), name_of(warp, missing), how), kRemedy);
}

void fail_absent_source(const Instruction& instruction, const WarpContext& warp, unsigned lane, unsigned source) {
  fail(instruction, warp, lane,
       fmt::format("it reads from {}, which its {} names and "
                   "which does not execute it as well",
                   name_of(warp, source), mask_text(warp, members_of(instruction, warp, lane))),
       kRemedy);
}

}  // namespace warpfork::simt
