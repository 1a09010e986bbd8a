// Loads and stores of every type in every space, however the lanes' addresses lie to one another (PTX ISA, "ld", "st",
// "Operand Size Exceeding Instruction-Type Size"); what is expected is computed by C++'s own integer conversions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "base/error.h"
#include "one_warp.h"
#include "simt/memory_fault.h"

namespace warpfork::simt {
namespace access_pattern_test {

using testing::HasSubstr;

constexpr unsigned kBytes = 4096;  // of the memory that is accessed

struct Space {
  const char* name;
  const char* words;    // behind ld and st
  const char* address;  // puts the memory's address into %d1
  bool is_per_thread;
};

const Space kSpaces[] = {
    {"global", ".global", "", false},
    {"generic to global", "", "", false},
    {"shared", ".shared", "mov.u64 %d1, s;\n", false},
    {"generic to shared", "", "mov.u64 %d1, s;\ncvta.shared.u64 %d1, %d1;\n", false},
    {"local", ".local", "mov.u64 %d1, l;\n", true},
    {"generic to local", "", "mov.u64 %d1, l;\ncvta.local.u64 %d1, %d1;\n", true},
};

struct Type {
  const char* name;
  unsigned bytes;
  std::uint64_t (*extended)(std::uint64_t);  // what a load makes of its lowest bits
};

template <typename T>
std::uint64_t extended(std::uint64_t value) {
  return static_cast<std::uint64_t>(static_cast<T>(value));
}

const Type kTypes[] = {{"u8", 1, extended<std::uint8_t>},   {"s8", 1, extended<std::int8_t>},
                       {"b8", 1, extended<std::uint8_t>},   {"u16", 2, extended<std::uint16_t>},
                       {"s16", 2, extended<std::int16_t>},  {"u32", 4, extended<std::uint32_t>},
                       {"s32", 4, extended<std::int32_t>},  {"f32", 4, extended<std::uint32_t>},
                       {"u64", 8, extended<std::uint64_t>}, {"f64", 8, extended<std::uint64_t>}};

/// The lane accesses the element lane · scale + first, the upper sixteen lanes another so many elements further on.
struct Pattern {
  const char* name;
  int scale, first, apart = 0;

