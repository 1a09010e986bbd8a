// Loads, stores and atomics in every space (PTX ISA, "Data Movement", "State Spaces"), and what happens when they go
// wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "one_warp.h"
#include "simt/address_map.h"

namespace warpfork::simt {
namespace memory_test {

using testing::AllOf;
using testing::HasSubstr;

Lanes32 counted() {
  Lanes32 values;
  for (unsigned lane = 0; lane < 32; ++lane) values[lane] = 100 + lane;
  return values;
}

/// Global memory of `bytes` bytes whose address plus `stride` times the lane is in %d1.
std::uint64_t point_into(OneWarp& warp, std::uint64_t bytes, std::uint64_t stride) {
  const std::uint64_t address = warp.memory().allocate(bytes, "out");
  Lanes32 low, high;
  for (unsigned lane = 0; lane < 32; ++lane) {
    low[lane] = static_cast<std::uint32_t>(address + stride * lane);
    high[lane] = static_cast<std::uint32_t>((address + stride * lane) >> 32);
  }
  warp.set("%r8", low);
  warp.set("%r9", high);
  return address;
}
const std::string kPointer = "mov.b64 %d1, {%r8, %r9};\n";

TEST(Memory, consecutive_uniform_and_scattered_accesses_agree) {
  for (const std::uint64_t stride : {4u, 12u}) {
    OneWarp warp(kPointer + "st.global.u32 [%d1], %r1;\nld.global.u32 %r2, [%d1];\nld.global.u32 %r3, [%d1+4];");
    point_into(warp, 1024, stride);
    warp.set("%r1", counted());
    warp.run();
    EXPECT_EQ(warp.lanes("%r2"), counted());
    EXPECT_EQ(warp.lane("%r3", 3), stride == 4 ? 104u : 0u);
    EXPECT_EQ(warp.warp().access.space, MemorySpace::Global);
    EXPECT_EQ(warp.warp().access.bytes, 4);
  }
}

TEST(Memory, partial_mask_touches_only_its_lanes) {
  OneWarp warp(kPointer + "st.global.u32 [%d1], %r1;\nld.global.u32 %r2, [%d1];");
  const std::uint64_t address = point_into(warp, 128, 4);
  warp.set("%r1", counted());
  warp.set("%r2", 7);
  warp.run(RowLanes(0x00ff0002));
  std::uint32_t stored[32];
  std::memcpy(stored, warp.memory().find(address, 128), 128);
  EXPECT_EQ(warp.lane("%r2", 0), 7u);
  EXPECT_EQ(warp.lane("%r2", 1), 101u);
  EXPECT_EQ(stored[0], 0u);
  EXPECT_EQ(stored[16], 116u);
  EXPECT_EQ(stored[24], 0u);
}

TEST(Memory, narrow_loads_extend_and_vectors_follow_in_order) {
  OneWarp warp(kPointer +
               "mov.b64 %d2, 0x8899aabbccddeeff;\nst.global.b64 [%d1], %d2;\nld.global.s8 %r1, [%d1];\n"
               "ld.global.u16 %r2, [%d1+2];\nld.global.s32 %d3, [%d1+4];\nld.global.v2.u32 {%r3, %r4}, [%d1];\n"
               "ld.global.v4.u16 {%h1, _, %h2, %h3}, [%d1];\ncvt.u32.u16 %r5, %h3;");
  point_into(warp, 512, 8);
  warp.run();
  EXPECT_EQ(warp.lane("%r1", 9), 0xffffffffu);
  EXPECT_EQ(warp.lane("%r2", 9), 0xccddu);
  EXPECT_EQ(warp.lane64("%d3", 9), 0xffffffff8899aabbu);
  EXPECT_EQ(warp.lane("%r3", 9), 0xccddeeffu);
  EXPECT_EQ(warp.lane("%r4", 9), 0x8899aabbu);
  EXPECT_EQ(warp.lane("%r5", 9), 0x8899u);
}

TEST(Memory, generic_addresses_reach_shared_and_local_memory) {
  OneWarp warp(
      ".shared .align 4 .b8 tile[256];\n.local .align 8 .b8 own[16];\n"
      "mov.u64 %d1, tile;\ncvta.shared.u64 %d2, %d1;\nst.u32 [%d2+8], 5;\nld.shared.u32 %r1, [tile+8];\n"
      "mov.u64 %d3, own;\ncvta.local.u64 %d4, %d3;\nmov.u32 %r5, %laneid;\nst.u32 [%d4+4], %r5;\nld.local.u32 %r2, "
      "[own+4];\n"
      "isspacep.shared %p0, %d2;\nisspacep.local %p1, %d2;\ncvta.to.shared.u64 %d5, %d2;");
  warp.run();
  EXPECT_EQ(warp.lane("%r1", 20), 5u);
  EXPECT_EQ(warp.lane("%r2", 20), 20u);
  EXPECT_TRUE(warp.predicate("%p0").full());
  EXPECT_TRUE(warp.predicate("%p1").none());
  EXPECT_EQ(warp.lane64("%d5"), warp.lane64("%d1"));
}

TEST(Memory, atomics_happen_in_lane_order) {
  OneWarp warp(
      "mov.b64 %d1, {%r8, %r9};\natom.global.add.u32 %r1, [%d1], 2;\natom.global.cas.b32 %r2, [%d1], 64, 9;\n"
      "atom.global.inc.u32 %r3, [%d1], 3;");
  point_into(warp, 64, 0);
  warp.run();
  EXPECT_EQ(warp.lane("%r1", 0), 0u);
  EXPECT_EQ(warp.lane("%r1", 31), 62u);
  EXPECT_EQ(warp.lane("%r2", 0), 64u);
  EXPECT_EQ(warp.lane("%r2", 1), 9u);
  EXPECT_EQ(warp.lane("%r3", 0), 9u);  // 9 ≥ 3 wraps to 0
  EXPECT_EQ(warp.lane("%r3", 1), 0u);
  EXPECT_TRUE(warp.warp().access.is_atomic);
}

TEST(Memory, the_last_lanes_atomic_decides) {
  OneWarp warp(
      "mov.b64 %d1, {%r8, %r9};\natom.global.add.u32 %r1, [%d1], 2;\nred.global.max.s32 [%d1+4], %r1;\n"
      "atom.global.exch.b32 %r4, [%d1+8], %r1;");
  const std::uint64_t address = point_into(warp, 64, 0);
  warp.run();
  EXPECT_EQ(warp.lane("%r4", 5), 8u);
  std::uint32_t words[3];
  std::memcpy(words, warp.memory().find(address, 12), 12);
  EXPECT_EQ(words[1], 62u);
  EXPECT_EQ(words[2], 62u);
}

TEST(Memory, parameters_and_constants_are_read) {
  OneWarp warp("ld.param.u32 %r1, [number];\nld.const.u32 %r2, [table+4];\nld.global.u32 %r3, [start];",
               host_instruction_set(), ".const .align 4 .u32 table[2] = {3, 4};\n.global .align 4 .u32 start = 11;");
  warp.run();
  EXPECT_EQ(warp.lane("%r1"), 0u);
  EXPECT_EQ(warp.lane("%r2"), 4u);
  EXPECT_EQ(warp.lane("%r3"), 11u);
  EXPECT_EQ(warp.module().find_symbol("start")->bytes, 4u);
}

/// The message of the error that running throws.
std::string failure_of(OneWarp& warp, RowLanes lanes = RowLanes::first(32)) {
  try {
    warp.run(lanes);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Memory, an_access_out_of_bounds_names_thread_place_and_nearest_allocation) {
  OneWarp warp(".loc 1 7 0\n" + kPointer + "st.global.u32 [%d1], %r1;", host_instruction_set(), ".file 1 \"copy.cu\"");
  point_into(warp, 64, 4);
  EXPECT_THAT(
      failure_of(warp),
      AllOf(HasSubstr("test.ptx:"), HasSubstr("kernel 'kernel'"), HasSubstr("thread (16,0,0) of block (0,0,0)"),
            HasSubstr("global store of 4 bytes at 0xc0000040 is out of bounds"),
            HasSubstr("instruction 1: st.global.u32 (copy.cu:7)"),
            HasSubstr("nearest allocation: 'out', 64 bytes at 0xc0000000; the address is 0 bytes past its end")));
}

TEST(Memory, an_address_that_no_allocation_is_near_to_is_told_as_what_it_may_be) {
  OneWarp null("mov.u64 %d1, 12;\nst.global.u32 [%d1], %r0;"),
      host("mov.u64 %d1, 0x7ffd1dc73be0;\nst.global.u32 [%d1], %r0;");
  EXPECT_THAT(failure_of(null), HasSubstr("a null pointer, or an index behind one"));
  EXPECT_THAT(failure_of(host), HasSubstr("an address of the host program"));
}

TEST(Memory, a_misaligned_access_names_the_first_thread_that_is) {
  OneWarp warp(kPointer + "ld.global.u64 %d2, [%d1];");
  point_into(warp, 1024, 12);
  EXPECT_THAT(failure_of(warp),
              AllOf(HasSubstr("thread (1,0,0)"), HasSubstr("global load of 8 bytes at 0xc000000c is misaligned")));
}

TEST(Memory, shared_and_local_memory_have_bounds) {
  OneWarp shared(".shared .b8 tile[8];\nst.shared.u32 [%r1], 1;");
  shared.set("%r1", 8);
  EXPECT_THAT(failure_of(shared), HasSubstr("the block has 8 bytes of shared memory"));
  OneWarp parameter("mov.u64 %d1, 0x90000000;\nld.u32 %r1, [%d1];");
  EXPECT_THAT(failure_of(parameter), HasSubstr("local load of 4 bytes at 0x0 is out of bounds"));
}

// A kernel may hold such a load where it never comes to it.
TEST(Memory, a_literal_address_that_is_not_aligned_is_an_error_where_it_is_used) {
  OneWarp warp(
      ".shared .align 8 .b8 tile[16];\n@%p0 st.shared.v2.u32 [tile+4], {%r0, %r1};\n@%p1 ld.global.u32 %r0, [6];");
  warp.run();
  warp.set_predicate("%p0", RowLanes(0b100));
  EXPECT_THAT(failure_of(warp), AllOf(HasSubstr("thread (2,0,0)"), HasSubstr("store of 8 bytes at 0x4 is misaligned")));
  warp.set_predicate("%p0", RowLanes());
  warp.set_predicate("%p1", RowLanes(0b1));
  EXPECT_THAT(failure_of(warp), HasSubstr("global load of 4 bytes at 0x6 is misaligned"));
}

TEST(Memory, a_copys_size_within_a_word_is_told_from_a_trap_of_the_program) {
  OneWarp warp(".shared .align 8 .b8 tile[8];\n" + kPointer + "cp.async.ca.shared.global [tile], [%d1], 8, %r2;");
  point_into(warp, 64, 0);
  warp.set("%r2", 5);
  EXPECT_THAT(failure_of(warp), AllOf(HasSubstr("the size of a cp.async's source is no multiple of 4"),
                                      HasSubstr("let it be a multiple of 4, or a literal")));
}

TEST(Memory, a_trap_is_an_error) {
  OneWarp warp("@%p0 trap;");
  EXPECT_EQ(failure_of(warp), "no error");
  warp.set_predicate("%p0", RowLanes(0b100));
  EXPECT_THAT(failure_of(warp), AllOf(HasSubstr("thread (2,0,0)"), HasSubstr("executed a trap")));
}

}  // namespace memory_test
}  // namespace warpfork::simt
