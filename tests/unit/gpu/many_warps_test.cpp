// A core of 128 warps: those from the 64th on issue, meet, are regrouped and end like the others.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>

#include "divergence/registry.h"
#include "gpu/lane_organisation.h"
#include "gpu/step.h"
#include "gtx480_spec.h"
#include "kernel.h"
#include "report/launch_listener.h"

namespace warpfork::gpu {
namespace many_warps_test {

MachineSpec machine(std::string_view mechanism = "pdom", std::string_view lanes = "simt", unsigned warp_size = 32) {
  MachineSpec spec = one_core(std::string(mechanism));
  spec.core.lanes.organisation = lanes;
  spec.core.warp_size = warp_size;
  spec.core.warps = 128;
  spec.core.threads = 128 * warp_size;
  spec.core.registers = 1 << 18;
  return spec;
}

class Places final : public report::LaunchListener {
 public:
  void issued(const report::IssueEvent& event) override {
    issued_.insert(event.warp);
    if (event.step->homes.size() > 1) mixed_.insert(event.warp);
  }
  bool observes_issues() const override { return true; }
  void occupied(report::Stamp, unsigned live_warps, Cycle) override { most_ = std::max(most_, live_warps); }
  bool observes_stalls() const override { return true; }

  WarpSlots issued_, mixed_;  // all places; those with threads of several warps
  unsigned most_ = 0;         // live warps
};

TEST(ManyWarps, of_a_core_run_side_by_side) {
  const Kernel kernel("mul.lo.u32 %r2, %thread, 3; st.global.u32 [%mine], %r2; ret;", {4, 1, 1}, {1024, 1, 1});
  Places places;
  const report::LaunchRecord record = kernel.run(machine(), {.listener = &places});
  EXPECT_EQ(record.occupancy.blocks_per_core, 4u);
  EXPECT_EQ(record.occupancy.max_warps, 128u);
  EXPECT_EQ(places.most_, 128u);
  EXPECT_TRUE(places.issued_.full());
  for (unsigned thread = 0; thread < 4096; ++thread) EXPECT_EQ(kernel.out()[thread], 3 * thread);
}

TEST(ManyWarps, are_at_most_128) {
  MachineSpec spec = machine();
  spec.core.warps = 129;
  EXPECT_THAT(Kernel("ret;", {}, {32, 1, 1}).error(spec), testing::HasSubstr("1 to 128 are supported"));
}

/// Threads whose number has an odd number of ones go another way: of every other warp those in the lanes that stay
/// behind in the rest. Then each takes what its block's last thread but so many has left.
constexpr std::string_view kPartAndMeet = R"(
    mov.u32 %r2, %tid.x;
    popc.b32 %r3, %r2;
    and.b32 %r3, %r3, 1;
    setp.eq.u32 %p0, %r3, 0;
    @%p0 bra EVEN;
    add.u32 %r4, %r2, 1000;
    bra MEET;
EVEN:
    add.u32 %r4, %r2, 2000;
MEET:
    mov.u32 %r5, table;
    shl.b32 %r6, %r2, 2;
    add.u32 %r7, %r5, %r6;
    st.shared.u32 [%r7], %r4;
    bar.sync 0;
    sub.u32 %r6, 4092, %r6;
    add.u32 %r7, %r5, %r6;
    ld.shared.u32 %r4, [%r7];
    st.global.u32 [%mine], %r4;
    ret;)";

Kernel part_and_meet(unsigned blocks) {
  return {kPartAndMeet, {blocks, 1, 1}, {1024, 1, 1}, 4096, ".shared .align 4 .b8 table[4096];"};
}

// Thread 0 of a block takes 1023 + 2000, as 1023 has ten ones; thread 1021 takes 2 + 1000.
void expect_all_have_met(const Kernel& kernel, unsigned threads, const std::string& who) {
  const std::vector<std::uint32_t> out = kernel.out();
  for (unsigned thread = 0; thread < threads; ++thread) {
    const unsigned partner = 1023 - thread % 1024;
    ASSERT_EQ(out[thread], partner + (std::popcount(partner) % 2 == 1 ? 1000 : 2000)) << who << ", thread " << thread;
  }
}

TEST(ManyWarps, part_and_meet_at_barriers_under_every_mechanism_and_in_all_lanes) {
  for (const DivergenceMechanism& mechanism : divergence_mechanisms())
    for (const LaneOrganisation& lanes : lane_organisations()) {
      if (mechanism.regroups && lanes.temporal) continue;
      const Kernel kernel = part_and_meet(4);
      Places places;
      const std::string who = std::string(mechanism.name) + ", " + std::string(lanes.name);
      ASSERT_EQ(kernel.error(machine(mechanism.name, lanes.name), {.listener = &places}), "") << who;
      EXPECT_TRUE(places.issued_.full()) << who;
      expect_all_have_met(kernel, 4096, who);
    }
}

// Two blocks of 64 warps, in which two half warps fill a place.
TEST(ManyWarps, are_regrouped_in_all_places) {
  const Kernel kernel = part_and_meet(2);
  Places places;
  MachineSpec spec = machine("tbc", "simt", 16);
  spec.core.execution.warp_threads = 16;
  ASSERT_EQ(kernel.error(spec, {.listener = &places}), "");
  EXPECT_TRUE(places.issued_.full());
  EXPECT_TRUE((places.mixed_ - WarpSlots::first(64)).any());
  expect_all_have_met(kernel, 2048, "tbc");
}

}  // namespace many_warps_test
}  // namespace warpfork::gpu
