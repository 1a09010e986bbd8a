// Launches that no machine takes, and the memories that a launch is given.
#include "simt/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "one_warp.h"
#include "ptx/parser.h"
#include "simt/generic_address.h"
#include "simt/memory_fault.h"
#include "simt/symbol_table.h"

namespace warpfork::simt {
namespace launch_test {

using testing::HasSubstr;
using testing::StartsWith;

/// A loaded kernel with these directives and this parameter.
class Shape {
 public:
  explicit Shape(const std::string& directives)
      : module_(ptx::parse(".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 a) " +
                               directives + " { ret; }\n",
                           "k.ptx"),
                memory_) {
    launch.program = &module_.kernel("k");
    launch.grid = launch.block = {1, 1, 1};
    launch.parameters.resize(8);
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
  std::string fault(Dim3 grid, Dim3 block) {
    launch.grid = grid;
    launch.block = block;
    return fault();
  }

 private:
  DeviceMemory memory_{1 << 16};
  LoadedModule module_;

 public:
  Launch launch;
};

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
TEST(Launch, blocks_and_grids_have_the_limits_of_every_device) {
  Shape shape("");
  for (const Dim3& block : {Dim3{1024, 1, 1}, Dim3{1, 1024, 1}, Dim3{1, 1, 64}, Dim3{16, 1, 64}})
    EXPECT_EQ(shape.fault({1, 1, 1}, block), "");
  for (const Dim3& block : {Dim3{1025, 1, 1}, Dim3{1, 1, 65}, Dim3{32, 33, 1}, Dim3{0x10000, 0x10000, 1}})
    EXPECT_THAT(shape.fault({1, 1, 1}, block), HasSubstr("at most 1024 are allowed, 1024 in x and y, 64 in z"));
  EXPECT_EQ(shape.fault({0x7fffffff, 65535, 65535}, {1, 1, 1}), "");
  for (const Dim3& grid : {Dim3{0x80000000, 1, 1}, Dim3{1, 65536, 1}, Dim3{1, 1, 65536}})
    EXPECT_THAT(shape.fault(grid, {1, 1, 1}), HasSubstr("at most 2147483647 are allowed in x, 65535 in y and z"));
}

TEST(Launch, an_empty_extent_is_told_with_the_whole_shape) {
  Shape shape("");
  EXPECT_EQ(shape.fault({1, 1, 1}, {4, 0, 1}), "kernel 'k': block of 4 x 0 x 1 threads is empty");
  EXPECT_EQ(shape.fault({0, 1, 1}, {4, 1, 1}), "kernel 'k': grid of 0 x 1 x 1 blocks is empty");
}

// PTX ISA, ".reqntid" and ".maxntid".
TEST(Launch, blocks_are_held_to_the_kernels_directives) {
  Shape required(".reqntid 8, 4"), most(".maxntid 64");
  EXPECT_EQ(required.fault({1, 1, 1}, {8, 4, 1}), "");
  EXPECT_EQ(required.fault({1, 1, 1}, {4, 8, 1}),
            "kernel 'k': block of 4 x 8 x 1 threads, but .reqntid asks for 8 x 4 x 1");
  EXPECT_EQ(most.fault({1, 1, 1}, {64, 1, 1}), "");
  EXPECT_EQ(most.fault({1, 1, 1}, {65, 1, 1}), "kernel 'k': block of 65 x 1 x 1 threads, but .maxntid allows 64");
}

TEST(Launch, a_parameter_buffer_has_the_kernels_size) {
  Shape shape("");
  for (const std::size_t bytes : {7u, 9u}) {
    shape.launch.parameters.resize(bytes);
    EXPECT_EQ(shape.fault(),
              "kernel 'k': " + std::to_string(bytes) + " bytes of arguments given, its parameters take 8");
  }
}

TEST(Launch, a_last_warp_that_is_not_full_counts_as_one) {
  Shape shape("");
  for (const auto& [threads, warps] : {std::pair{1u, 1u}, {32u, 1u}, {33u, 2u}, {64u, 2u}, {1024u, 32u}}) {
    shape.launch.block = {threads, 1, 1};
    EXPECT_EQ(shape.launch.warps_per_block(), warps) << threads;
  }
}

TEST(Launch, lanes_of_a_block_are_those_that_hold_a_thread) {
  Shape shape("");
  shape.launch.block = {40, 1, 1};
  shape.launch.memory = nullptr;
  DeviceMemory memory(1 << 12);
  shape.launch.memory = &memory;
  BlockContext block(shape.launch);
  block.start({0, 0, 0});
  EXPECT_EQ(block.lanes(0).count(), 32u);
  EXPECT_EQ(block.lanes(1).count(), 8u);
  EXPECT_TRUE(block.lanes(1).contains(7));
}

TEST(DeviceMemory, allocations_begin_at_256_byte_boundaries_and_never_touch) {
  DeviceMemory memory(1 << 16);
  const std::uint64_t first = memory.allocate(1, "a"), second = memory.allocate(256, "b"),
                      third = memory.allocate(1, "c");
  EXPECT_EQ(first, DeviceMemory::kBase);
  EXPECT_EQ(second, first + 256);
  EXPECT_EQ(third, second + 512) << "a gap, so that the first byte behind one is nobody's";
  for (const std::uint64_t behind : {first + 1, second + 256}) EXPECT_EQ(memory.find(behind, 1), nullptr);
}

TEST(DeviceMemory, bytes_are_found_within_one_allocation_only) {
  DeviceMemory memory(1 << 16);
  const std::uint64_t address = memory.allocate(16, "a");
  EXPECT_NE(memory.find(address, 16), nullptr);
  EXPECT_EQ(memory.find(address, 17), nullptr);
  EXPECT_EQ(memory.find(address - 1, 1), nullptr);
  EXPECT_EQ(memory.find(address + 8, ~std::uint64_t{0}), nullptr) << "an end beyond all addresses";
}

TEST(DeviceMemory, the_nearest_allocation_is_told_from_either_side) {
  DeviceMemory memory(1 << 16);
  EXPECT_THAT(memory.describe_nearest(0), HasSubstr("no"));
  const std::uint64_t address = memory.allocate(128, "out");
  EXPECT_EQ(memory.describe_nearest(address + 132),
            "nearest allocation: 'out', 128 bytes at 0xc0000000; the address is 4 bytes past its end");
  EXPECT_THAT(memory.describe_nearest(address - 4), HasSubstr("4 bytes before"));
}

TEST(DeviceMemory, what_was_freed_is_found_no_more_and_freed_no_more) {
  DeviceMemory memory(1 << 16);
  const std::uint64_t address = memory.allocate(128, "out");
  EXPECT_THROW(memory.free(address + 4), Error);
  memory.free(address);
  EXPECT_EQ(memory.find(address, 1), nullptr);
  EXPECT_EQ(memory.allocation_at(address).bytes, 0u);
  EXPECT_THROW(memory.free(address), Error);
}

TEST(DeviceMemory, code_of_kernels_lies_one_behind_the_other) {
  DeviceMemory memory(1 << 12);
  EXPECT_EQ(memory.place_code(10), 0u);
  EXPECT_EQ(memory.place_code(5), 10u);
  EXPECT_EQ(memory.place_code(0), 15u);
}

SymbolTable table_of(const ptx::Module& module) {
  static const DeviceSymbols kNone;
  return {module, *module.find_function("k"), kNone};
}

TEST(SymbolTable, shared_variables_of_the_body_come_before_those_of_the_module_that_it_names) {
  const ptx::Module module = ptx::parse(
      ".version 6.0\n.target sm_70\n.address_size 64\n.shared .align 1 .b8 a[3];\n.shared .u64 unused;\n"
      ".entry k { .shared .align 8 .b8 b[6]; .shared .u16 c; .reg .u32 %r; mov.u32 %r, a; ret; }\n",
      "k.ptx");
  const SymbolTable table = table_of(module);
  EXPECT_EQ(table.find("b")->address, 0u);
  EXPECT_EQ(table.find("c")->address, 6u);
  EXPECT_EQ(table.find("a")->address, 8u);
  EXPECT_EQ(table.static_shared_bytes(), 11u);
  EXPECT_FALSE(table.find("unused"));
}

// As on an NVIDIA H200, whose variables all begin there.
TEST(SymbolTable, shared_variables_lie_behind_reserved_memory_that_the_kernel_asks_for) {
  const ptx::Module module = ptx::parse(
      ".version 7.6\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 rest[];\n"
      ".entry k { .shared .align 4 .b8 own[20]; .reg .u32 %r; mov.u32 %r, %reserved_smem_offset_1; mov.u32 %r, rest; "
      "}\n",
      "k.ptx");
  const SymbolTable table = table_of(module);
  EXPECT_EQ(table.find("own")->address, 1024u);
  EXPECT_EQ(table.find("rest")->address, 1056u);
  EXPECT_EQ(table.reserved_shared_bytes(), 1024u);
  EXPECT_EQ(table.static_shared_bytes(), 32u);
}

TEST(SymbolTable, parameters_and_local_variables_have_spaces_of_their_own) {
  const ptx::Module module = ptx::parse(
      ".version 6.0\n.target sm_70\n.address_size 64\n"
      ".entry k(.param .u8 p, .param .u64 q) { .local .u32 l; .local .u64 m; ret; }\n",
      "k.ptx");
  const SymbolTable table = table_of(module);
  EXPECT_EQ(table.find("q")->space, MemorySpace::Param);
  EXPECT_EQ(table.find("q")->address, 8u);
  EXPECT_EQ(table.find("m")->space, MemorySpace::Local);
  EXPECT_EQ(table.find("m")->address, 8u);
  EXPECT_EQ(table.local_bytes(), 16u);
}

TEST(SymbolTable, generic_addresses_of_spaces_lie_in_windows_apart) {
  const auto generic = [](MemorySpace space, std::uint64_t address) {
    return SymbolTable::generic_address({space, address});
  };
  EXPECT_EQ(generic(MemorySpace::Global, DeviceMemory::kBase + 5), DeviceMemory::kBase + 5);
  EXPECT_EQ(generic(MemorySpace::Shared, 5), kSharedWindow.begin + 5);
  EXPECT_EQ(generic(MemorySpace::Local, 5), kLocalWindow.begin + 5);
  EXPECT_EQ(generic(MemorySpace::Param, 5), kParamWindow.begin + 5);
}

TEST(GenericAddress, each_window_ends_with_the_memory_that_there_is) {
  OneWarp warp(".shared .b8 s[8];\n.local .b8 l[4];\nmov.u32 %r0, 1;");
  const auto there = [&](std::uint64_t address, std::uint64_t bytes) {
    return find_generic(warp.warp(), 3, address, bytes) != nullptr;
  };
  EXPECT_TRUE(there(kSharedWindow.begin, 8));
  EXPECT_FALSE(there(kSharedWindow.begin, 9));
  EXPECT_TRUE(there(kLocalWindow.begin, 4));
  EXPECT_FALSE(there(kLocalWindow.begin + 4, 1));
  EXPECT_FALSE(there(DeviceMemory::kBase, 1));
  EXPECT_FALSE(there(0, 1));
}

TEST(GenericAddress, a_text_ends_at_its_zero_byte_within_its_memory) {
  OneWarp warp("mov.u32 %r0, 1;");
  const std::uint64_t address = warp.memory().allocate(8, "text");
  std::memcpy(warp.memory().find(address, 8), "warp\0xyz", 8);
  EXPECT_EQ(text_at(warp.warp(), 0, address), "warp");
  EXPECT_EQ(text_at(warp.warp(), 0, address + 4), "");
  EXPECT_FALSE(text_at(warp.warp(), 0, address + 5)) << "no zero byte before the end";
}

struct Fault {
  const char* body;  // %d1 is the address of 64 bytes
  MemoryFault::Kind kind;
  const char* text;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.body; }

class FaultOf : public testing::TestWithParam<Fault> {};

TEST_P(FaultOf, has_its_kind_and_names_access_and_address) {
  OneWarp warp(std::string(".shared .align 8 .b8 s[8];\n") + GetParam().body);
  warp.set64("%d1", warp.memory().allocate(64, "out"));
  try {
    warp.run(RowLanes(0b100));
    FAIL() << "no fault";
  } catch (const MemoryFault& fault) {
    EXPECT_EQ(fault.kind(), GetParam().kind);
    EXPECT_THAT(fault.what(), HasSubstr(GetParam().text));
    EXPECT_THAT(fault.what(), HasSubstr("thread (2,0,0) of block (0,0,0)"));
  }
}

using enum MemoryFault::Kind;
const Fault kFaults[] = {
    {"ld.global.u32 %r0, [%d1+64];", OutOfBounds, "global load of 4 bytes at 0xc0000040 is out of bounds"},
    {"ld.global.u32 %r0, [%d1+-4];", OutOfBounds, "global load of 4 bytes at 0xbffffffc is out of bounds"},
    {"ld.global.v4.u32 {%r0, %r2, %r3, %r4}, [%d1+64];", OutOfBounds, "global load of 16 bytes"},
    {"ld.global.u32 %r0, [%d1+2];", Misaligned, "global load of 4 bytes at 0xc0000002 is misaligned"},
    {"ld.global.v2.u32 {%r0, %r2}, [%d1+4];", Misaligned, "global load of 8 bytes at 0xc0000004 is misaligned"},
    {"st.global.u16 [%d1+1], %h0;", Misaligned, "global store of 2 bytes at 0xc0000001 is misaligned"},
    {"st.u32 [%d1+64], %r0;", OutOfBounds, "store of 4 bytes at 0xc0000040 is out of bounds"},
    {"ld.shared.u32 %r0, [%r5+8];", OutOfBounds, "shared load of 4 bytes at 0x8 is out of bounds"},
    {"st.shared.u32 [%r5+2], %r0;", Misaligned, "shared store of 4 bytes at 0x2 is misaligned"},
    {"ld.local.u32 %r0, [%d5];", OutOfBounds, "local load of 4 bytes at 0x0 is out of bounds"},
    {"atom.global.add.u32 %r0, [%d1+64], 1;", OutOfBounds, "of 4 bytes at 0xc0000040 is out of bounds"},
    {"atom.global.add.u32 %r0, [%d1+2], 1;", Misaligned, "of 4 bytes at 0xc0000002 is misaligned"},
    {"red.shared.add.u32 [%r5+8], 1;", OutOfBounds, "of 4 bytes at 0x8 is out of bounds"},
    {"ld.const.u32 %r0, [%d5];", OutOfBounds, "of 4 bytes at 0x0 is out of bounds"},
    {"ld.u32 %r0, [%d5];", OutOfBounds, "of 4 bytes at 0x0 is out of bounds"},
    {"ld.global.v4.u32 {%r0, %r2, %r3, %r4}, [%d1+52];", Misaligned, "global load of 16 bytes at 0xc0000034"},
    {"ld.global.v4.u64 {%d2, %d3, %d4, %d6}, [%d1+48];", Misaligned, "global load of 32 bytes at 0xc0000030"},
    {"ld.global.v4.u64 {%d2, %d3, %d4, %d6}, [%d1+64];", OutOfBounds, "global load of 32 bytes at 0xc0000040"},
    {"st.shared.v2.u32 [%r5+8], {%r0, %r0};", OutOfBounds, "the block has 8 bytes of shared memory"},
    {"atom.shared.cas.b64 %d2, [%r5+4], %d2, %d3;", Misaligned, "shared atomic of 8 bytes at 0x4 is misaligned"},
    {"mov.u64 %d2, 0x80000002; ld.u32 %r0, [%d2];", Misaligned, "generic load of 4 bytes at 0x80000002 is misaligned"},
    {"st.u32 [%d1+1], %r0;", Misaligned, "generic store of 4 bytes at 0xc0000001 is misaligned"},
    {"mov.u64 %d2, 0x80000008; ld.u32 %r0, [%d2];", OutOfBounds, "shared load of 4 bytes at 0x8 is out of bounds"},
    {"mov.u64 %d2, 0x80000008; atom.add.u32 %r0, [%d2], 1;", OutOfBounds, "shared atomic of 4 bytes at 0x8"},
    {"mov.u64 %d2, 0x90000000; st.u32 [%d2], %r0;", OutOfBounds, "a thread has 0 bytes of local memory"},
    {"mov.u64 %d2, 0xb0000000; st.u32 [%d2], %r0;", OutOfBounds, "12 bytes of parameters, which cannot be written"},
    {"mov.u64 %d2, 0xb0000000; atom.add.u32 %r0, [%d2], 1;", OutOfBounds, "parameter atomic of 4 bytes at 0x0"},
    {"mov.u64 %d2, 0xb000000c; ld.u32 %r0, [%d2];", OutOfBounds, "parameter load of 4 bytes at 0xc"},
    {"mov.u64 %d2, -4; ld.u32 %r0, [%d2];", OutOfBounds, "of 4 bytes at 0xfffffffffffffffc is out of bounds"},
    {"mov.u64 %d2, -4; st.global.u32 [%d2], %r0;", OutOfBounds, "global store of 4 bytes at 0xfffffffffffffffc"},
};
INSTANTIATE_TEST_SUITE_P(All, FaultOf, testing::ValuesIn(kFaults));

TEST(Fault, there_is_none_at_the_last_element_that_fits) {
  for (const char* body :
       {"ld.global.u32 %r0, [%d1+60];", "ld.global.u8 %r0, [%d1+63];",
        "ld.global.v4.u32 {%r0, %r2, %r3, %r4}, [%d1+48];", "ld.global.v4.u64 {%d2, %d3, %d4, %d6}, [%d1+32];",
        "st.shared.u32 [%r5+4], %r0;", "st.shared.v2.u32 [%r5], {%r0, %r0};", "atom.shared.add.u32 %r0, [%r5+4], 1;",
        "mov.u64 %d2, 0x80000007; st.u8 [%d2], %r0;", "mov.u64 %d2, 0xb0000008; ld.u32 %r0, [%d2];",
        "atom.global.exch.b64 %d2, [%d1+56], 1;", "@%p0 ld.global.u32 %r0, [%d5];"}) {
    OneWarp warp(std::string(".shared .align 8 .b8 s[8];\n") + body);
    warp.set64("%d1", warp.memory().allocate(64, "out"));
    EXPECT_NO_THROW(warp.run(RowLanes(0b100))) << body;
  }
}

/// Of allocations of 13 bytes, as a string may be; %d1 is the address of the first, behind which lies another.
std::string fault_of(const std::string& body) {
  OneWarp warp(body);
  warp.set64("%d1", warp.memory().allocate(13, "text"));
  warp.memory().allocate(13, "next");
  try {
    warp.run(RowLanes(0b1100));
  } catch (const MemoryFault& fault) {
    return fault.what();
  }
  return "";
}

TEST(Fault, there_is_none_where_a_load_of_one_element_begins_within_and_ends_behind) {
  for (const char* load :
       {"ld.global.u64 %d2, [%d1+8];", "ld.u64 %d2, [%d1+8];", "ld.const.u32 %r0, [%d1+12];",
        "mov.u32 %r0, %laneid; mul.wide.u32 %d2, %r0, 4; add.u64 %d2, %d2, %d1; ld.global.u32 %r0, [%d2];"})
    EXPECT_EQ(fault_of(load), "") << load;
}

TEST(Fault, is_where_a_load_begins_behind_and_where_anything_else_ends_there) {
  for (const char* access :
       {"ld.global.u64 %d2, [%d1+16];", "ld.global.u8 %r0, [%d1+13];", "ld.global.v2.u32 {%r0, %r2}, [%d1+8];",
        "st.global.u64 [%d1+8], %d2;", "atom.global.add.u32 %r0, [%d1+12], 1;"})
    EXPECT_THAT(fault_of(access), HasSubstr("is out of bounds")) << access;
}

/// What the fault of a load from freed memory says.
std::string load_from_freed_memory(bool watched) {
  OneWarp warp("ld.global.u32 %r0, [%d1+60];");
  if (watched) warp.memory().watch();
  const std::uint64_t freed = warp.memory().allocate(64, "freed");
  warp.set64("%d1", freed);
  warp.memory().free(freed);
  try {
    warp.run(RowLanes(0b100));
  } catch (const MemoryFault& fault) {
    EXPECT_EQ(fault.kind(), OutOfBounds);
    return fault.what();
  }
  return "no fault";
}

TEST(Fault, in_freed_memory_says_that_nothing_is_there) {
  EXPECT_THAT(load_from_freed_memory(false), HasSubstr("global load of 4 bytes at 0xc000003c is out of bounds"));
  EXPECT_THAT(load_from_freed_memory(false), HasSubstr("nothing is allocated"));
}

TEST(Fault, in_freed_memory_says_what_was_freed_where_memory_is_watched) {
  EXPECT_THAT(load_from_freed_memory(true), HasSubstr("global load of 4 bytes at 0xc000003c is a use after free"));
  EXPECT_THAT(load_from_freed_memory(true), HasSubstr("'freed', 64 bytes at 0xc0000000, was freed before the first"));
}

struct Window {
  const char* space;
  std::uint64_t address;
  bool inside;
};

void PrintTo(const Window& window, std::ostream* out) { *out << window.space << " of " << std::hex << window.address; }

class WindowOf : public testing::TestWithParam<Window> {};

// simt/address_map.h; PTX ISA, "isspacep": constants are in global memory here.
TEST_P(WindowOf, begins_and_ends_where_the_map_says) {
  OneWarp warp(std::string("isspacep.") + GetParam().space + " %p0, %d1;");
  warp.set64("%d1", GetParam().address);
  warp.run();
  EXPECT_EQ(warp.predicate("%p0"), GetParam().inside ? RowLanes(~0u) : RowLanes());
}

const Window kWindows[] = {
    {"shared", 0x7fffffff, false}, {"shared", 0x80000000, true},   {"shared", 0x8fffffff, true},
    {"shared", 0x90000000, false}, {"shared", 0x180000000, false}, {"local", 0x8fffffff, false},
    {"local", 0x90000000, true},   {"local", 0xafffffff, true},    {"local", 0xb0000000, false},
    {"param", 0xafffffff, false},  {"param", 0xb0000000, true},    {"param", 0xbfffffff, true},
    {"param", 0xc0000000, false},  {"global", 0xbfffffff, false},  {"global", 0xc0000000, true},
    {"global", 0x1c0000000, true}, {"global", 0, false},           {"shared::cluster", 0x80000000, true},
};
INSTANTIATE_TEST_SUITE_P(All, WindowOf, testing::ValuesIn(kWindows));

TEST(GenericAddress, going_into_a_space_and_back_gives_the_same_address) {
  for (const auto& [space, begin] : {std::pair{"global", 0u},
                                     {"const", 0u},
                                     {"shared", 0x80000000u},
                                     {"shared::cluster", 0x80000000u},
                                     {"local", 0x90000000u}}) {
    const std::string name = space;
    EXPECT_EQ(d0_of("cvta." + name + ".u64 %d0, %d1;", 0x123), 0x123u + begin);
    EXPECT_EQ(d0_of("cvta.to." + name + ".u64 %d0, %d1;", 0x123u + begin), 0x123u);
    EXPECT_EQ(r0_of("cvta." + name + ".u32 %r0, %r1;", 0x123), 0x123u + begin);
    EXPECT_EQ(r0_of("cvta.to." + name + ".u32 %r0, %r1;", 0x123u + begin), 0x123u);
  }
}

}  // namespace launch_test
}  // namespace warpfork::simt
