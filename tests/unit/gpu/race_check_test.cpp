// Accesses that nothing orders are found, and no others (docs/checks.md).
#include "gpu/race_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/gpu/gtx480_spec.h"
#include "unit/gpu/kernel.h"

namespace warpfork::gpu {
namespace race_check_test {

using report::Finding;

constexpr const char* kTile = ".shared .b8 tile[4096];";

std::vector<Finding> races(const Kernel& kernel, const MachineSpec& spec = one_core()) {
  LaunchOptions options;
  options.check_races = true;
  return kernel.run(spec, options).findings.list;
}

/// %r3: the thread's own word of shared memory; %r4: that of the thread one warp further on, of 64.
const std::string kSharedPlaces =
    "mov.u32 %r5, tile; shl.b32 %r3, %thread, 2; add.u32 %r3, %r3, %r5;\n"
    "add.u32 %r4, %thread, 32; and.b32 %r4, %r4, 63; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r5;\n"
    "add.u32 %r6, %thread, 1;\n";

Kernel exchange(const std::string& between) {
  return {kSharedPlaces + "st.shared.u32 [%r3], %r6;\n" + between +
              "\nld.shared.u32 %r7, [%r4];\nst.global.u32 [%mine], %r7;\nret;",
          {1, 1, 1},
          {64, 1, 1},
          4096,
          kTile};
}

/// Both blocks do this; %r2 is the block's number, `out` and its 64th word are theirs together.
Kernel two_blocks(const std::string& body) {
  return {"mov.u32 %r2, %ctaid.x;\nsetp.eq.u32 %p0, %r2, 0;\n" + body + "\nret;", {2, 1, 1}, {1, 1, 1}};
}

TEST(RaceCheck, finds_nothing_where_nobody_asks) { EXPECT_TRUE(exchange("").run(one_core()).findings.empty()); }

// The other block writes the first element.
TEST(RaceCheck, leaves_out_elements_of_a_vector_that_nobody_reads) {
  const auto stores = [](const char* element) {
    return two_blocks(
        "@%p0 st.global.u32 [%out], 7;\n@!%p0 ld.global.v2.u32 {%r3, %r4}, [%out];\n@!%p0 st.global.u32 [%out+64], " +
        std::string(element) + ";");
  };
  EXPECT_TRUE(races(stores("%r4")).empty());
  EXPECT_EQ(races(stores("%r3")).size(), 1u);
}

TEST(RaceCheck, finds_a_missing_barrier_and_names_both_accesses) {
  const std::vector<Finding> found = races(exchange(""));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].space, "shared");
  EXPECT_EQ(found[0].first.access, "write");
  EXPECT_EQ(found[0].second.access, "read");
  EXPECT_NE(found[0].first.thread[0] / 32, found[0].second.thread[0] / 32);
  EXPECT_GT(found[0].first.ptx_line, 0u);
  EXPECT_LT(found[0].first.pc, found[0].second.pc);
}

TEST(RaceCheck, finds_none_across_a_barrier) {
  EXPECT_TRUE(races(exchange("bar.sync 0;")).empty());
  EXPECT_TRUE(races(exchange("bar.sync 0;"), one_core("multi-path")).empty());
  EXPECT_EQ(races(exchange("bar.warp.sync 0xffffffff;")).size(), 1u);  // orders a warp's threads alone
}

TEST(RaceCheck, finds_a_sum_of_several_blocks_that_is_not_atomic) {
  const char* sum = "ld.global.u32 %r3, [%out]; add.u32 %r3, %r3, 1; st.global.u32 [%out], %r3;";
  EXPECT_FALSE(races(two_blocks(sum)).empty());
  EXPECT_EQ(races(two_blocks(sum)).front().space, "global");
  EXPECT_TRUE(races(two_blocks("atom.global.add.u32 %r3, [%out], 1;")).empty());
}

