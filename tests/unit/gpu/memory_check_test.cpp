// What a launch reads and nobody has written is found, and nothing else (docs/checks.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gpu/code_options.h"
#include "unit/gpu/gtx480_spec.h"
#include "unit/gpu/kernel.h"

namespace warpfork::gpu {
namespace memory_check_test {

using report::Finding;
using ::testing::HasSubstr;

constexpr Dim3 kOne{1, 1, 1}, kWarp{32, 1, 1};

/// `out` counts as not written. Timed and functional runs find the same.
std::vector<Finding> reads(Kernel kernel, const MachineSpec& spec = one_core()) {
  LaunchOptions options;
  options.check_memory = true;
  kernel.launch().memory->watch();
  std::vector<Finding> timed = kernel.run(spec, options).findings.list;
  options.functional_only = true;
  kernel.launch().memory->watch();
  const std::vector<Finding> functional = kernel.run(spec, options).findings.list;
  EXPECT_EQ(timed.size(), functional.size());
  for (std::size_t i = 0; i < timed.size() && i < functional.size(); ++i)
    EXPECT_EQ(timed[i].count, functional[i].count);
  return timed;
}

Kernel kernel_of(const std::string& body, Dim3 grid = kOne, Dim3 block = kOne, std::string_view module = "") {
  return {body + "\nret;", grid, block, 4096, module};
}

TEST(MemoryCheck, finds_nothing_where_nobody_asks) {
  EXPECT_TRUE(kernel_of("ld.global.u32 %r3, [%mine];").run(one_core()).findings.empty());
}

// Of eight rows of 16 bytes the last is not written; neither is what the other lanes' addresses name, which count for
// nothing.
TEST(MemoryCheck, knows_which_lanes_address_rows_of_matrices) {
  const std::string body =
      "mov.u32 %r1, rows;\nmad.lo.u32 %r2, %thread, 16, %r1;\nsetp.lt.u32 %p0, %thread, 7;\n"
      "@%p0 st.shared.v4.u32 [%r2], {%r1, %r1, %r1, %r1};\nsetp.lt.u32 %p0, %thread, 8;\n"
      "@!%p0 add.u32 %r2, %r1, 256;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 %r3, [%r2];";
  const std::vector<Finding> found = reads(kernel_of(body, kOne, kWarp, ".shared .align 16 .b8 rows[512];"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].count, 1u);
}

// Thread 37 of 64 does not write its word: thread 5 of block 1 of 32 threads. The body begins in line 17.
TEST(MemoryCheck, names_line_block_thread_address_and_allocation) {
  const std::vector<Finding> found =
      reads(kernel_of("setp.ne.u32 %p0, %thread, 37;\n@%p0 st.global.u32 [%mine], 1;\n"
                      "ld.global.u32 %r3, [%mine];",
                      {2, 1, 1}, kWarp));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, "uninitialised");
  EXPECT_EQ(found[0].space, "global");
  EXPECT_EQ(found[0].count, 1u);
  EXPECT_EQ(found[0].second.access, "read");
  EXPECT_EQ(found[0].second.ptx_line, 19u);
  EXPECT_THAT(found[0].second.block, ::testing::ElementsAre(1, 0, 0));
  EXPECT_THAT(found[0].second.thread, ::testing::ElementsAre(5, 0, 0));
  EXPECT_EQ(found[0].allocation.name, "out");
  EXPECT_EQ(found[0].allocation.bytes, 16384u);
  EXPECT_EQ(found[0].allocation.offset, 37u * 4);
  EXPECT_TRUE(found[0].first.empty());
}

TEST(MemoryCheck, counts_the_threads_of_an_instruction_in_one_finding) {
  const std::vector<Finding> found = reads(kernel_of("ld.global.u32 %r3, [%mine];", {2, 1, 1}, kWarp));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].count, 64u);
}