  int element(unsigned lane) const { return static_cast<int>(lane) * scale + first + (lane < 16 ? 0 : apart); }
};

const Pattern kPatterns[] = {{"consecutive", 1, 0},    {"backwards", -1, 31},
                             {"here and there", 3, 5}, {"uniform", 0, 7},
                             {"two rows", 1, 0, 24},   {"two rows, upper first", 1, 24, -40},
                             {"two places", 0, 7, 9},  {"one row twice", 1, 0, -16}};

/// What lane i stores: all bytes differ, the top bits of each are set.
std::uint64_t stored(unsigned lane) { return 0xf1e2d3c4b5a69780 + lane; }

/// Whose value a lane reads that all these have stored: where some write to one place, it is the highest's.
unsigned writer(const Space& space, const Pattern& pattern, RowLanes lanes, unsigned lane) {
  unsigned last = lane;
  if (!space.is_per_thread)
    lanes.for_each([&](unsigned other) { last = pattern.element(other) == pattern.element(lane) ? other : last; });
  return last;
}

/// A warp with %d1 at zeroed memory of the space and %d2 at the element of the pattern; %d3 is what the lane stores.
std::unique_ptr<OneWarp> warp_in(const Space& space, unsigned bytes, const Pattern& pattern, const std::string& body) {
  auto warp = std::make_unique<OneWarp>(
      fmt::format(".shared .align 16 .b8 s[{0}];\n.local .align 16 .b8 l[{0}];\n{1}"
                  "mov.u32 %r8, %laneid;\ncvt.u64.u32 %d3, %r8;\nadd.u64 %d3, %d3, {2:#x};\n"
                  "mad.lo.s32 %r9, %r8, {3}, {4};\nshr.u32 %r8, %r8, 4;\nmad.lo.s32 %r9, %r8, {5}, %r9;\n"
                  "mad.wide.s32 %d2, %r9, {6}, %d1;\n{7}",
                  kBytes, space.address, stored(0), pattern.scale, pattern.first, pattern.apart, bytes, body));
  warp->set64("%d1", warp->memory().allocate(kBytes, "memory"));
  return warp;
}

void PrintTo(const Space& space, std::ostream* out) { *out << space.name; }
void PrintTo(const Type& type, std::ostream* out) { *out << type.name; }

class PatternedAccess : public testing::TestWithParam<std::tuple<Space, Type>> {};

TEST_P(PatternedAccess, stores_and_loads_the_lanes_own_element_in_every_pattern) {
  const auto& [space, type] = GetParam();
  for (const Pattern& pattern : kPatterns)
    for (const RowLanes lanes :
         {RowLanes::first(32), RowLanes(0x00f0ff02), RowLanes(0x7001ffff), RowLanes(0x80), RowLanes(0x80010081),
          RowLanes(0x80010181), RowLanes(0x0000ffff), RowLanes(0xffff0000), RowLanes(0x3f000000)}) {
      const auto warp = warp_in(space, type.bytes, pattern,
                                fmt::format("st{0}.{1} [%d2], %d3;\nld{0}.{1} %d0, [%d2];", space.words, type.name));
      warp->set64("%d0", 7);
      warp->run(lanes);
      for (unsigned lane = 0; lane < 32; ++lane) {
        const std::uint64_t value = type.extended(stored(writer(space, pattern, lanes, lane)));
        EXPECT_EQ(warp->lane64("%d0", lane), lanes.contains(lane) ? value : 7)
            << pattern.name << " lane " << lane << " of " << fmt::format("{:#x}", lanes.bits());
      }
    }
}

TEST_P(PatternedAccess, by_registers_of_32_bits_extends_to_these) {
  const auto& [space, type] = GetParam();
  if (type.bytes == 8) return;
  for (const Pattern& pattern : kPatterns) {
    const auto warp = warp_in(
        space, type.bytes, pattern,
        fmt::format("cvt.u32.u64 %r1, %d3;\nst{0}.{1} [%d2], %r1;\nld{0}.{1} %r0, [%d2];", space.words, type.name));
    warp->run();
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned from = writer(space, pattern, RowLanes::first(32), lane);
      EXPECT_EQ(warp->lane("%r0", lane), static_cast<std::uint32_t>(type.extended(stored(from)))) << pattern.name;
    }
  }
}

// Elements of four follow one another: the first at the address.
TEST_P(PatternedAccess, takes_vectors_apart_in_the_order_of_addresses) {
  const auto& [space, type] = GetParam();
  const auto warp = warp_in(space, 4 * type.bytes, {"consecutive", 1, 0},
                            fmt::format("add.u64 %d4, %d3, 64;\nadd.u64 %d5, %d3, 128;\nadd.u64 %d6, %d3, 192;\n"
                                        "st{0}.v4.{1} [%d2], {{%d3, %d4, %d5, %d6}};\n"
                                        "ld{0}.v2.{1} {{%d7, %d8}}, [%d2+{2}];\nld{0}.{1} %d9, [%d2+{3}];",
                                        space.words, type.name, 2 * type.bytes, type.bytes));
  warp->run(RowLanes(0xfffffffe));
  for (unsigned lane = 1; lane < 32; ++lane) {
    EXPECT_EQ(warp->lane64("%d9", lane), type.extended(stored(lane) + 64));
    EXPECT_EQ(warp->lane64("%d7", lane), type.extended(stored(lane) + 128));
    EXPECT_EQ(warp->lane64("%d8", lane), type.extended(stored(lane) + 192));
  }
}

INSTANTIATE_TEST_SUITE_P(All, PatternedAccess, testing::Combine(testing::ValuesIn(kSpaces), testing::ValuesIn(kTypes)));

/// Lane i's word i of constants 0x80 + i: bytes of a table in the module.
TEST(Access, constants_of_every_type_are_extended) {
  std::string bytes;
  for (unsigned i = 0; i < 32; ++i) bytes += fmt::format("{}0x{:x}, 0xff", i == 0 ? "" : ", ", 0x80 + i);
  for (const auto& [type, value] : std::map<std::string, std::uint64_t>{
           {"u8", 0x83}, {"s8", 0xffffffffffffff83}, {"u16", 0xff83}, {"s16", 0xffffffffffffff83}}) {
    OneWarp warp("mov.u64 %d1, table;\nmov.u32 %r1, %laneid;\nmad.wide.u32 %d1, %r1, 2, %d1;\nld.const." + type +
                     " %d0, [%d1];\nld.const." + type + " %d2, [table+6];",
                 host_instruction_set(), ".const .align 8 .b8 table[64] = {" + bytes + "};");
    warp.run();
    EXPECT_EQ(warp.lane64("%d0", 3), value) << type;
    EXPECT_EQ(warp.lane64("%d2", 9), value) << type;
  }
}

// Lanes 0, 3, 6 … go to global, 1, 4 … to shared, 2, 5 … to local memory.
const std::string kThreeSpaces =
    ".shared .align 4 .b8 s[128];\n.local .align 4 .b8 l[128];\nmov.u64 %d2, s;\ncvta.shared.u64 %d2, %d2;\n"
    "mov.u64 %d3, l;\ncvta.local.u64 %d3, %d3;\nmov.u32 %r1, %laneid;\nrem.u32 %r2, %r1, 3;\n"
    "setp.eq.u32 %p1, %r2, 1;\nsetp.eq.u32 %p2, %r2, 2;\nselp.b64 %d1, %d2, %d1, %p1;\n"
    "selp.b64 %d1, %d3, %d1, %p2;\nmad.wide.u32 %d1, %r1, 4, %d1;\n";

TEST(Access, one_generic_instruction_may_touch_three_spaces) {
  OneWarp warp(kThreeSpaces +
               "st.u32 [%d1], %r1;\nld.u32 %r0, [%d1];\natom.add.u32 %r3, [%d1], 100;\nld.u32 %r4, [%d1];");
  warp.set64("%d1", warp.memory().allocate(128, "global"));
  warp.run();
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(warp.lane("%r0", lane), lane);
    EXPECT_EQ(warp.lane("%r3", lane), lane);
    EXPECT_EQ(warp.lane("%r4", lane), lane + 100);
  }
  EXPECT_EQ(*warp.memory().find(DeviceMemory::kBase + 9 * 4, 1), std::byte{109});
  EXPECT_EQ(*warp.memory().find(DeviceMemory::kBase + 10 * 4, 1), std::byte{0}) << "lane 10 is in shared memory";
}