// The first block writes, and raises a flag that the second one waits for.
TEST(RaceCheck, knows_a_fence_and_an_atomic_as_order_between_blocks) {
  const auto message = [](const char* fence) {
    return two_blocks("@!%p0 bra WAIT;\nst.global.u32 [%out], 7;\n" + std::string(fence) +
                      "\natom.global.exch.b32 %r3, [%out+256], 1;\nret;\n"
                      "WAIT: atom.global.add.u32 %r3, [%out+256], 0;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra WAIT;\n"
                      "ld.global.u32 %r4, [%out];\nst.global.u32 [%out+512], %r4;");
  };
  EXPECT_TRUE(races(message("membar.gl;")).empty());
  EXPECT_EQ(races(message("")).size(), 1u);
}

// As the scans of CUB and the grid barrier of cooperative groups do.
TEST(RaceCheck, knows_a_release_as_a_fence_before_it) {
  const auto message = [](const char* raise) {
    return two_blocks("@!%p0 bra WAIT;\nst.global.u32 [%out], 7;\n" + std::string(raise) +
                      "\nret;\nWAIT: ld.acquire.gpu.global.u32 %r3, [%out+256];\nsetp.eq.u32 %p1, %r3, 0;\n"
                      "@%p1 bra WAIT;\nld.global.u32 %r4, [%out];\nst.global.u32 [%out+512], %r4;");
  };
  EXPECT_TRUE(races(message("st.release.gpu.global.u32 [%out+256], 1;")).empty());
  EXPECT_TRUE(races(message("atom.add.release.gpu.global.u32 %r3, [%out+256], 1;")).empty());
  EXPECT_TRUE(races(message("red.acq_rel.gpu.global.add.u32 [%out+256], 1;")).empty());
  EXPECT_EQ(races(message("st.relaxed.gpu.global.u32 [%out+256], 1;")).size(), 1u);
}

// PTX ISA, "mbarrier": an arrival releases and who asks acquires, but where they are .relaxed.
TEST(RaceCheck, knows_an_mbarrier_as_order_between_warps) {
  const auto meeting = [](const std::string& order) {
    return exchange(
        fmt::format("setp.eq.u32 %p0, %thread, 0;\n@%p0 mbarrier.init.shared.b64 [tile+2048], 64;\n"
                    "bar.sync 0;\nst.shared.u32 [%r3], %thread;\n"
                    "mbarrier.arrive{0}.shared.b64 _, [tile+2048];\nWAIT: "
                    "mbarrier.test_wait.parity{0}.shared.b64 %p1, [tile+2048], 0;\n@!%p1 bra WAIT;",
                    order));
  };
  EXPECT_TRUE(races(meeting("")).empty());
  EXPECT_EQ(races(meeting(".relaxed.cta")).size(), 1u);
}

TEST(RaceCheck, takes_a_store_of_what_is_there_already_for_no_change) {
  EXPECT_TRUE(races(two_blocks("st.global.u32 [%out], 7;")).empty());
  EXPECT_EQ(races(two_blocks("add.u32 %r2, %r2, 7; st.global.u32 [%out], %r2;")).size(), 1u);
}

// Bytes of one word, of different threads.
TEST(RaceCheck, tells_bytes_of_a_word_apart) {
  const auto bytes = [](const char* place) {
    return two_blocks("cvt.u64.u32 %d1, %r2; mul.lo.u64 %d1, %d1, " + std::string(place) +
                      "; add.u64 %d1, %d1, %out; add.u32 %r2, %r2, 7; st.global.u8 [%d1], %r2;");
  };
  EXPECT_TRUE(races(bytes("1")).empty());
  EXPECT_EQ(races(bytes("0")).size(), 1u);
}

TEST(RaceCheck, leaves_threads_of_one_warp_to_their_lockstep) {
  const Kernel neighbours(
      "shl.b32 %r3, %thread, 2; mov.u32 %r5, tile; add.u32 %r3, %r3, %r5;\n"
      "xor.b32 %r4, %r3, 4;\nst.shared.u32 [%r3], %r3;\nld.shared.u32 %r7, [%r4];\n"
      "st.global.u32 [%mine], %r7;\nret;",
      {1, 1, 1}, {32, 1, 1}, 4096, kTile);
  EXPECT_TRUE(races(neighbours).empty());
}

}  // namespace race_check_test
}  // namespace warpfork::gpu