TEST(MemoryCheck, tells_bytes_of_a_word_apart) {
  const std::string byte = "st.global.u8 [%out+4], 1;\n";
  EXPECT_TRUE(reads(kernel_of(byte + "ld.global.u8 %r3, [%out+4];")).empty());
  const std::vector<Finding> word = reads(kernel_of(byte + "ld.global.u32 %r3, [%out+4];"));
  ASSERT_EQ(word.size(), 1u);
  EXPECT_EQ(word[0].allocation.offset, 5u);
}

// Of a pair whose first element alone is written.
TEST(MemoryCheck, takes_those_elements_of_a_vector_for_read_that_are_used) {
  const auto pair = [](const std::string& use) {
    return kernel_of("st.global.u32 [%out], 1;\nld.global.v2.u32 {%r3, %r4}, [%out];\n" + use);
  };
  EXPECT_TRUE(reads(pair("st.global.u32 [%out+8], %r3;")).empty());
  const std::vector<Finding> both = reads(pair("add.u32 %r3, %r3, %r4;\nst.global.u32 [%out+8], %r3;"));
  ASSERT_EQ(both.size(), 1u);
  EXPECT_EQ(both[0].allocation.offset, 4u);
}

// As a volatile load is.
TEST(MemoryCheck, takes_a_vector_of_which_nothing_is_used_for_read) {
  EXPECT_EQ(reads(kernel_of("ld.volatile.global.v2.u32 {%r3, %r4}, [%out];")).size(), 1u);
}

// Both blocks run in the same place, one after the other.
TEST(MemoryCheck, takes_shared_memory_for_unwritten_when_a_block_starts) {
  const auto tile = [](const char* guard) {
    return kernel_of("setp.eq.u32 %p0, %r0, 0;\nmov.u32 %r5, tile;\n" + std::string(guard) +
                         "st.shared.u32 [%r5+4], 7;\nld.shared.u32 %r3, [%r5+4];\nst.global.u32 [%mine], %r3;",
                     {2, 1, 1}, kOne, ".shared .b8 tile[64];");
  };
  MachineSpec spec = one_core();
  spec.core.blocks = 1;
  EXPECT_TRUE(reads(tile(""), spec).empty());
  const std::vector<Finding> found = reads(tile("@%p0 "), spec);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].space, "shared");
  EXPECT_EQ(found[0].address, 4u);
  EXPECT_THAT(found[0].second.block, ::testing::ElementsAre(1, 0, 0));
  EXPECT_TRUE(found[0].allocation.empty());
}

TEST(MemoryCheck, knows_the_local_memory_of_each_thread) {
  const auto own = [](const char* guard) {
    return kernel_of(".local .align 4 .b8 mine[16];\nsetp.ne.u32 %p0, %thread, 3;\n" + std::string(guard) +
                         "st.local.u32 [mine+8], 7;\nld.local.u32 %r3, [mine+8];",
                     kOne, kWarp);
  };
  EXPECT_TRUE(reads(own("")).empty());
  const std::vector<Finding> found = reads(own("@%p0 "));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].space, "local");
  EXPECT_EQ(found[0].count, 1u);
  EXPECT_THAT(found[0].second.thread, ::testing::ElementsAre(3, 0, 0));
}

// Behind variables of shared and of local memory, before others and at the end.
TEST(MemoryCheck, takes_no_padding_for_unwritten_but_the_variable_before_it) {
  const auto found = [](const char* store) {
    return reads(kernel_of(".local .align 4 .b8 mine[3];\n.local .align 8 .b8 last[5];\n" + std::string(store) +
                               "mov.u32 %r5, 0;\nst.shared.u8 [tile], %r5;\nst.local.u8 [last+4], %r5;\n"
                               "st.local.u8 [mine+2], %r5;\nld.local.u16 %r3, [mine+2];\n"
                               "ld.local.u32 %r3, [last+4];\nld.shared.u32 %r3, [tile];",
                           kOne, kWarp, ".shared .align 4 .b8 tile[2];"));
  };
  EXPECT_TRUE(found("st.shared.u8 [tile+1], 7;\n").empty());
  ASSERT_EQ(found("").size(), 1u);
  EXPECT_EQ(found("")[0].address, 1u);
}

