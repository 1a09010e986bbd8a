// Warps of 64 threads (and of 8 and 16): what they compute is what warps of 32 compute, what they cost follows from
// their size. Numbers are counted by hand.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "gtx480_spec.h"
#include "kernel.h"
#include "report/launch_json.h"

namespace warpfork::gpu {
namespace wide_warp_test {

using ::testing::Each;
using ::testing::HasSubstr;

MachineSpec machine(unsigned warp_size, const std::string& lanes = "simt") {
  MachineSpec spec;
  config::bind(spec, lanes == "simt" ? "machines/gtx480.toml" : "machines/tesla30.toml");
  spec.cores = 1;
  spec.core.lanes.organisation = lanes;
  spec.core.warp_size = warp_size;
  return spec;
}

std::vector<std::uint32_t> first(const Kernel& kernel, unsigned words) {
  std::vector<std::uint32_t> out = kernel.out();
  out.resize(words);
  return out;
}

TEST(WideWarp, parts_at_a_branch_as_one) {
  const Kernel kernel(R"(
    setp.lt.u32 %p0, %thread, 40;
    @%p0 bra FIRST;
    mov.u32 %r3, 2;
    bra MEET;
FIRST:
    mov.u32 %r3, 1;
MEET:
    st.global.u32 [%mine], %r3;
    ret;)",
                      {}, {64, 1, 1});
  const report::LaunchRecord record = kernel.run(machine(64));
  EXPECT_EQ(record.active_lanes[40], 1u);
  EXPECT_EQ(record.active_lanes[24], 2u);
  EXPECT_EQ(record.active_lanes[64], kernel.program().code.size() - 3);
  for (unsigned thread = 0; thread < 64; ++thread) EXPECT_EQ(kernel.out()[thread], thread < 40 ? 1u : 2u);
}

TEST(WideWarp, may_have_threads_in_some_of_its_lanes_only) {
  const Kernel kernel("st.global.u32 [%mine], 7; ret;", {}, {100, 1, 1});
  const report::LaunchRecord record = kernel.run(machine(64));
  EXPECT_EQ(record.active_lanes[64], kernel.program().code.size());
  EXPECT_EQ(record.active_lanes[36], kernel.program().code.size());
  EXPECT_THAT(first(kernel, 100), Each(7u));
  EXPECT_EQ(kernel.out()[100], 0u);
}

TEST(WideWarp, tells_a_thread_its_lane_and_its_warp) {
  const Kernel kernel(R"(
    mov.u32 %r2, %laneid;
    mov.u32 %r3, %warpid;
    mov.u32 %r4, %nwarpid;
    mad.lo.u32 %r2, %r3, 1000, %r2;
    mad.lo.u32 %r2, %r4, 10000, %r2;
    st.global.u32 [%mine], %r2;
    ret;)",
                      {}, {128, 1, 1});
  kernel.run(machine(64));
  EXPECT_EQ(kernel.out()[0], 20000u);
  EXPECT_EQ(kernel.out()[63], 20063u);
  EXPECT_EQ(kernel.out()[100], 21036u);
}

constexpr std::string_view kExchange = R"(
    mov.u32 %r2, table;
    shl.b32 %r3, %thread, 2;
    add.u32 %r2, %r2, %r3;
    st.shared.u32 [%r2], %thread;
    bar.sync 0;
    mov.u32 %r2, table;
    sub.u32 %r3, 508, %r3;
    add.u32 %r2, %r2, %r3;
    ld.shared.u32 %r4, [%r2];
    setp.lt.u32 %p0, %thread, 70;
    bar.red.popc.u32 %r5, 1, %p0;
    mad.lo.u32 %r4, %r5, 1000, %r4;
    st.global.u32 [%mine], %r4;
    ret;)";

// 70 threads say yes, in both halves of the first warp of 64 and in the first of the second.
TEST(WideWarp, waits_and_votes_at_barriers_whatever_the_lanes) {
  for (const char* lanes :
       {"simt", "simt-bcc", "simt-scc", "tsimt", "tsimt-plus", "stsimt2", "stsimt4", "unlocked-lanes"})
    for (const unsigned warp_size : {8u, 16u, 32u, 64u}) {
      const Kernel kernel(kExchange, {1, 1, 1}, {128, 1, 1}, 4096, ".shared .align 4 .b8 table[1024];");
      ASSERT_EQ(kernel.error(machine(warp_size, lanes)), "") << lanes << " " << warp_size;
      EXPECT_EQ(kernel.out()[0], 70127u) << lanes << " " << warp_size;
      EXPECT_EQ(kernel.out()[127], 70000u) << lanes << " " << warp_size;
    }
}

// The ISA lets a barrier count whole warps only.
TEST(WideWarp, comes_to_a_barrier_as_a_whole) {
  EXPECT_EQ(Kernel("bar.sync 1, 64; ret;", {}, {64, 1, 1}).error(machine(64)), "");
  EXPECT_THAT(Kernel("bar.sync 1, 96; ret;", {}, {128, 1, 1}).error(machine(64)), HasSubstr("a multiple of 64"));
  EXPECT_EQ(Kernel("bar.sync 1, 32; ret;", {}, {32, 1, 1}).error(machine(16)), "");
}

