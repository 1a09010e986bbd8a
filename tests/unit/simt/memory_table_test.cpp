// Every atomic operation and every extension of a load, a line each (PTX ISA, "atom", "ld"), and what special registers
// hold (PTX ISA, "Special Registers").
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "one_warp.h"

namespace warpfork::simt {
namespace memory_table_test {

/// Runs the body on lane 0 with %d1 the address of a buffer that begins with `word`, and returns the warp.
std::unique_ptr<OneWarp> on_word(const std::string& body, std::uint64_t word) {
  auto warp = std::make_unique<OneWarp>(body);
  const std::uint64_t address = warp->memory().allocate(64, "word");
  std::memcpy(warp->memory().find(address, 8), &word, 8);
  warp->set64("%d1", address);
  warp->run(RowLanes::first(1));
  return warp;
}

std::uint64_t word_of(OneWarp& warp) {
  std::uint64_t word = 0;
  std::memcpy(&word, warp.memory().find(DeviceMemory::kBase, 8), 8);
  return word;
}

struct Atomic {
  const char* operation;  // with its type
  std::uint32_t before;
  const char* operands;
  std::uint32_t after;
};

void PrintTo(const Atomic& atomic, std::ostream* out) { *out << atomic.operation << " of " << atomic.before; }

class AtomicOf : public testing::TestWithParam<Atomic> {};

TEST_P(AtomicOf, leaves_the_new_value_and_gives_the_old_one) {
  const Atomic& atomic = GetParam();
  const auto warp =
      on_word(fmt::format("atom.global.{} %r0, [%d1], {};", atomic.operation, atomic.operands), atomic.before);
  EXPECT_EQ(static_cast<std::uint32_t>(word_of(*warp)), atomic.after);
  EXPECT_EQ(warp->lane("%r0"), atomic.before);
}

std::uint32_t lane_0(const std::string& body, const char* name) {
  OneWarp warp(body);
  warp.run(RowLanes::first(1));
  return warp.lane(name);
}

TEST_P(AtomicOf, does_the_same_to_shared_memory_by_its_own_and_by_generic_addresses) {
  const Atomic& atomic = GetParam();
  const std::string before =
      fmt::format(".shared .align 4 .b8 s[4];\nst.shared.u32 [s], {:#x};\nmov.u64 %d1, s;\n", atomic.before);
  for (const char* access : {"atom.shared.{} %r0, [s], {};", "cvta.shared.u64 %d1, %d1;\natom.{} %r0, [%d1], {};"}) {
    const std::string body = before + fmt::format(fmt::runtime(access), atomic.operation, atomic.operands);
    EXPECT_EQ(lane_0(body + "\nld.shared.u32 %r2, [s];", "%r2"), atomic.after) << body;
    EXPECT_EQ(lane_0(body, "%r0"), atomic.before) << body;
  }
}

const Atomic kAtomics[] = {
    {"add.u32", 0xffffffff, "2", 1},
    {"add.s32", 5, "-7", 0xfffffffe},
    {"add.f32", 0x3f800000, "0f3F800000", 0x40000000},
    {"min.u32", 0xffffffff, "2", 2},
    {"min.s32", 0xffffffff, "2", 0xffffffff},
    {"max.u32", 0xffffffff, "2", 0xffffffff},
    {"max.s32", 0xffffffff, "2", 2},
    {"and.b32", 0xff, "0x0f0", 0xf0},
    {"or.b32", 0x0f, "0xf0", 0xff},
    {"xor.b32", 0xff, "0x0f", 0xf0},
    {"exch.b32", 7, "9", 9},
    {"inc.u32", 2, "3", 3},
    {"inc.u32", 3, "3", 0},
    {"inc.u32", 4, "3", 0},
    {"dec.u32", 3, "3", 2},
    {"dec.u32", 0, "3", 3},
    {"dec.u32", 4, "3", 3},
    {"cas.b32", 7, "7, 9", 9},
    {"cas.b32", 8, "7, 9", 8},
};
INSTANTIATE_TEST_SUITE_P(All, AtomicOf, testing::ValuesIn(kAtomics));

TEST(Atomics, red_changes_memory_as_atom_does) {
  for (const Atomic& atomic : kAtomics) {
    const std::string operation = atomic.operation;
    if (operation.starts_with("cas") || operation.starts_with("exch")) continue;  // red has neither
    const auto warp = on_word(fmt::format("red.global.{} [%d1], {};", operation, atomic.operands), atomic.before);
    EXPECT_EQ(word_of(*warp), atomic.after) << operation;
  }
}

struct Atomic64 {
  const char* operation;
  std::uint64_t before;
  const char* operands;
  std::uint64_t after;
};

void PrintTo(const Atomic64& atomic, std::ostream* out) { *out << atomic.operation << " of " << atomic.before; }

class AtomicOf64 : public testing::TestWithParam<Atomic64> {};

TEST_P(AtomicOf64, leaves_the_new_value_and_gives_the_old_one) {
  const Atomic64& atomic = GetParam();
  const auto warp =
      on_word(fmt::format("atom.global.{} %d0, [%d1], {};", atomic.operation, atomic.operands), atomic.before);
  EXPECT_EQ(word_of(*warp), atomic.after);
  EXPECT_EQ(warp->lane64("%d0"), atomic.before);
}

constexpr std::uint64_t kMinus1 = ~std::uint64_t{0};

const Atomic64 kAtomics64[] = {
    {"add.u64", 0xffffffff, "1", 0x100000000},
    {"add.u64", kMinus1, "2", 1},
    {"add.f64", 0x3ff0000000000000, "0d3FF0000000000000", 0x4000000000000000},
    {"add.f64", 1, "0d0000000000000001", 2},  // subnormals are kept
    {"min.s64", kMinus1, "0", kMinus1},
    {"min.u64", kMinus1, "0", 0},
    {"max.s64", kMinus1, "0x100000000", 0x100000000},
    {"max.u64", kMinus1, "0x100000000", kMinus1},
    {"and.b64", 0xff000000ff, "0xf0000000f0", 0xf0000000f0},
    {"or.b64", 0xf00000000, "0x0f", 0xf0000000f},
    {"xor.b64", kMinus1, "1", kMinus1 - 1},
    {"exch.b64", 5, "-1", kMinus1},
    {"cas.b64", 0x700000000, "0x700000000, 9", 9},
    {"cas.b64", 0x700000001, "0x700000000, 9", 0x700000001},
};
INSTANTIATE_TEST_SUITE_P(All, AtomicOf64, testing::ValuesIn(kAtomics64));

TEST(Atomics, cas_of_16_bits_leaves_the_bytes_beside_it) {
  EXPECT_EQ(word_of(*on_word("mov.b16 %h1, 7;\nmov.b16 %h2, 9;\natom.global.cas.b16 %h0, [%d1+2], %h1, %h2;",
                             0xffff0007ffff)),
            0xffff0009ffffu);
}

// A number wins against NaN (0x7e00, 0x7fc0), -0 is below +0.
TEST(Atomics, halves_have_minima_and_maxima) {
  const auto after = [](const char* operation, std::uint64_t before, std::uint32_t operand) {
    return word_of(*on_word(fmt::format("mov.b32 %r1, {};\nred.global.{} [%d1], %r1;", operand, operation), before));
  };
  EXPECT_EQ(after("min.noftz.f16x2", 0x3c00bc00, 0x40004000), 0x3c00bc00u);
  EXPECT_EQ(after("max.noftz.f16x2", 0x3c00bc00, 0x40007e00), 0x4000bc00u);
  EXPECT_EQ(after("min.noftz.bf16x2", 0x00007fc0, 0x80003f80), 0x80003f80u);
  EXPECT_EQ(after("max.noftz.bf16x2", 0x7fc00000, 0x7fc08000), 0x7fff0000u);
}

// PTX ISA, "atom": atom.add.f32 flushes subnormal operands and results in global memory and keeps them in shared
// memory.
TEST(Atomics, sums_of_single_precision_flush_subnormals_in_global_memory_only) {
  for (const char* global : {"atom.global.add.f32 %r0, [%d1], 0f00000001;", "atom.add.f32 %r0, [%d1], 0f00000001;"}) {
    EXPECT_EQ(word_of(*on_word(global, 0x80000003)), 0u) << global;
    EXPECT_EQ(word_of(*on_word(global, 0x00800000)), 0x00800000u) << global;
  }
  for (const char* shared : {"atom.shared.add.f32 %r0, [s], %r1;", "atom.add.f32 %r0, [%d1], %r1;",
                             "red.shared.add.f32 [s], %r1;", "red.add.f32 [%d1], %r1;"})
    EXPECT_EQ(lane_0(fmt::format(".shared .align 4 .b8 s[4];\nmov.u64 %d1, s;\ncvta.shared.u64 %d1, %d1;\n"
                                 "st.shared.u32 [s], 3;\nmov.u32 %r1, 1;\n{}\nld.shared.u32 %r2, [s];",
                                 shared),
                     "%r2"),
              4u)
        << shared;
}

struct Load {
  const char* type;
  std::uint64_t memory;
  std::uint64_t in_32_bits, in_64_bits;  // what a register of that width holds
};

void PrintTo(const Load& load, std::ostream* out) { *out << load.type; }

class LoadOf : public testing::TestWithParam<Load> {};

TEST_P(LoadOf, extends_by_its_type_to_the_registers_width) {
  const Load& load = GetParam();
  const auto warp =
      on_word(fmt::format("ld.global.{0} %r0, [%d1];\nld.global.{0} %d0, [%d1];", load.type), load.memory);
  EXPECT_EQ(warp->lane("%r0"), load.in_32_bits);
  EXPECT_EQ(warp->lane64("%d0"), load.in_64_bits);
}

const Load kLoads[] = {
    {"u8", 0xfff0, 0xf0, 0xf0},
    {"s8", 0xfff0, 0xfffffff0, 0xfffffffffffffff0},
    {"b8", 0xfff0, 0xf0, 0xf0},
    {"u16", 0xffff8000, 0x8000, 0x8000},
    {"s16", 0xffff8000, 0xffff8000, 0xffffffffffff8000},
    {"b16", 0xffff8000, 0x8000, 0x8000},
    {"u32", 0xff80000000, 0x80000000, 0x80000000},
    {"s32", 0xff80000000, 0x80000000, 0xffffffff80000000},
    {"b32", 0xff80000000, 0x80000000, 0x80000000},
    {"f32", 0xffbf800000, 0xbf800000, 0xbf800000},
};
INSTANTIATE_TEST_SUITE_P(All, LoadOf, testing::ValuesIn(kLoads));

struct Store {
  const char* instruction;  // of %r1 = 0x89abcdef or %d2 = 0x0123456789abcdef into zeros
  std::uint64_t memory;
};

void PrintTo(const Store& store, std::ostream* out) { *out << store.instruction; }

class StoreOf : public testing::TestWithParam<Store> {};

TEST_P(StoreOf, writes_its_bytes_and_no_more) {
  const auto warp =
      on_word(fmt::format("mov.u32 %r1, 0x89abcdef;\nmov.u64 %d2, 0x0123456789abcdef;\n{}", GetParam().instruction), 0);
  EXPECT_EQ(word_of(*warp), GetParam().memory);
}

const Store kStores[] = {
    {"st.global.u8 [%d1], %r1;", 0xef},
    {"st.global.u16 [%d1+2], %r1;", 0xcdef0000},
    {"st.global.u32 [%d1+4], %r1;", 0x89abcdef00000000},
    {"st.global.u32 [%d1], %d2;", 0x89abcdef},
    {"st.global.b64 [%d1], %d2;", 0x0123456789abcdef},
    {"st.global.v2.u8 [%d1], {%r1, 7};", 0x07ef},
    {"st.global.v2.u32 [%d1], {%r1, 1};", 0x189abcdef},
    {"st.global.v4.u16 [%d1], {1, 2, 3, 4};", 0x0004000300020001},
    {"st.u32 [%d1], -1;", 0xffffffff},
};
INSTANTIATE_TEST_SUITE_P(All, StoreOf, testing::ValuesIn(kStores));

struct Special {
  const char* name;
  std::uint32_t lane_0, lane_5;
};

void PrintTo(const Special& special, std::ostream* out) { *out << special.name; }

class SpecialOf : public testing::TestWithParam<Special> {};

// One block of 32 threads in x, one core.
TEST_P(SpecialOf, holds_what_the_isa_says_for_the_lane) {
  OneWarp warp(fmt::format("mov.u32 %r0, %{};", GetParam().name));
  warp.run();
  EXPECT_EQ(warp.lane("%r0", 0), GetParam().lane_0);
  EXPECT_EQ(warp.lane("%r0", 5), GetParam().lane_5);
}

const Special kSpecials[] = {
    {"tid.x", 0, 5},
    {"tid.y", 0, 0},
    {"ntid.x", 32, 32},
    {"ntid.z", 1, 1},
    {"ctaid.x", 0, 0},
    {"nctaid.y", 1, 1},
    {"laneid", 0, 5},
    {"warpid", 0, 0},
    {"nwarpid", 1, 1},
    {"nsmid", 1, 1},
    {"smid", 0, 0},
    {"lanemask_eq", 1, 0x20},
    {"lanemask_lt", 0, 0x1f},
    {"lanemask_le", 1, 0x3f},
    {"lanemask_ge", 0xffffffff, 0xffffffe0},
    {"lanemask_gt", 0xfffffffe, 0xffffffc0},
    {"dynamic_smem_size", 0, 0},
};
INSTANTIATE_TEST_SUITE_P(All, SpecialOf, testing::ValuesIn(kSpecials));

}  // namespace memory_table_test
}  // namespace warpfork::simt
