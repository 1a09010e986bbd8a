// Blocks as they are laid out in warps of 8, 32 and 64 threads, what identifies their threads (PTX ISA, "Special
// Registers"), and what kernels may not say in wide warps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "one_warp.h"
#include "ptx/parser.h"
#include "simt/barrier.h"
#include "simt/execution_error.h"

namespace warpfork::simt {
namespace block_context_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// A block in execution; the kernel has 8 bytes of shared and 4 of local memory.
class OneBlock {
 public:
  OneBlock(const std::string& body, Dim3 block, unsigned warp_size)
      : module_(ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
                           ".reg .b32 %r<4>;\n.reg .b64 %d<4>;\n.reg .pred %p<2>;\n"
                           ".shared .align 8 .b8 s[8];\n.local .align 4 .b8 l[4];\n" +
                               body + "\nret;\n}\n",
                           "block.ptx"),
                memory_) {
    launch.program = &module_.kernel("k");
    launch.memory = &memory_;
    launch.grid = {7, 5, 3};
    launch.block = block;
    launch.warp_size = warp_size;
  }
  BlockContext& start(Dim3 index = {0, 0, 0}, unsigned core = 0) {
    if (!context_) context_ = std::make_unique<BlockContext>(launch);
    context_->start(index, core);
    return *context_;
  }
  const Instruction& first() const { return launch.program->code[0]; }

