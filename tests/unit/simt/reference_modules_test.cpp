// Whole modules under both executors: grids and blocks of three dimensions, 32-bit addresses, variables of every space.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fast_run.h"

namespace warpfork::simt {
namespace reference_modules_test {

void agree(std::string_view ptx, Dim3 grid, Dim3 block, std::size_t words) {
  const std::vector<std::uint32_t> expected = run_module_reference(ptx, grid, block, words);
  for (const std::uint64_t seed : {2u, 3u, 4u}) EXPECT_EQ(run_module_fast(ptx, grid, block, words, seed), expected);
}

/// Every thread stores one special register at its place in the grid.
std::string store_special(std::string_view name) {
  return fmt::format(R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry body(.param .u64 out)
{{
  .reg .b32 %r<8>;
  .reg .b64 %d<3>;
  mov.u32 %r0, %ctaid.z;
  mov.u32 %r1, %nctaid.y;
  mov.u32 %r2, %ctaid.y;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  mov.u32 %r1, %nctaid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  mov.u32 %r1, %ntid.z;
  mov.u32 %r2, %tid.z;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  mov.u32 %r1, %ntid.y;
  mov.u32 %r2, %tid.y;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  ld.param.u64 %d0, [out];
  mad.wide.u32 %d0, %r0, 4, %d0;
  mov.u32 %r3, {};
  st.global.u32 [%d0], %r3;
  ret;
}}
)",
                     name);
}

TEST(Modules, special_registers_agree_in_three_dimensions) {
  const Dim3 grid{2, 3, 2}, block{5, 3, 4};
  for (const char* name : {"%tid.x",       "%tid.y",       "%tid.z",
                           "%ntid.x",      "%ntid.y",      "%ntid.z",
                           "%ctaid.x",     "%ctaid.y",     "%ctaid.z",
                           "%nctaid.x",    "%nctaid.y",    "%nctaid.z",
                           "%laneid",      "%warpid",      "%nwarpid",
                           "%lanemask_eq", "%lanemask_lt", "%lanemask_le",
                           "%lanemask_gt", "%lanemask_ge", "%dynamic_smem_size",
                           "%tid.w",       "%ntid.w"}) {
    SCOPED_TRACE(name);
    agree(store_special(name), grid, block, grid.count() * block.count());
  }
}

constexpr const char* kAddressesOf32Bits = R"(.version 3.2
.target sm_20
.address_size 32
.global .u32 table[4] = {10, 20, 30, 40};
.visible .entry body(.param .u32 out)
{
  .reg .u32 %r<8>;
  .shared .align 4 .b8 tile[256];
  .local .align 4 .b8 own[8];
  ld.param.u32 %r0, [out];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  and.b32 %r3, %r2, 12;
  mov.u32 %r4, table;
  add.u32 %r4, %r4, %r3;
  ld.global.u32 %r5, [%r4];
  mov.u32 %r6, tile;
  add.u32 %r6, %r6, %r2;
  st.shared.u32 [%r6], %r5;
  cvta.shared.u32 %r6, %r6;
  ld.u32 %r5, [%r6];
  st.local.u32 [own+4], %r5;
  mov.u32 %r7, own;
  add.u32 %r7, %r7, 8;
  ld.local.u32 %r5, [%r7+-4];
  add.u32 %r0, %r0, %r2;
  st.global.u32 [%r0], %r5;
  ret;
}
)";

TEST(Modules, addresses_of_32_bits_agree) { agree(kAddressesOf32Bits, {1, 1, 1}, {40, 1, 1}, 40); }

/// Compilers load so where they know that the bytes behind a variable's end are not used.
constexpr const char* kLoadsOfPadding = R"(.version 7.8
.target sm_90
.address_size 64
.global .align 4 .u8 global = 1;
.const .align 4 .b8 constants[3] = {2, 3, 4};
.shared .align 8 .b8 tile[5];
.visible .entry body(.param .u64 out)
{
  .reg .b32 %r<8>;
  .reg .b64 %d<4>;
  .local .align 16 .b8 own[9];
  st.shared.u8 [tile+4], 5;
  st.local.u8 [own+8], 6;
  ld.global.u16 %r0, [global];
  ld.const.u32 %r1, [constants];
  ld.shared.v2.u16 {%r2, %r3}, [tile+4];
  ld.local.v2.u32 {%r4, %r5}, [own+8];
  ld.param.u64 %d0, [out];
  st.global.v4.u32 [%d0], {%r0, %r1, %r2, %r3};
  st.global.v2.u32 [%d0+16], {%r4, %r5};
  ret;
}
)";