/// Threads with an even number use global memory, those with an odd one shared memory, by the same instructions.
Kernel both_memories(const char* offset) {
  return kernel_of(
      "mov.u32 %r5, tile;\ncvta.shared.u64 %d1, %d1;\nmov.u64 %d1, tile;\ncvta.shared.u64 %d1, %d1;\n"
      "and.b32 %r3, %thread, 1;\nsetp.eq.u32 %p0, %r3, 0;\nselp.b64 %d2, %out, %d1, %p0;\n"
      "add.u64 %d2, %d2, %offset;\nst.u32 [%d2], 7;\nld.u32 %r4, [%d2+" +
          std::string(offset) + "];",
      kOne, kWarp, ".shared .align 8 .b8 tile[512];");
}

TEST(MemoryCheck, follows_generic_addresses_into_both_memories) {
  EXPECT_TRUE(reads(both_memories("0")).empty());
  const std::vector<Finding> found = reads(both_memories("128"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].space, "global");
  EXPECT_EQ(found[1].space, "shared");
  EXPECT_EQ(found[0].count + found[1].count, 32u);
}

TEST(MemoryCheck, takes_an_atomic_for_a_read_but_an_exchange) {
  const std::vector<Finding> found =
      reads(kernel_of("atom.global.add.u32 %r3, [%out], 1;\nred.global.add.u32 [%out], 1;"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].second.access, "atomic");
  EXPECT_TRUE(reads(kernel_of("atom.global.exch.b32 %r3, [%out], 1;\nld.global.u32 %r3, [%out];")).empty());
}

TEST(MemoryCheck, leaves_memory_alone_that_is_not_watched) {
  const Kernel kernel = kernel_of("ld.global.u32 %r3, [%mine];");
  LaunchOptions options;
  options.check_memory = true;
  const report::Findings found = kernel.run(one_core(), options).findings;
  EXPECT_THAT(found.checks, ::testing::ElementsAre("memory"));
  EXPECT_TRUE(found.list.empty());
}

// Where a guard is false what was there is read and written back.
TEST(MemoryCheck, leaves_alone_what_the_register_allocation_spills) {
  MachineSpec spec = one_core();
  spec.core.register_allocation = "colouring";
  spec.core.registers_per_thread_limit = 8;
  std::string body = "setp.eq.u32 %p0, %thread, 0;\n", sum;
  for (int i = 5; i < 20; ++i) {
    body += "@%p0 mov.u32 %r" + std::to_string(i) + ", %clock;\n";
    sum += "add.u32 %r2, %r2, %r" + std::to_string(i) + ";\n";
  }
  Kernel kernel(body + "mov.u32 %r2, 0;\n" + sum + "st.global.u32 [%mine], %r2;\nret;", kOne, kWarp, 64, "",
                code_options(spec));
  ASSERT_GT(kernel.program().allocation->spill_bytes, 0u);
  EXPECT_TRUE(reads(std::move(kernel), spec).empty());
}

TEST(MemoryCheck, is_named_by_the_failure_that_it_led_to) {
  Kernel kernel = kernel_of("ld.global.u32 %r3, [%out];\nld.global.u32 %r4, [%out+16384];");
  kernel.launch().memory->watch();
  LaunchOptions options;
  EXPECT_THAT(kernel.error(one_core(), options), ::testing::Not(HasSubstr("nobody had written")));
  options.check_memory = true;
  EXPECT_THAT(kernel.error(one_core(), options),
              HasSubstr("\n    bytes that nobody had written were read before: global at PTX line 17"));
}

}  // namespace memory_check_test
}  // namespace warpfork::gpu