TEST(Access, the_space_of_the_lowest_lane_is_what_the_machine_sees) {
  for (const auto& [lanes, space, seen] : {std::tuple{~0u, MemorySpace::Global, 0x49249249u},
                                           {0xfffffffeu, MemorySpace::Shared, 0x92492492u},
                                           {0xfffffffcu, MemorySpace::Local, 0x24924924u}}) {
    OneWarp warp(kThreeSpaces + "ld.u32 %r0, [%d1];");
    warp.set64("%d1", warp.memory().allocate(128, "global"));
    warp.run(RowLanes(lanes));
    EXPECT_EQ(warp.warp().access.space, space);
    EXPECT_EQ(warp.warp().access.lanes, of_row(RowLanes(seen), 0));
  }
}

TEST(Access, addresses_of_32_bits_wrap_at_32_bits) {
  OneWarp warp(".shared .align 4 .b8 s[64];\nst.shared.u32 [s+12], 9;\nld.shared.u32 %r0, [%r1+16];");
  warp.set("%r1", 0xfffffffc);
  warp.run();
  EXPECT_EQ(warp.lane("%r0", 31), 9u);
}

// A literal beside registers that are wider than the type is that type's, too.
TEST(Access, literals_in_vectors_have_the_instructions_type) {
  OneWarp warp(
      "st.global.v2.u16 [%d1], {%d2, -1};\nst.global.v2.f32 [%d1+8], {%d2, 0f3F800000};\n"
      "ld.global.u32 %r0, [%d1];\nld.global.v2.u32 {%r1, %r2}, [%d1+8];");
  warp.set64("%d1", warp.memory().allocate(16, "out"));
  warp.set64("%d2", 0xaaaabbbbccccdddd);
  warp.run(RowLanes::first(1));
  EXPECT_EQ(warp.lane("%r0"), 0xffffddddu);
  EXPECT_EQ(warp.lane("%r1"), 0xccccddddu);
  EXPECT_EQ(warp.lane("%r2"), 0x3f800000u);
}