TEST(Modules, loads_of_the_room_up_to_a_variables_alignment_agree) {
  agree(kLoadsOfPadding, {1, 1, 1}, {1, 1, 1}, 6);
  EXPECT_EQ(run_module_fast(kLoadsOfPadding, {1, 1, 1}, {1, 1, 1}, 6, 2),
            (std::vector<std::uint32_t>{1, 0x00040302, 5, 0, 6, 0}));
}

constexpr const char* kVariablesOfEverySpace = R"(.version 7.8
.target sm_90
.address_size 64
.const .align 4 .u32 weights[8] = {1, 2, 3, 5, 7, 11, 13, 17};
.global .align 8 .u64 pointers[2] = {generic(values)+4, values};
.global .align 4 .f32 values[4] = {0f3F800000, 2.5, -0.5, 0f7F800000};
.global .align 1 .b8 text[6] = {104, 101, 108, 108, 111};
.shared .align 4 .u32 counters[4];
.visible .entry body(.param .u64 out)
{
  .reg .b32 %r<8>;
  .reg .b64 %d<4>;
  .reg .pred %p<2>;
  .shared .align 8 .b8 tile[512];
  mov.u32 %r0, %tid.x;
  and.b32 %r1, %r0, 7;
  mov.u64 %d0, weights;
  mad.wide.u32 %d0, %r1, 4, %d0;
  ld.const.u32 %r2, [%d0];
  ld.const.u32 %r3, [weights+12];
  add.u32 %r2, %r2, %r3;
  ld.global.u64 %d1, [pointers];
  ld.u32 %r3, [%d1];
  ld.global.u64 %d1, [pointers+8];
  ld.global.u32 %r4, [%d1+8];
  xor.b32 %r2, %r2, %r3;
  xor.b32 %r2, %r2, %r4;
  ld.global.u8 %r3, [text+1];
  add.u32 %r2, %r2, %r3;
  setp.lt.u32 %p0, %r0, 4;
  mov.u64 %d0, counters;
  mad.wide.u32 %d0, %r0, 4, %d0;
  @%p0 st.shared.u32 [%d0], %r0;
  bar.sync 0;
  and.b32 %r4, %r0, 3;
  mov.u64 %d0, counters;
  mad.wide.u32 %d0, %r4, 4, %d0;
  red.shared.add.u32 [%d0], %r2;
  bar.sync 0;
  ld.shared.u32 %r5, [%d0];
  mov.u64 %d1, tile;
  mad.wide.u32 %d1, %r0, 8, %d1;
  st.shared.v2.u32 [%d1], {%r5, %r2};
  ld.shared.u64 %d2, [%d1];
  ld.param.u64 %d3, [out];
  cvta.to.global.u64 %d3, %d3;
  mov.u32 %r6, %ctaid.x;
  mad.lo.u32 %r6, %r6, 64, %r0;
  mad.wide.u32 %d3, %r6, 8, %d3;
  st.global.u64 [%d3], %d2;
  ret;
}
)";

TEST(Modules, variables_and_pointers_of_every_space_agree) {
  agree(kVariablesOfEverySpace, {3, 1, 1}, {64, 1, 1}, 2 * 3 * 64);
}