// 64 words in a row are two lines of 128 bytes; 64 words in lines of their own are 64.
TEST(WideWarp, asks_the_memory_for_what_all_its_lanes_touch) {
  const Kernel in_a_row("ld.global.u32 %r2, [%mine]; ret;", {}, {64, 1, 1});
  EXPECT_EQ(in_a_row.run(machine(64)).memory.caches.l1d.accesses, 2u);
  const Kernel apart("mad.wide.u32 %d0, %thread, 128, %out; ld.global.u32 %r2, [%d0]; ret;", {}, {64, 1, 1});
  EXPECT_EQ(apart.run(machine(64)).memory.caches.l1d.accesses, 64u);
}

TEST(WideWarp, updates_memory_in_the_order_of_its_lanes) {
  const Kernel kernel("atom.global.add.u32 %r2, [%out + 4000], 1; st.global.u32 [%mine], %r2; ret;", {}, {64, 1, 1});
  kernel.run(machine(64));
  for (unsigned thread = 0; thread < 64; ++thread) EXPECT_EQ(kernel.out()[thread], thread);
  EXPECT_EQ(kernel.out()[1000], 64u);
}

TEST(WideWarp, gives_each_thread_local_memory_of_its_own) {
  const Kernel kernel(R"(
    .local .align 4 .b32 own;
    st.local.u32 [own], %thread;
    ld.local.u32 %r2, [own];
    st.global.u32 [%mine], %r2;
    ret;)",
                      {}, {64, 1, 1});
  kernel.run(machine(64));
  for (unsigned thread = 0; thread < 64; ++thread) EXPECT_EQ(kernel.out()[thread], thread);
}

TEST(WideWarp, names_the_thread_that_went_wrong) {
  const Kernel kernel("st.global.u32 [%mine + 64], %thread; ret;", {}, {64, 1, 1}, 64);
  EXPECT_THAT(kernel.error(machine(64)), HasSubstr("thread (48,0,0) of block (0,0,0)"));
}

// Only a register of lane 40 changes from turn to turn.
TEST(WideWarp, is_not_held_for_livelocked_while_any_of_its_threads_gets_on) {
  const Kernel kernel(R"(
    setp.ne.u32 %p0, %thread, 40;
    mov.u32 %r2, 0;
LOOP:
    @!%p0 add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 30000;
    @!%p0 bra TEST;
    bra END;
TEST:
    @%p1 bra LOOP;
END:
    st.global.u32 [%mine], %r2;
    ret;)",
                      {}, {64, 1, 1});
  EXPECT_EQ(kernel.error(machine(64)), "");
  EXPECT_EQ(kernel.out()[40], 30000u);
  EXPECT_THAT(Kernel("LOOP: bra LOOP;", {}, {64, 1, 1}).error(machine(64)), HasSubstr("livelocked"));
}

TEST(WideWarp, is_refused_a_program_that_names_lanes_in_32_bits) {
  for (const std::string line : {"vote.ballot.sync.b32 %r2, %p0, 0xffffffff", "activemask.b32 %r2",
                                 "shfl.sync.idx.b32 %r2, %r3, 0, 31, 0xffffffff", "mov.u32 %r2, %lanemask_lt",
                                 "match.any.sync.b32 %r2, %r3, 0xffffffff", "bar.warp.sync 0xffffffff"}) {
    const Kernel kernel(line + "; ret;", {}, {32, 1, 1});
    EXPECT_EQ(kernel.error(machine(32)), "") << line;
    const std::string error = kernel.error(machine(64));
    EXPECT_THAT(error, HasSubstr("kernel.ptx:17: error: kernel 'kernel': '" + line.substr(0, line.find(' ')))) << line;
    EXPECT_THAT(error, HasSubstr("core.warp_size is at most 32")) << line;
  }
}

TEST(WideWarp, has_as_many_entries_in_results_as_lanes) {
  const Kernel kernel("ret;", {}, {64, 1, 1});
  for (const auto& [warp_size, lanes] : {std::pair(16u, 32u), std::pair(32u, 32u), std::pair(64u, 64u)}) {
    const report::LaunchRecord record = kernel.run(machine(warp_size));
    const report::Json launch = to_json(record);
    EXPECT_EQ(launch["active_lanes_histogram"].size(), lanes + 1);
    EXPECT_EQ(launch["splits"]["thread_cycles"].size(), lanes);
    const report::Json sums = to_json(report::sum_launches(std::vector{record, record}));
    EXPECT_EQ(sums["active_lanes_histogram"][warp_size], 2 * (64 / warp_size) * kernel.program().code.size());
    EXPECT_EQ(sums["splits"]["schedulable"].size(), lanes);
  }
}

TEST(WideWarp, of_more_than_64_threads_is_refused) {
  EXPECT_THAT(Kernel("ret;", {}, {64, 1, 1}).error(machine(65)), HasSubstr("1 to 64 are supported"));
  EXPECT_EQ(Kernel("ret;", {}, {64, 1, 1}).error(machine(64)), "");
}

}  // namespace wide_warp_test
}  // namespace warpfork::gpu
