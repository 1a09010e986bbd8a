// Allocations of the device's memory at their boundaries, and what loading a module writes there (PTX ISA,
// "Initializers", "Arrays of Variables", "Alignment").
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "base/error.h"
#include "one_warp.h"
#include "ptx/parser.h"
#include "simt/address_map.h"

namespace warpfork::simt {
namespace module_memory_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::uint64_t kBase = DeviceMemory::kBase;

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

// A byte behind each allocation is nobody's, so 255 bytes take 256 and 256 bytes 512.
TEST(MemoryOfDevice, is_full_when_the_last_boundary_is_taken) {
  DeviceMemory memory(1024);
  EXPECT_EQ(memory.allocate(255, "a"), kBase);
  EXPECT_EQ(memory.allocate(256, "b"), kBase + 256);
  EXPECT_EQ(error_of([&] { memory.allocate(256, "c"); }),
            "out of device memory: 'c' asks for 256 bytes, 256 of 1024 are free");
  EXPECT_EQ(memory.allocate(255, "d"), kBase + 768);
  EXPECT_EQ(error_of([&] { memory.allocate(1, "e"); }),
            "out of device memory: 'e' asks for 1 byte, 0 of 1024 are free");
}

TEST(MemoryOfDevice, asks_for_more_than_there_is_whatever_the_size) {
  DeviceMemory memory(1024), none(0);
  EXPECT_THAT(error_of([&] { memory.allocate(~std::uint64_t{0}, "all"); }), HasSubstr("1024 of 1024 are free"));
  EXPECT_THAT(error_of([&] { memory.allocate(1024, "no byte left"); }), HasSubstr("1024 of 1024 are free"));
  EXPECT_THAT(error_of([&] { none.allocate(1, "one"); }), HasSubstr("0 of 0 are free"));
  EXPECT_EQ(memory.allocate(1023, "most"), kBase);
  EXPECT_THAT(error_of([] { DeviceMemory((240ull << 30) - kBase + 1); }), HasSubstr("memory_bytes is at most"));
}

TEST(MemoryOfDevice, takes_allocations_at_given_places) {
  DeviceMemory memory(2048);
  memory.allocate_at(kBase + 512, 255, "middle");
  memory.allocate_at(kBase + 256, 255, "before");
  memory.allocate_at(kBase + 768, 1279, "to the end");
  EXPECT_EQ(memory.allocations().size(), 3u);
  EXPECT_EQ(memory.allocations()[1].begin, kBase + 512);
  EXPECT_EQ(memory.allocate(255, "the hole"), kBase);
}

TEST(MemoryOfDevice, refuses_places_that_are_none) {
  DeviceMemory memory(2048);
  memory.allocate_at(kBase + 512, 256, "here");
  EXPECT_THAT(error_of([&] { memory.allocate_at(kBase + 100, 1, "x"); }), HasSubstr("no allocation can begin at"));
  EXPECT_THAT(error_of([&] { memory.allocate_at(kBase - 256, 1, "x"); }), HasSubstr("no allocation can begin at"));
  EXPECT_THAT(error_of([&] { memory.allocate_at(kBase + 256, 256, "x"); }), HasSubstr("overlaps"));
  EXPECT_THAT(error_of([&] { memory.allocate_at(kBase + 768, 1, "x"); }), HasSubstr("overlaps"));
  EXPECT_THAT(error_of([&] { memory.allocate_at(kBase + 1024, 1024, "x"); }), HasSubstr("out of device memory"));
  EXPECT_THAT(error_of([&] { memory.allocate_at(kBase + 2048, 0, "x"); }), HasSubstr("out of device memory"));
  memory.allocate_at(kBase + 1024, 1023, "the rest");
}

TEST(MemoryOfDevice, takes_the_first_hole_that_is_large_enough) {
  DeviceMemory memory(2048);
  const std::uint64_t small = memory.allocate(100, "small"), kept = memory.allocate(100, "kept"),
                      large = memory.allocate(500, "large");
  memory.allocate(900, "rest");
  memory.free(small);
  memory.free(large);
  EXPECT_EQ(memory.allocate(256, "too large for the first"), large);
  EXPECT_EQ(memory.allocate(255, "fits into the first"), small);
  EXPECT_EQ(memory.allocation_at(kept).begin, kept);
}

TEST(MemoryOfDevice, what_the_last_allocation_took_is_free_again) {
  DeviceMemory memory(1024);
  memory.allocate(100, "first");
  const std::uint64_t last = memory.allocate(700, "last");
  memory.free(last);
  EXPECT_EQ(memory.allocate(600, "again"), last);
  memory.free(last);
  memory.free(kBase);
  EXPECT_EQ(memory.allocate(1023, "all"), kBase);
}

// Whole pages go back to the host, the rest is written over: both ways at both ends.
TEST(MemoryOfDevice, memory_that_is_given_again_is_zero_in_every_byte) {
  DeviceMemory memory(1 << 16);
  memory.allocate(1000, "so that no page begins with it");
  const std::uint64_t bytes = 3 * 4096 + 17, address = memory.allocate(bytes, "written");
  std::memset(memory.find(address, bytes), 0xee, bytes);
  memory.free(address);
  EXPECT_EQ(memory.allocate(bytes, "again"), address);
  const std::byte* const again = memory.find(address, bytes);
  EXPECT_EQ(std::count(again, again + bytes, std::byte{0}), static_cast<std::ptrdiff_t>(bytes));
}

TEST(MemoryOfDevice, an_address_belongs_to_the_allocation_around_it) {
  DeviceMemory memory(4096);
  EXPECT_EQ(memory.allocation_at(kBase).bytes, 0u);
  const std::uint64_t first = memory.allocate(100, "first"), second = memory.allocate(50, "second");
  EXPECT_EQ(memory.allocation_at(first + 99).begin, first);
  EXPECT_EQ(memory.allocation_at(first + 99).bytes, 100u);
  EXPECT_EQ(memory.allocation_at(first + 100).bytes, 0u);
  EXPECT_EQ(memory.allocation_at(second - 1).bytes, 0u);
  EXPECT_EQ(memory.allocation_at(second).begin, second);
  EXPECT_EQ(memory.host_base() + (second - kBase), memory.find(second, 50));
}

TEST(MemoryOfDevice, of_two_neighbours_the_nearer_is_named) {
  DeviceMemory memory(4096);
  const std::uint64_t first = memory.allocate(100, "first"), second = memory.allocate(50, "second");
  EXPECT_THAT(memory.describe_nearest(first + 177),
              AllOf(HasSubstr("'first', 100 bytes"), HasSubstr("77 bytes past its end")));
  EXPECT_THAT(memory.describe_nearest(first + 179),
              AllOf(HasSubstr("'second', 50 bytes"), HasSubstr("77 bytes before its start")));
  EXPECT_THAT(memory.describe_nearest(second + 49), HasSubstr("the address is 49 bytes into it"));
  EXPECT_THAT(memory.describe_nearest(first + 101), HasSubstr("the address is 1 byte past its end"));
  EXPECT_THAT(error_of([&] { memory.free(first + 8); }),
              AllOf(HasSubstr("cannot free 0xc0000008: no allocation starts there"), HasSubstr("8 bytes into it")));
}

TEST(MemoryOfDevice, gives_no_freed_address_again_before_the_end_where_it_is_watched) {
  DeviceMemory memory(1024);
  memory.watch();
  const std::uint64_t first = memory.allocate(255, "first");
  memory.free(first);
  EXPECT_EQ(memory.allocate(511, "second"), kBase + 256);
  EXPECT_EQ(memory.allocate(255, "third"), kBase + 768);
  EXPECT_TRUE(memory.watched()->describe_freed(first + 254).has_value());
  EXPECT_FALSE(memory.watched()->describe_freed(first + 255).has_value());
  EXPECT_EQ(memory.allocate(1, "none but the freed one is left"), first);
  EXPECT_FALSE(memory.watched()->describe_freed(first + 254).has_value());
}

TEST(MemoryOfDevice, that_is_watched_says_what_lay_at_an_address_and_when_it_was_freed) {
  DeviceMemory memory(4096);
  memory.watch();
  const std::uint64_t early = memory.allocate(100, "early"), late = memory.allocate(50, "late");
  memory.free(early);
  memory.watched()->launch();
  memory.free(late);
  EXPECT_EQ(memory.watched()->describe_freed(early + 99),
            "'early', 100 bytes at 0xc0000000, was freed before the first launch; the address is 99 bytes into it");
  EXPECT_THAT(*memory.watched()->describe_freed(late), HasSubstr("was freed after launch 1;"));
}

// Byte by byte, and as it was after memory was freed.
TEST(MemoryOfDevice, that_is_watched_knows_what_was_written) {
  DeviceMemory memory(1024);
  memory.watch();
  const std::uint64_t at = memory.allocate(100, "a");
  MemoryWatch& watch = *memory.watched();
  watch.write(at + 4, 8);
  EXPECT_EQ(first_unwritten(watch.written_from(at + 3), 9), 0u);
  EXPECT_EQ(first_unwritten(watch.written_from(at + 4), 8), 8u);
  EXPECT_EQ(first_unwritten(watch.written_from(at + 4), 9), 8u);
  watch.copy(at + 48, at, 8);  // the latter half of which was written
  EXPECT_EQ(first_unwritten(watch.written_from(at + 51), 5), 0u);
  EXPECT_EQ(first_unwritten(watch.written_from(at + 52), 5), 4u);
  memory.free(at);
  EXPECT_EQ(first_unwritten(watch.written_from(at + 4), 1), 0u);
}

/// A module with these variables, loaded.
struct Loaded {
  explicit Loaded(const std::string& variables, unsigned address_bits = 64)
      : module(ptx::parse(fmt::format(".version 8.0\n.target sm_90\n.address_size {}\n{}\n.entry k {{ ret; }}\n",
                                      address_bits, variables),
                          "module.ptx"),
               memory) {}