/// Functions of one signature in a table, of which `again` calls the first two through it.
constexpr const char* kCallsThroughPointers = R"(.version 7.8
.target sm_90
.address_size 64
.func (.param .b32 r) twice(.param .b32 a);
.func (.param .b32 r) next(.param .b32 a);
.func (.param .b32 r) again(.param .b32 a);
.global .align 8 .u64 table[3] = {twice, next, again};
.func (.param .b32 r) twice(.param .b32 a)
{
  .reg .b32 %v;
  ld.param.b32 %v, [a];
  add.u32 %v, %v, %v;
  st.param.b32 [r], %v;
  ret;
}
.func (.param .b32 r) next(.param .b32 a)
{
  .reg .b32 %v;
  ld.param.b32 %v, [a];
  add.u32 %v, %v, 7;
  st.param.b32 [r], %v;
  ret;
}
.func (.param .b32 r) again(.param .b32 a)
{
  .reg .b32 %v, %i;
  .reg .b64 %f;
  P: .callprototype (.param .b32 _) _ (.param .b32 _);
  ld.param.b32 %v, [a];
  shr.u32 %i, %v, 2;
  and.b32 %i, %i, 1;
  mov.u64 %f, table;
  mad.wide.u32 %f, %i, 8, %f;
  ld.global.u64 %f, [%f];
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %v; call (y), %f, (x), P; ld.param.b32 %v, [y]; }
  st.param.b32 [r], %v;
  ret;
}
.visible .entry body(.param .u64 out)
{
  .reg .b32 %r<5>;
  .reg .b64 %d<4>;
  .reg .pred %p;
  P: .callprototype (.param .b32 _) _ (.param .b32 _);
  mov.u32 %r0, %tid.x;
  rem.u32 %r1, %r0, 3;
  mov.u64 %d0, table;
  mad.wide.u32 %d0, %r1, 8, %d0;
  ld.global.u64 %d1, [%d0];
  mov.u32 %r2, 1000;
  setp.ne.u32 %p, %r0, 5;
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %r0; st.param.b32 [y], %r2;
    @%p call (y), %d1, (x), P; ld.param.b32 %r2, [y]; }
  ld.param.u64 %d2, [out];
  mad.wide.u32 %d2, %r0, 8, %d2;
  cvt.u32.u64 %r3, %d1;
  st.global.v2.u32 [%d2], {%r2, %r3};
  ret;
}
)";

/// A parameter is read by its address, in a kernel that has parameters of its own at such addresses.
constexpr const char* kParameterByAddress = R"(.version 7.8
.target sm_90
.address_size 64
.func (.param .b32 r) second(.param .align 4 .b8 a[8])
{
  .reg .b32 %v;
  .reg .b64 %d;
  mov.b64 %d, a;
  ld.param.b32 %v, [%d+4];
  st.param.b32 [r], %v;
  ret;
}
.visible .entry body(.param .u64 out)
{
  .reg .b32 %r<3>;
  .reg .b64 %d<2>;
  mov.u32 %r0, %tid.x;
  add.u32 %r1, %r0, 1000;
  { .param .align 4 .b8 x[8]; .param .b32 y; st.param.b32 [x], %r0; st.param.b32 [x+4], %r1;
    call (y), second, (x); ld.param.b32 %r2, [y]; }
  ld.param.u64 %d0, [out];
  mad.wide.u32 %d0, %r0, 4, %d0;
  st.global.u32 [%d0], %r2;
  ret;
}
)";

TEST(Modules, parameters_that_are_read_by_their_addresses_agree) {
  agree(kParameterByAddress, {1, 1, 1}, {40, 1, 1}, 40);
}

constexpr const char* kCallsThroughNarrowPointers = R"(.version 3.2
.target sm_20
.address_size 32
.func (.reg .u32 %out) twice(.reg .u32 %in) { add.u32 %out, %in, %in; ret; }
.func (.reg .u32 %out) next(.reg .u32 %in) { add.u32 %out, %in, 1; ret; }
.global .u32 table[2] = {twice, next};
.visible .entry body(.param .u32 out)
{
  .reg .u32 %r<6>;
  P: .callprototype (.reg .u32 _) _ (.reg .u32 _);
  mov.u32 %r0, %tid.x;
  and.b32 %r1, %r0, 1;
  mov.u32 %r2, table;
  mad.lo.u32 %r2, %r1, 4, %r2;
  ld.global.u32 %r3, [%r2];
  call (%r4), %r3, (%r0), P;
  ld.param.u32 %r5, [out];
  mad.lo.u32 %r5, %r0, 4, %r5;
  st.global.u32 [%r5], %r4;
  ret;
}
)";

TEST(Modules, calls_through_pointers_of_32_bits_agree) {
  agree(kCallsThroughNarrowPointers, {1, 1, 1}, {40, 1, 1}, 40);
}

TEST(Modules, calls_through_pointers_agree) { agree(kCallsThroughPointers, {1, 1, 1}, {50, 1, 1}, 100); }

}  // namespace reference_modules_test
}  // namespace warpfork::simt