TEST(Access, a_lane_beyond_the_last_element_is_a_fault_if_it_takes_part) {
  for (const auto& [elements, lanes, wrong] : {std::tuple{32u, ~0u, 32u},
                                               {31u, ~0u, 31u},
                                               {31u, 0x7fffffffu, 32u},
                                               {20u, 0x00300000u, 20u},
                                               {20u, 0x000fffffu, 32u}}) {
    OneWarp warp("mov.u32 %r1, %laneid;\nmad.wide.u32 %d2, %r1, 4, %d1;\nld.global.u32 %r0, [%d2];");
    warp.set64("%d1", warp.memory().allocate(4 * elements, "few"));
    std::string found = "no error";
    try {
      warp.run(RowLanes(lanes));
    } catch (const MemoryFault& fault) {
      found = fault.what();
    }
    EXPECT_THAT(found, HasSubstr(wrong == 32 ? "no error" : fmt::format("thread ({},0,0)", wrong)));
  }
}

/// The message of the fault of lanes that read words at address + 4 · lane + that of `more`; "no error" without one.
std::string fault_of(unsigned bytes, const Lanes32& more) {
  OneWarp warp(
      "mov.u32 %r1, %laneid;\nmad.wide.u32 %d2, %r1, 4, %d1;\ncvt.u64.u32 %d3, %r2;\nadd.u64 %d2, %d2, %d3;\n"
      "ld.global.u32 %r0, [%d2];");
  warp.set64("%d1", warp.memory().allocate(bytes, "words"));
  warp.set("%r2", more);
  try {
    warp.run();
  } catch (const MemoryFault& fault) {
    return fault.what();
  }
  return "no error";
}

TEST(Access, a_lane_that_is_not_aligned_is_found_among_all) {
  for (const unsigned lane : {0u, 1u, 5u, 20u, 31u})
    for (const unsigned step : {1u, 2u}) {
      Lanes32 more{};
      more[lane] = step;
      EXPECT_THAT(fault_of(256, more), HasSubstr(fmt::format("thread ({},0,0)", lane))) << step;
    }
}

TEST(Access, half_a_warp_beyond_the_end_is_a_fault_of_its_first_lane) {
  Lanes32 more{};
  std::fill(more.begin() + 16, more.end(), 128u);  // words 48 to 63
  EXPECT_EQ(fault_of(256, more), "no error");
  EXPECT_THAT(fault_of(252, more), HasSubstr("thread (31,0,0)"));
  EXPECT_THAT(fault_of(192, more), HasSubstr("thread (16,0,0)"));
}

// Allocations begin at multiples of 256 bytes.
TEST(Access, each_lane_may_read_an_allocation_of_its_own) {
  OneWarp warp("mov.u32 %r1, %laneid;\nmad.wide.u32 %d2, %r1, 256, %d1;\nld.global.u32 %r0, [%d2];");
  warp.set64("%d1", DeviceMemory::kBase);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint64_t address = warp.memory().allocate(4, "word");
    std::memcpy(warp.memory().find(address, 4), &lane, 4);
  }
  for (int time = 0; time < 2; ++time) {
    warp.set("%r0", 99);
    warp.run();
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(warp.lane("%r0", lane), lane);
  }
}

TEST(Access, what_was_freed_is_out_of_bounds) {
  OneWarp warp("ld.global.u32 %r0, [%d1];");
  const std::uint64_t address = warp.memory().allocate(64, "gone");
  warp.memory().free(address);
  warp.set64("%d1", address);
  EXPECT_THAT([&] { warp.run(); }, testing::ThrowsMessage<MemoryFault>(HasSubstr("nothing is allocated")));
}

}  // namespace access_pattern_test
}  // namespace warpfork::simt