  /// Runs the first instruction in the lane's row: the low half of what the lane gets.
  std::uint32_t result(WarpId warp, unsigned lane) {
    WarpContext& row = context_->warp(warp, lane / kRowLanes);
    first().handler(first(), row, row.live);
    std::uint32_t value;
    std::memcpy(&value, row.registers + first().operand[0] + lane % kRowLanes * sizeof value, sizeof value);
    return value;
  }
  /// What validate() says; empty if the launch can be.
  std::string fault() const {
    try {
      validate(launch);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

 private:
  DeviceMemory memory_{1 << 16};
  LoadedModule module_;
  std::unique_ptr<BlockContext> context_;

 public:
  Launch launch;
};

TEST(BlockContext, a_warp_of_64_threads_has_two_rows_of_lanes) {
  OneBlock block("mov.u32 %r0, %tid.x;", {100, 1, 1}, 64);
  BlockContext& context = block.start();
  EXPECT_EQ(block.launch.warps_per_block(), 2u);
  EXPECT_EQ(context.rows(), 2u);
  EXPECT_EQ(context.lanes(0).count(), 64u);
  EXPECT_EQ(context.lanes(1).count(), 36u);
  EXPECT_TRUE(context.warp(1, 0).live.full());
  EXPECT_EQ(context.warp(1, 1).live, RowLanes::first(4));
  EXPECT_EQ(block.result(0, 63), 63u);
  EXPECT_EQ(block.result(1, 35), 99u);
}

TEST(BlockContext, a_row_of_a_wide_warp_may_hold_no_thread_at_all) {
  OneBlock block("mov.u32 %r0, %tid.x;", {96, 1, 1}, 64);
  BlockContext& context = block.start();
  EXPECT_TRUE(context.warp(1, 0).live.full());
  EXPECT_TRUE(context.warp(1, 1).live.none());
}

TEST(BlockContext, warps_of_8_threads_use_a_part_of_their_row) {
  OneBlock block("mov.u32 %r0, %tid.x;", {20, 1, 1}, 8);
  BlockContext& context = block.start();
  EXPECT_EQ(block.launch.warps_per_block(), 3u);
  EXPECT_EQ(context.rows(), 1u);
  EXPECT_EQ(context.warp(1).live, RowLanes::first(8));
  EXPECT_EQ(context.warp(2).live, RowLanes::first(4));
  EXPECT_EQ(block.result(1, 0), 8u);
  EXPECT_EQ(block.result(2, 3), 19u);
}

// 45 threads: the second warp has 13, which lie in its upper lanes if it is mirrored.
TEST(BlockContext, threads_may_have_other_lanes_than_those_of_their_numbers) {
  OneBlock block("mov.u32 %r0, %tid.x;", {45, 1, 1}, 32);
  block.launch.lane_permutation = LanePermutation::MirrorOdd;
  BlockContext& context = block.start();
  EXPECT_TRUE(context.warp(0).live.full());
  EXPECT_EQ(context.lanes(1).bits(), 0xfff80000u);
  EXPECT_EQ(block.result(0, 5), 5u);
  EXPECT_EQ(block.result(1, 31), 32u);
  EXPECT_EQ(block.result(1, 19), 44u);
  EXPECT_EQ(thread_of(context.warp(1), 19).x, 44u);
}

TEST(BlockContext, wide_warps_permute_lanes_of_both_rows) {
  OneBlock block("mov.u32 %r0, %tid.x;", {100, 1, 1}, 64);
  block.launch.lane_permutation = LanePermutation::MirrorOdd;
  BlockContext& context = block.start();
  EXPECT_EQ(context.lanes(1).bits(), 0xfffffffff0000000u);  // 36 threads
  EXPECT_EQ(block.result(1, 63), 64u);
  EXPECT_EQ(block.result(1, 28), 99u);
  EXPECT_EQ(thread_of(context.warp(1, 1), 31).x, 64u);
}

TEST(BlockContext, parameters_have_room_up_to_their_alignment_that_reads_as_zero) {
  DeviceMemory memory(1 << 16);
  LoadedModule module(ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n"
                                 ".visible .entry k(.param .align 4 .b8 g[3]) { ret; }\n",
                                 "block.ptx"),
                      memory);
  Launch launch;
  launch.program = &module.kernel("k");
  launch.block = {1, 1, 1};
  launch.parameters.assign(3, std::byte{7});
  BlockContext block(launch);
  EXPECT_EQ(block.warp(0).memory.parameter_bytes, 4u);
  EXPECT_EQ(block.warp(0).memory.parameters[2], std::byte{7});
  EXPECT_EQ(block.warp(0).memory.parameters[3], std::byte{0});
}

struct Place {
  const char* name;
  unsigned warp_size;
  WarpId warp;
  unsigned lane;
  std::uint32_t value;
};

void PrintTo(const Place& place, std::ostream* out) {
  *out << place.name << " in warps of " << place.warp_size << ", lane " << place.lane << " of warp " << place.warp;
}

class PlaceOf : public testing::TestWithParam<Place> {};

// Blocks of 5 x 3 x 4 = 60 threads: thread t is (t mod 5, t / 5 mod 3, t / 15).
TEST_P(PlaceOf, follows_from_the_threads_number_in_its_block) {
  OneBlock block(std::string("mov.u32 %r0, %") + GetParam().name + ";", {5, 3, 4}, GetParam().warp_size);
  block.start();
  EXPECT_EQ(block.result(GetParam().warp, GetParam().lane), GetParam().value);
}

const Place kPlaces[] = {
    {"tid.x", 32, 1, 27, 4},   {"tid.y", 32, 1, 27, 2},        {"tid.z", 32, 1, 27, 3},
    {"tid.x", 32, 1, 0, 2},    {"tid.y", 32, 1, 0, 0},         {"tid.z", 32, 1, 0, 2},
    {"tid.x", 64, 0, 59, 4},   {"tid.z", 64, 0, 32, 2},        {"tid.y", 8, 7, 3, 2},
    {"laneid", 64, 0, 33, 33}, {"laneid", 8, 7, 3, 3},         {"warpid", 8, 7, 3, 7},
    {"warpid", 64, 0, 59, 0},  {"nwarpid", 8, 0, 0, 8},        {"nwarpid", 64, 0, 40, 1},
    {"ntid.z", 8, 7, 0, 4},    {"lanemask_lt", 8, 1, 7, 0x7f}, {"lanemask_ge", 32, 0, 31, 0x80000000},
};
INSTANTIATE_TEST_SUITE_P(All, PlaceOf, testing::ValuesIn(kPlaces));

struct Grid {
  const char* name;
  std::uint32_t value;
};

void PrintTo(const Grid& grid, std::ostream* out) { *out << grid.name; }

class GridOf : public testing::TestWithParam<Grid> {};

// Block (6,4,2) of a grid of 7 x 5 x 3, on core 12 of 15, with 8 bytes of static shared memory; each block is a
// cluster.
TEST_P(GridOf, holds_what_the_isa_says_for_the_block) {
  OneBlock block(std::string("mov.u32 %r0, %") + GetParam().name + ";", {64, 1, 1}, 32);
  block.launch.grid_id = 9;
  block.launch.core_count = 15;
  block.launch.dynamic_shared_bytes = 40;
  block.start({1, 1, 1});
  block.start({6, 4, 2}, 12);
  EXPECT_EQ(block.result(1, 0), GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(All, GridOf,
                         testing::Values(Grid{"ctaid.x", 6}, Grid{"ctaid.y", 4}, Grid{"ctaid.z", 2},
                                         Grid{"nctaid.x", 7}, Grid{"nctaid.y", 5}, Grid{"nctaid.z", 3},
                                         Grid{"clusterid.y", 4}, Grid{"nclusterid.z", 3}, Grid{"cluster_nctaid.x", 1},
                                         Grid{"cluster_ctaid.x", 0}, Grid{"cluster_nctarank", 1}, Grid{"smid", 12},
                                         Grid{"nsmid", 15}, Grid{"gridid", 9}, Grid{"dynamic_smem_size", 40},
                                         Grid{"total_smem_size", 128}, Grid{"reserved_smem_offset_begin", 0},
                                         Grid{"reserved_smem_offset_end", 288}, Grid{"reserved_smem_offset_cap", 1024},
                                         Grid{"reserved_smem_offset_1", 0}));

// PTX ISA, "%gridid": .u64 since 3.0; "32-bit mov … may be used to read the lower … 32 bits".
TEST(BlockContext, the_grids_number_is_read_by_either_width) {
  for (const auto& [body, high] : {std::pair{"mov.u64 %d0, %gridid;", 5u}, {"mov.u32 %r0, %gridid;", 9u}}) {
    OneBlock block(std::string(body) + "\nmov.u32 %r1, %gridid;\nmov.u64 %d1, %gridid;", {64, 1, 1}, 32);
    block.launch.grid_id = 0x500000009;
    block.start();
    EXPECT_EQ(block.result(1, 0), 9u);
    EXPECT_EQ(block.result(1, 1), high) << "the upper half of lane 0, or the next lane";
  }
}

TEST(BlockContext, clocks_have_a_low_and_a_high_half) {
  OneWarp warp(
      "mov.u32 %r1, %clock;\nmov.u32 %r2, %clock_hi;\nmov.u64 %d1, %globaltimer;\nmov.u32 %r3, %globaltimer_lo;\n"
      "mov.u32 %r4, %globaltimer_hi;");
  warp.warp().clock = 0x500000007;
  warp.run();
  EXPECT_EQ(warp.lane("%r1", 30), 7u);
  EXPECT_EQ(warp.lane("%r2", 30), 5u);
  EXPECT_EQ(warp.lane64("%d1", 30), 0x500000007u);
  EXPECT_EQ(warp.lane("%r3", 30), 7u);
  EXPECT_EQ(warp.lane("%r4", 30), 5u);
}

TEST(BlockContext, the_next_block_begins_with_zeros) {
  OneBlock block("add.u32 %r0, %r0, 1;", {32, 1, 1}, 32);
  BlockContext& context = block.start();
  WarpContext& warp = context.warp(0);
  EXPECT_EQ(block.result(0, 3), 1u);
  warp.memory.shared[7] = warp.memory.local[127] = std::byte{9};
  warp.predicates[0] = 5;
  warp.live = RowLanes();
  block.start({1, 0, 0});
  EXPECT_EQ(context.index(), (Dim3{1, 0, 0}));
  EXPECT_EQ(warp.memory.shared[7], std::byte{0});
  EXPECT_EQ(warp.memory.local[127], std::byte{0});
  EXPECT_EQ(warp.predicates[0], 0u);
  EXPECT_TRUE(warp.live.full());
  EXPECT_EQ(block.result(0, 3), 1u);
}

TEST(BlockContext, errors_name_the_thread_of_either_row) {
  OneBlock line("trap;", {100, 1, 1}, 64), square("trap;", {10, 10, 1}, 64), narrow("trap;", {20, 1, 1}, 8);
  EXPECT_EQ(thread_of(line.start().warp(1, 1), 2), (Dim3{98, 0, 0}));
  EXPECT_EQ(thread_of(square.start().warp(1, 1), 3), (Dim3{9, 9, 0}));
  EXPECT_EQ(thread_of(narrow.start().warp(2), 1), (Dim3{17, 0, 0}));
}

TEST(BlockContext, warps_have_1_to_64_threads) {
  for (const unsigned good : {1u, 31u, 64u}) EXPECT_EQ(OneBlock("trap;", {8, 1, 1}, good).fault(), "") << good;
  for (const unsigned bad : {0u, 65u})
    EXPECT_EQ(OneBlock("trap;", {8, 1, 1}, bad).fault(),
              "kernel 'k': warps of " + std::to_string(bad) + " threads; 1 to 64 are supported");
}

TEST(BlockContext, a_barrier_for_all_threads_of_the_block_names_no_number) {
  OneBlock block("bar.arrive 2, %r0;", {50, 1, 1}, 32);
  WarpContext& warp = block.start().warp(1);
  const auto with = [&](std::uint32_t threads) {
    for (unsigned lane = 0; lane < kRowLanes; ++lane)
      std::memcpy(warp.registers + block.first().operand[2] + lane * 4, &threads, 4);
    return arrival_of(block.first(), warp, warp.live).threads;
  };
  EXPECT_EQ(with(32), 32u);
  EXPECT_EQ(with(64), 0u) << "two warps, the second not full";
  EXPECT_THROW(with(96), Error);
  EXPECT_THROW(with(50), Error);
}

// PTX ISA, "bar": the number of threads is a multiple of the warp size.
TEST(BlockContext, a_barrier_of_wide_warps_counts_whole_ones) {
  const auto threads = [](const char* body) {
    OneBlock block(body, {100, 1, 1}, 64);
    return arrival_of(block.first(), block.start().warp(0), RowLanes::first(32)).threads;
  };
  EXPECT_EQ(threads("bar.sync 1, 64;"), 64u);
  EXPECT_EQ(threads("bar.sync 1, 128;"), 0u) << "all of the block";
  EXPECT_THAT([&] { threads("bar.sync 1, 96;"); },
              testing::ThrowsMessage<Error>(
                  AllOf(HasSubstr("a barrier for 96 threads"), HasSubstr("a multiple of 64 up to 128 is allowed"))));
}

class LaneWord : public testing::TestWithParam<const char*> {};

TEST_P(LaneWord, is_refused_where_warps_are_wider_than_a_word) {
  OneBlock block(GetParam(), {64, 1, 1}, 64);
  EXPECT_THAT(block.fault(), AllOf(StartsWith("block.ptx:11: error: kernel 'k': '"), HasSubstr("have 32 places"),
                                   HasSubstr("this machine's warps have 64 threads\n  run it on a machine whose "
                                             "core.warp_size is at most 32")));
  for (const unsigned narrow : {8u, 32u}) {
    block.launch.warp_size = narrow;
    EXPECT_EQ(block.fault(), "");
  }
}

INSTANTIATE_TEST_SUITE_P(All, LaneWord,
                         testing::Values("vote.sync.any.pred %p0, %p1, -1;", "vote.ballot.b32 %r0, %p1;",
                                         "shfl.sync.idx.b32 %r0, %r1, 0, 31, -1;", "match.any.sync.b32 %r0, %r1, -1;",
                                         "redux.sync.add.u32 %r0, %r1, -1;", "activemask.b32 %r0;",
                                         "elect.sync %r0|%p0, -1;", "bar.warp.sync -1;", "mov.u32 %r0, %lanemask_eq;",
                                         "cvt.u64.u32 %d0, %lanemask_gt;",
                                         "mov.v2.u32 {%r0, %r1}, {%r0, %lanemask_le};"));

TEST(BlockContext, matrices_are_refused_where_threads_have_other_lanes) {
  OneBlock block("movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;", {64, 1, 1}, 32);
  EXPECT_EQ(block.fault(), "");
  block.launch.lane_permutation = LanePermutation::Xor;
  EXPECT_EQ(
      block.fault(),
      "block.ptx:11: error: kernel 'k': 'movmatrix.sync.aligned.m8n8.trans.b16' takes matrices of which 32 threads "
      "hold a part each; this machine's threads have other lanes than those of their numbers\n  run it with "
      "divergence.lane_permutation=identity");
}

TEST(BlockContext, kernels_without_words_of_lanes_run_in_wide_warps) {
  EXPECT_EQ(OneBlock("bar.sync 0;\nmov.u32 %r0, %laneid;\nmov.u32 %r1, %warpid;", {64, 1, 1}, 64).fault(), "");
}

}  // namespace block_context_test
}  // namespace warpfork::simt