  /// `bytes` bytes of the variable from `offset` on.
  std::uint64_t value(const std::string& name, unsigned bytes, unsigned offset = 0) {
    std::uint64_t found = 0;
    std::memcpy(&found, memory.find(module.find_symbol(name)->address + offset, bytes), bytes);
    return found;
  }

  DeviceMemory memory{1 << 16};
  LoadedModule module;
};

// An aligned load of a variable's last byte goes no further.
TEST(ModuleMemory, variables_have_room_up_to_their_alignment_and_the_size_that_is_declared) {
  Loaded loaded(".global .align 4 .b8 bytes[63];\n.const .align 16 .u8 one = 1;\n.global .b8 narrow[3];");
  const auto room = [&](const char* name) {
    return loaded.memory.allocation_at(loaded.module.find_symbol(name)->address).bytes;
  };
  EXPECT_EQ(room("bytes"), 64u);
  EXPECT_EQ(room("one"), 16u);
  EXPECT_EQ(room("narrow"), 3u);
  EXPECT_EQ(loaded.module.find_symbol("bytes")->bytes, 63u);
  EXPECT_EQ(loaded.value("one", 8), 1u);
}

TEST(ModuleMemory, variables_have_their_initial_values_and_zeros_behind_them) {
  Loaded loaded(
      ".global .align 4 .u32 words[4] = {1, 0xffffffff};\n.const .align 2 .s16 half = -2;\n"
      ".global .align 8 .f64 real = 0.5;\n.global .f32 single = 0fBF800000;\n.global .u64 none;");
  EXPECT_EQ(loaded.value("words", 8), 0xffffffff00000001u);
  EXPECT_EQ(loaded.value("words", 8, 8), 0u);
  EXPECT_EQ(loaded.value("half", 2), 0xfffeu);
  EXPECT_EQ(loaded.value("real", 8), 0x3fe0000000000000u);
  EXPECT_EQ(loaded.value("single", 4), 0xbf800000u);
  EXPECT_EQ(loaded.value("none", 8), 0u);
  EXPECT_EQ(loaded.module.find_symbol("words")->bytes, 16u);
  EXPECT_EQ(loaded.module.find_symbol("missing"), nullptr);
}

TEST(ModuleMemory, rows_of_arrays_are_filled_up_with_zeros) {
  Loaded loaded(".global .align 4 .u32 table[2][3] = {{1}, {4, 5}};");
  for (unsigned i = 0; const unsigned value : {1u, 0u, 0u, 4u, 5u, 0u})
    EXPECT_EQ(loaded.value("table", 4, 4 * i++), value) << i;
}

TEST(ModuleMemory, pointers_lead_to_variables_and_into_them) {
  Loaded loaded(
      ".global .align 8 .u64 pointers[3] = {second, first+8, generic(fixed)};\n"
      ".global .align 4 .u32 first[4];\n.global .align 4 .u32 second;\n.const .align 4 .u32 fixed = 3;");
  EXPECT_EQ(loaded.value("pointers", 8), loaded.module.find_symbol("second")->address);
  EXPECT_EQ(loaded.value("pointers", 8, 8), loaded.module.find_symbol("first")->address + 8);
  EXPECT_EQ(loaded.value("pointers", 8, 16), loaded.module.find_symbol("fixed")->address);
}

TEST(ModuleMemory, pointers_of_modules_with_32_bit_addresses_have_four_bytes) {
  Loaded loaded(".global .align 4 .u32 pointers[2] = {word, word+4};\n.global .align 4 .u32 word[2];", 32);
  const std::uint64_t address = loaded.module.find_symbol("word")->address;
  EXPECT_EQ(loaded.value("pointers", 8), address | (address + 4) << 32);
}

TEST(ModuleMemory, functions_have_places_in_front_of_the_kernels) {
  Loaded loaded(".func f() { ret; }\n.func g() { ret; }\n.func h() { ret; }\n.global .u64 table[3] = {h, f, h};");
  EXPECT_EQ(loaded.value("table", 8, 8), kCode.begin);
  EXPECT_EQ(loaded.value("table", 8), kCode.begin + 8);
  EXPECT_EQ(loaded.value("table", 8, 16), kCode.begin + 8);
  EXPECT_EQ(loaded.module.kernel("k").code_place, 2u) << "one for each that has an address";
}

TEST(ModuleMemory, parts_of_an_address_stand_where_their_masks_say) {
  Loaded loaded(
      ".global .u32 word;\n.global .align 2 .u16 halves[3] = {0xffff(word), 0xffff0000(word), 7};\n"
      ".global .align 8 .b8 packed[16] = {1, 2, 3, 4, 5, 6, 7, 8, 0xff(word+4), 0xff00(word+4), 0xff0000(word+4), "
      "0xff000000(word+4), 0xff00000000(word+4), 0xff0000000000(word+4), 0xff000000000000(word+4), "
      "0xff00000000000000(word+4)};");
  const std::uint64_t address = loaded.module.find_symbol("word")->address;
  EXPECT_EQ(loaded.value("halves", 6), address | 7ull << 32);
  EXPECT_EQ(loaded.value("packed", 8), 0x0807060504030201u);
  EXPECT_EQ(loaded.value("packed", 8, 8), address + 4);
}

TEST(ModuleMemory, variables_lie_at_256_byte_boundaries_in_their_order) {
  Loaded loaded(".global .u8 a;\n.const .u8 b;\n.shared .u8 s;\n.global .align 128 .u8 c[300];\n.global .u8 d;");
  EXPECT_EQ(loaded.module.find_symbol("a")->address, kBase);
  EXPECT_EQ(loaded.module.find_symbol("b")->address, kBase + 256);
  EXPECT_EQ(loaded.module.find_symbol("c")->address, kBase + 512);
  EXPECT_EQ(loaded.module.find_symbol("d")->address, kBase + 1024);
  EXPECT_EQ(loaded.module.find_symbol("s"), nullptr) << "a block's variable has no place in the device";
}

TEST(ModuleMemory, addresses_that_are_not_known_are_refused_with_their_line) {
  EXPECT_THAT(error_of([] { Loaded(".shared .u32 tile;\n.global .u64 pointer = tile;"); }),
              AllOf(HasSubstr("module.ptx:5: error: the initial value of 'pointer' is the address of 'tile'"),
                    HasSubstr("only .global and .const variables and functions can be named there")));
}

TEST(ModuleMemory, an_external_variable_is_refused_where_a_kernel_uses_it) {
  Loaded unused(".extern .global .u32 elsewhere;\n.global .u32 here = 7;");
  EXPECT_EQ(unused.module.find_symbol("elsewhere"), nullptr);
  EXPECT_EQ(unused.value("here", 4), 7u);
  EXPECT_THAT(error_of([] {
                Loaded(
                    ".extern .global .u32 elsewhere;\n.entry e { .reg .b32 %r; "
                    "ld.global.u32 %r, [elsewhere]; }")
                    .module.kernel("e");
              }),
              AllOf(HasSubstr("module.ptx:5: error: instruction 'ld.global.u32"),
                    HasSubstr("variable 'elsewhere' is .extern, and no code that is linked with it defines it")));
}

TEST(ModuleMemory, variables_too_large_for_the_device_are_refused_by_name) {
  EXPECT_THAT(error_of([] { Loaded(".global .b8 huge[65536];"); }), HasSubstr("'huge' asks for 65536 bytes"));
}

std::string refused_kernel(const std::string& declarations, const std::string& body) {
  DeviceMemory memory(1 << 16);
  return error_of([&] {
    LoadedModule module(ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n.entry k {\n" + declarations + "\n" +
                                       body + "\nret;\n}\n",
                                   "module.ptx"),
                        memory);
    module.decode_all();
  });
}

// What another memory held of a module serves it here, and no initial value is written over it.
const std::string kOneVariable =
    ".version 8.0\n.target sm_90\n.address_size 64\n.global .u32 x = 5;\n.func f() { ret; }\n"
    ".entry k { .reg .b64 %a; mov.b64 %a, x; mov.b64 %a, f; ret; }\n";

/// Its module in this memory, where it lay in another one.
LoadedModule placed(const ModulePlaces& places, DeviceMemory& memory) {
  return LoadedModule(ptx::parse(kOneVariable, "m.ptx"), places, memory, host_instruction_set(), CodeOptions{});
}

/// Where the module lies behind 100 bytes of another's, in code place 7.
ModulePlaces places_behind_another() {
  DeviceMemory memory(4096);
  memory.place_code(7);
  memory.allocate(100, "another's");
  return *LoadedModule(ptx::parse(kOneVariable, "m.ptx"), memory).kernel("k").places;
}

TEST(ModuleMemory, a_module_is_not_placed_where_its_variables_are_not) {
  DeviceMemory memory(4096);
  EXPECT_THAT(error_of([&] { placed(places_behind_another(), memory); }),
              HasSubstr("m.ptx:4: error: variable 'x' has no place"));
}

TEST(ModuleMemory, a_module_is_placed_where_it_lay_before) {
  DeviceMemory second(4096);
  const ModulePlaces places = places_behind_another();
  second.allocate_at(places.variables.at("x").address, 4, "x");
  *second.find(kBase + 256, 1) = std::byte{9};
  LoadedModule again = placed(places, second);
  EXPECT_EQ(again.find_symbol("x")->address, kBase + 256);
  EXPECT_EQ(again.kernel("k").code_place, 7u + 1) << "behind the function's";
  EXPECT_EQ(*second.find(kBase + 256, 1), std::byte{9});
}

TEST(ModuleMemory, kernels_that_nothing_can_hold_are_refused) {
  EXPECT_EQ(refused_kernel(".shared .b8 s[268435456];", ""), "no error");
  EXPECT_THAT(refused_kernel(".shared .b8 s[268435457];", ""),
              HasSubstr("variable 's' of 268435457 bytes does not fit into the shared window of 268435456 bytes"));
  EXPECT_THAT(refused_kernel(".local .b8 l[536870913];", ""), HasSubstr("does not fit into the local window"));
  EXPECT_THAT(refused_kernel(".reg .b32 %r<65535>;", ""),
              HasSubstr("declares 65535 registers; without register allocation 65534 are supported"));
  EXPECT_THAT(refused_kernel(".reg .b32 %r;\n.reg .b128 %q<3>;", ""),
              StartsWith("module.ptx:6: error: function 'k': register %q0 has 128 bits; registers of up to 64 bits"));
}

TEST(ModuleMemory, kernels_of_a_module_are_found_by_name_and_lie_behind_one_another) {
  DeviceMemory memory(1 << 12);
  LoadedModule module(ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n.func helper() { ret; }\n"
                                 ".entry first { bar.sync 0; ret; }\n.entry second { ret; }\n",
                                 "module.ptx"),
                      memory);
  EXPECT_EQ(module.kernel("second").code_place, 2u);
  EXPECT_EQ(module.kernel("first").code_place, 0u);
  EXPECT_THAT(error_of([&] { module.kernel("helper"); }),
              AllOf(HasSubstr("there is no kernel 'helper'"), HasSubstr("first"), HasSubstr("second")));
  LoadedModule empty(ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n", "empty.ptx"), memory);
  EXPECT_THAT(error_of([&] { empty.kernel("any"); }), HasSubstr("kernels of this module: none"));
}

TEST(ModuleMemory, kernels_of_a_large_module_lie_where_they_are_first_asked_for) {
  std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n.entry first {\n";
  for (unsigned i = 0; i < 5000; ++i) text += "bar.sync 0;\n";
  DeviceMemory memory(1 << 12);
  LoadedModule module(ptx::parse(text + "ret; }\n.entry second { bar.sync 0; ret; }\n", "module.ptx"), memory);
  EXPECT_EQ(module.kernel("second").code_place, 0u);
  EXPECT_EQ(module.kernel("first").code_place, 2u);
}

}  // namespace module_memory_test
}  // namespace warpfork::simt
