// Copies by bulk and the transactions of mbarriers in whole blocks (PTX ISA, "cp.async.bulk", "mbarrier").
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fast_run.h"
#include "simt/memory_fault.h"

namespace warpfork::simt {
namespace bulk_copies_test {

/// A kernel of one block that has 256 bytes in shared memory, an mbarrier and the address of `out`.
std::string kernel(std::string_view body) {
  return std::string(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry body(.param .u64 out)
{
  .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<9>;
  .shared .align 16 .b8 tile[256];
  .shared .align 8 .b64 arrived;
  ld.param.u64 %d0, [out];
  mov.u32 %r0, %tid.x;
  setp.eq.u32 %p0, %r0, 0;
)") + std::string(body) +
         "\n  ret;\n}\n";
}

// Thread t stores 3 t; the tile comes to shared memory, and each thread stores the word of another one.
TEST(BulkCopies, are_there_when_the_phase_is_over) {
  const std::string ptx = kernel(R"(
  mad.wide.u32 %d1, %r0, 4, %d0;
  mul.lo.u32 %r1, %r0, 3;
  st.global.u32 [%d1], %r1;
  @%p0 mbarrier.init.shared.b64 [arrived], 64;
  fence.mbarrier_init.release.cluster;
  bar.sync 0;
  mov.u32 %r2, 240;
  @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d0], %r2, [arrived];
  @%p0 mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %d2, [arrived], 240;
  @!%p0 mbarrier.arrive.shared.b64 %d2, [arrived];
  bar.sync 0;
  mbarrier.try_wait.shared.b64 %p1, [arrived], %d2, 1000;
  @!%p1 trap;
  xor.b32 %r3, %r0, 63;
  shl.b32 %r3, %r3, 2;
  mov.u32 %r4, tile;
  add.u32 %r3, %r3, %r4;
  ld.shared.u32 %r5, [%r3];
  st.global.u32 [%d1], %r5;)");
  const std::vector<std::uint32_t> out = run_module_fast(ptx, {1, 1, 1}, {64, 1, 1}, 64, 2);
  for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(out[t], t < 4 ? 0 : 3 * (63 - t)) << t;  // 60 words are copied
  EXPECT_EQ(run_module_reference(ptx, {1, 1, 1}, {64, 1, 1}, 64), out);
}

TEST(BulkCopies, go_to_global_memory_in_groups) {
  const std::string ptx = kernel(R"(
  shl.b32 %r1, %r0, 2;
  mov.u32 %r2, tile;
  add.u32 %r2, %r2, %r1;
  add.u32 %r1, %r0, 100;
  st.shared.u32 [%r2], %r1;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @%p0 cp.async.bulk.global.shared::cta.bulk_group [%d0], [tile+16], 112;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group.read 0;)");
  const std::vector<std::uint32_t> out = run_module_fast(ptx, {1, 1, 1}, {32, 1, 1}, 32, 2);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(out[t], t < 28 ? 104 + t : 0) << t;
}

/// Whether the phase is over after the last arrival, with these bytes expected before and completed behind.
std::uint32_t is_over(std::string_view before, std::string_view behind) {
  return run_module_fast(kernel(fmt::format(R"(
  mbarrier.init.shared.b64 [arrived], 1;
  {}
  mbarrier.arrive.shared.b64 %d1, [arrived];
  {}
  mbarrier.test_wait.shared.b64 %p1, [arrived], %d1;
  selp.u32 %r1, 1, 0, %p1;
  st.global.u32 [%d0], %r1;)",
                                            before, behind)),
                         {1, 1, 1}, {1, 1, 1}, 1, 2)[0];
}

TEST(BulkCopies, a_phase_lasts_until_all_bytes_that_are_expected_came) {
  const std::string expects = "mbarrier.expect_tx.relaxed.cta.shared.b64 [arrived], 48;";
  const std::string completes = "mbarrier.complete_tx.relaxed.cta.shared.b64 [arrived], 48;";
  EXPECT_EQ(is_over("", ""), 1u);
  EXPECT_EQ(is_over(expects, ""), 0u);
  EXPECT_EQ(is_over(expects, "mbarrier.complete_tx.shared.b64 [arrived], 47;"), 0u);
  EXPECT_EQ(is_over(expects, completes), 1u);
  EXPECT_EQ(is_over(completes, ""), 0u);  // bytes may come before they are expected
  EXPECT_EQ(is_over(completes, expects), 1u);
  EXPECT_EQ(is_over(completes + expects, ""), 1u);
}

// Size and both addresses are multiples of 16 (PTX ISA, "cp.async.bulk").
TEST(BulkCopies, whose_size_and_target_are_misaligned_alike_are_refused) {
  for (const char* target : {"[%r3]", "[%r3+16]", "[%r4+4]", "[%r5+12]"})
    EXPECT_THROW(run_module_fast(kernel(fmt::format(R"(
  mov.u32 %r2, tile;
  add.u32 %r3, %r2, 8;
  add.u32 %r4, %r2, 4;
  sub.u32 %r5, %r3, 12;
  mov.u32 %r6, 24;
  @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes {}, [%d0], %r6, [arrived];)",
                                                    target)),
                                 {1, 1, 1}, {1, 1, 1}, 16, 2),
                 MemoryFault)
        << target;
}

// Of 32 arrivals at an mbarrier of 16, 16 end the first phase and 16 the second, in any order (PTX ISA, "mbarrier").
TEST(BulkCopies, a_phase_ends_with_its_last_arrival_though_others_of_the_warp_follow) {
  const std::string ptx = kernel(R"(
  mad.wide.u32 %d1, %r0, 4, %d0;
  @%p0 mbarrier.init.shared.b64 [arrived], 16;
  bar.sync 0;
  mbarrier.arrive.shared.b64 %d2, [arrived];
  mbarrier.pending_count.b64 %r1, %d2;
  bar.sync 0;
  mbarrier.test_wait.parity.shared.b64 %p1, [arrived], 1;
  @%p1 add.u32 %r1, %r1, 100;
  st.global.u32 [%d1], %r1;)");
  std::vector<std::uint32_t> out = run_module_fast(ptx, {1, 1, 1}, {32, 1, 1}, 32, 2);
  std::ranges::sort(out);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(out[t], 100 + 1 + t / 2) << t;
}

}  // namespace bulk_copies_test
}  // namespace warpfork::simt
