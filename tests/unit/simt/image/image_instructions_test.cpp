// tex, tld4, suld and sust on one warp (PTX ISA, "Texture Instructions", "Surface Instructions").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "base/error.h"
#include "simt/image/image_layout.h"
#include "simt/memory_fault.h"
#include "unit/simt/one_warp.h"

namespace warpfork::simt {
namespace image_instructions_test {

using testing::AllOf;
using testing::HasSubstr;

/// An array of 16 by 8 texels of 4 bytes whose texel (x, y) is 100 y + x.
Image numbered(DeviceMemory& memory, std::uint32_t kind) {
  Image image;
  image.kind = kind;
  image.channels = 1;
  image.channel_bytes = 4;
  image.layout = Image::Layout::Array;
  image.width = 16;
  image.height = 8;
  image.address = memory.allocate(ArrayLayout(64, 8).slice_bytes(), "array");
  for (std::uint32_t y = 0; y < image.height; ++y)
    for (std::uint32_t x = 0; x < image.width; ++x) {
      const std::uint32_t number = 100 * y + x;
      std::memcpy(memory.find(texel_address(image, std::uint64_t{x} * 4, y, 0), 4), &number, 4);
    }
  return image;
}

/// Its handle is in %d1, each lane's number in %r5.
std::uint64_t give_image(OneWarp& warp, const Image& image) {
  const std::uint64_t handle = warp.memory().allocate(kImageBytes, "image");
  std::memcpy(warp.memory().find(handle, sizeof image), &image, sizeof image);
  warp.set64("%d1", handle);
  return handle;
}

Lanes32 lane_numbers(std::uint32_t step) {
  Lanes32 numbers;
  for (unsigned lane = 0; lane < 32; ++lane) numbers[lane] = step * lane;
  return numbers;
}

/// Reads all channels: what nothing reads would be left out.
const std::string kUse = "\nmov.b32 %r9, %r0;\nmov.b32 %r9, %r1;\nmov.b32 %r9, %r2;\nmov.b32 %r9, %r3;";
const std::string kRead = "tex.2d.v4.u32.s32 {%r0, %r1, _, %r3}, [%d1, {%r5, %r6}];" + kUse;

TEST(Texture, each_lane_reads_the_texel_of_its_coordinates) {
  OneWarp warp(kRead);
  give_image(warp, numbered(warp.memory(), Image::kTexture));
  warp.set("%r5", lane_numbers(1));
  warp.set("%r6", 3);
  warp.set("%r3", 9);
  warp.run(RowLanes(0xffff));
  EXPECT_EQ(warp.lane("%r0", 7), 307u);
  EXPECT_EQ(warp.lane("%r0", 16), 0u);
  EXPECT_EQ(warp.lane("%r3", 7), 0u);  // a channel that the texture does not have
  EXPECT_EQ(warp.lane("%r3", 16), 9u);
}

TEST(Texture, the_access_is_that_of_a_load_of_the_texel) {
  OneWarp warp(kRead);
  const Image image = numbered(warp.memory(), Image::kTexture);
  give_image(warp, image);
  warp.set("%r5", lane_numbers(1));
  warp.set("%r6", 1);
  warp.run();
  const MemoryAccess& access = warp.warp().access;
  EXPECT_EQ(access.space, MemorySpace::Global);
  EXPECT_EQ(access.lanes.count(), 32u);
  EXPECT_EQ(access.bytes, 4);
  EXPECT_EQ(access.address[2], image.address + 64 + 8);
  EXPECT_TRUE(warp.program().code[0].read_only);
}

TEST(Texture, lanes_outside_of_a_border_access_nothing) {
  OneWarp warp(kRead);
  Image image = numbered(warp.memory(), Image::kTexture);
  image.address_mode.fill(Image::Address::Border);
  give_image(warp, image);
  warp.set("%r5", lane_numbers(1));
  warp.run();
  EXPECT_EQ(warp.warp().access.lanes, ActiveMask::first(16));
  EXPECT_EQ(warp.lane("%r0", 15), 15u);
  EXPECT_EQ(warp.lane("%r0", 16), 0u);
}

TEST(Texture, a_filter_weighs_four_texels) {
  OneWarp warp("tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%d1, {%r5, %r6}];" + kUse);
  Image image = numbered(warp.memory(), Image::kTexture);
  image.channel = Image::Channel::Float;
  image.is_filtered = true;
  const float texels[] = {1, 3, 5, 9};  // (0,0), (1,0), (0,1), (1,1)
  for (unsigned i = 0; i < 4; ++i)
    std::memcpy(warp.memory().find(texel_address(image, 4 * (i % 2), i / 2, 0), 4), &texels[i], 4);
  give_image(warp, image);
  warp.set("%r5", std::bit_cast<std::uint32_t>(0.75f));  // a quarter of the way to the right
  warp.set("%r6", std::bit_cast<std::uint32_t>(1.0f));   // and half of it down
  warp.run();
  EXPECT_EQ(std::bit_cast<float>(warp.lane("%r0", 31)), 0.375f * 1 + 0.125f * 3 + 0.375f * 5 + 0.125f * 9);
}

TEST(Texture, the_access_of_a_filter_is_that_of_its_first_texel) {
  OneWarp warp("tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%d1, {%r5, %r6}];" + kUse);
  Image image = numbered(warp.memory(), Image::kTexture);
  image.channel = Image::Channel::Float;
  image.is_filtered = true;
  give_image(warp, image);
  warp.set("%r5", std::bit_cast<std::uint32_t>(3.0f));
  warp.set("%r6", std::bit_cast<std::uint32_t>(3.0f));
  warp.run();
  EXPECT_EQ(warp.warp().access.address[0], texel_address(image, 2 * 4, 2, 0));
}

TEST(Texture, lanes_may_read_different_textures) {
  OneWarp warp("mov.b64 %d1, {%r7, %r8};\n" + kRead);
  Image image = numbered(warp.memory(), Image::kTexture);
  const std::uint64_t first = give_image(warp, image);
  image.address += 8;  // two texels further
  const std::uint64_t second = give_image(warp, image);
  Lanes32 low;
  for (unsigned lane = 0; lane < 32; ++lane) low[lane] = static_cast<std::uint32_t>(lane % 2 == 0 ? first : second);
  warp.set("%r7", low);
  warp.set("%r8", static_cast<std::uint32_t>(first >> 32));
  warp.set("%r5", 5);
  warp.run();
  EXPECT_EQ(warp.lane("%r0", 2), 5u);
  EXPECT_EQ(warp.lane("%r0", 3), 7u);
}

TEST(Texture, a_gather_reads_one_channel_of_four_texels) {
  OneWarp warp("tld4.r.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%d1, {%r5, %r6}];" + kUse);
  give_image(warp, numbered(warp.memory(), Image::kTexture));
  warp.set("%r5", std::bit_cast<std::uint32_t>(4.0f));
  warp.set("%r6", std::bit_cast<std::uint32_t>(2.0f));
  warp.run();
  EXPECT_EQ(warp.lane("%r0"), 203u);
  EXPECT_EQ(warp.lane("%r1"), 204u);
  EXPECT_EQ(warp.lane("%r2"), 104u);
  EXPECT_EQ(warp.lane("%r3"), 103u);
}

TEST(Texture, a_variable_is_its_own_handle) {
  OneWarp warp(
      "tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [t, {%r5}];\nmov.u64 %d2, t;\n"
      "tex.1d.v4.u32.s32 {%r4, %r1, %r2, %r3}, [%d2, {%r5}];\nmov.b32 %r9, %r4;" +
          kUse,
      host_instruction_set(), ".global .texref t;\n");
  const LoadedModule::Symbol* const variable = warp.module().find_symbol("t");
  ASSERT_EQ(variable->bytes, kImageBytes);
  const Image image = numbered(warp.memory(), Image::kTexture);
  std::memcpy(warp.memory().find(variable->address, sizeof image), &image, sizeof image);
  warp.set("%r5", 5);
  warp.run();
  EXPECT_EQ(warp.lane("%r0"), 5u);
  EXPECT_EQ(warp.lane("%r4"), 5u);
}

std::string failure_of(OneWarp& warp) {
  try {
    warp.run();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Texture, coordinates_may_be_padded_to_four) {
  OneWarp warp("tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%d1, {%r5, %r5, %r5, %r5}];" + kUse);
  give_image(warp, numbered(warp.memory(), Image::kTexture));
  warp.set("%r5", 6);
  warp.run();
  EXPECT_EQ(warp.lane("%r0"), 6u);
  EXPECT_THAT(refusal("tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%d1, {%r5, %r5}];"),
              HasSubstr("the geometry has another number of coordinates"));
}

TEST(Texture, what_is_no_texture_is_named) {
  OneWarp warp(kRead);
  const std::uint64_t handle = give_image(warp, numbered(warp.memory(), Image::kSurface));
  EXPECT_THAT(failure_of(warp), HasSubstr(fmt::format("{:#x} is no texture object", handle)));
  warp.set64("%d1", 0);
  EXPECT_THAT(failure_of(warp), HasSubstr("0x0 is no texture object"));
  warp.set64("%d1", 12);
  EXPECT_THAT(failure_of(warp), AllOf(HasSubstr("0xc is no texture object"), HasSubstr("tex.2d.v4.u32.s32")));
}

TEST(Texture, records_that_no_texture_can_have_are_none) {
  for (unsigned fault = 0; fault < 4; ++fault) {
    OneWarp warp(kRead);
    Image image = numbered(warp.memory(), Image::kTexture);
    if (fault == 0) image.width = 0;
    if (fault == 1) image.channels = 5;
    if (fault == 2) image.channel_bytes = 3;
    if (fault == 3) image.layout = static_cast<Image::Layout>(3);
    give_image(warp, image);
    EXPECT_THAT(failure_of(warp), HasSubstr("is no texture object")) << fault;
  }
}

TEST(Texture, memory_that_is_gone_is_out_of_bounds) {
  OneWarp warp(kRead);
  const Image image = numbered(warp.memory(), Image::kTexture);
  give_image(warp, image);
  warp.memory().free(image.address);
  EXPECT_THAT(failure_of(warp), HasSubstr("the memory of the texture at 0x"));
}

TEST(Texture, forms_that_are_not_executed_are_refused) {
  const std::string samplers = ".global .texref t;\n.global .samplerref s;\n";
  for (const char* form :
       {"tex.cube.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%d1, {%r4,%r5,%r6,%r6}];",
        "tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [t, s, {%r4,%r5}];",
        "tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%d1, {%r4,%r5}], {1, 1};",
        "tex.2d.v2.f16x2.f32 {%r0,%r1}, [%d1, {%r4,%r5}];", "txq.width.b32 %r0, [%d1];",
        "tld4.r.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%d1, {%r4,%r5}], {1, 1};",
        "sust.p.2d.b32.trap [%d1, {%r4,%r5}], {%r0};", "sured.b.add.2d.u32.trap [%d1, {%r4,%r5}], %r0;"})
    EXPECT_THAT(refusal(form, samplers), HasSubstr("is not supported")) << form;
}

std::string surface_code(const char* boundary) {
  return fmt::format(
      "sust.b.2d.b32.{0} [%d1, {{%r5, %r6}}], %r7;\nsuld.b.2d.v2.b32.{0} {{%r0, %r1}}, [%d1, {{%r8, %r6}}];", boundary);
}

TEST(Surface, bytes_that_were_stored_are_loaded) {
  OneWarp warp(surface_code("trap"));
  give_image(warp, numbered(warp.memory(), Image::kSurface));
  warp.set("%r5", lane_numbers(4));
  warp.set("%r6", 2);
  warp.set("%r7", 77);
  warp.set("%r8", 8);
  warp.run(RowLanes(0b100));
  EXPECT_EQ(warp.lane("%r0", 2), 77u);
  EXPECT_EQ(warp.lane("%r1", 2), 203u);
  EXPECT_EQ(warp.warp().access.bytes, 8);
  EXPECT_FALSE(warp.warp().access.is_write);
}

TEST(Surface, the_boundary_says_what_is_done_outside) {
  for (const char* boundary : {"clamp", "zero"}) {
    OneWarp warp(surface_code(boundary));
    give_image(warp, numbered(warp.memory(), Image::kSurface));
    warp.set("%r5", 400);
    warp.set("%r7", 77);
    warp.set("%r8", 56);
    warp.run();
    EXPECT_EQ(warp.lane("%r0"), 14u);
    EXPECT_EQ(warp.lane("%r1"), boundary == std::string("clamp") ? 77u : 15u);
  }
}

TEST(Surface, a_load_outside_of_zero_is_zero) {
  OneWarp warp("suld.b.2d.b32.zero %r0, [%d1, {%r5, %r6}];\nsuld.b.2d.b64.zero %d0, [%d1, {%r5, %r6}];");
  give_image(warp, numbered(warp.memory(), Image::kSurface));
  warp.set("%r0", 5);
  warp.set64("%d0", 5);
  warp.set("%r6", 8);
  warp.run();
  EXPECT_EQ(warp.lane("%r0"), 0u);
  EXPECT_EQ(warp.lane64("%d0"), 0u);
}

MemoryFault::Kind fault_of(std::uint32_t x, std::uint32_t y) {
  OneWarp warp("suld.b.2d.b32.trap %r0, [%d1, {%r5, %r6}];");
  give_image(warp, numbered(warp.memory(), Image::kSurface));
  warp.set("%r5", x);
  warp.set("%r6", y);
  try {
    warp.run();
  } catch (const MemoryFault& fault) {
    return fault.kind();
  }
  throw Error("no fault");
}

TEST(Surface, a_trap_is_a_fault_as_of_other_memory) {
  EXPECT_EQ(fault_of(64, 0), MemoryFault::Kind::OutOfBounds);
  EXPECT_EQ(fault_of(static_cast<std::uint32_t>(-4), 0), MemoryFault::Kind::OutOfBounds);
  EXPECT_EQ(fault_of(0, 8), MemoryFault::Kind::OutOfBounds);
  EXPECT_EQ(fault_of(6, 0), MemoryFault::Kind::Misaligned);
}

}  // namespace image_instructions_test
}  // namespace warpfork::simt
