// Surfaces, the handles of images, and what is refused; expected values by hand from the PTX ISA, "suld", "sust".
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "reference_harness/harness.h"
#include "reference_harness/image_module.h"

namespace warpfork::reference {
namespace image_test {

using simt::Image;
using Words = std::vector<std::uint32_t>;

/// Texels of 4 bytes.
Image surface(std::uint32_t width, std::uint32_t height = 1, std::uint32_t depth = 1) {
  Image image;
  image.kind = Image::kSurface;
  image.channels = 1;
  image.channel_bytes = 4;
  image.layout = Image::Layout::Array;
  image.width = width;
  image.height = height;
  image.depth = depth;
  return image;
}

/// %r0 … %r3, then the surface.
Words left_by(const Image& image, const Words& words, std::string_view body) {
  ImageModule module;
  module.image = image;
  module.words = words;
  module.body = body;
  return run_module_reference(module.ptx(), {1, 1, 1}, {1, 1, 1}, module.results());
}

std::uint32_t loaded(const Image& image, const Words& words, std::string_view instruction) {
  return left_by(image, words, instruction)[0];
}

Words stored(const Image& image, const Words& words, std::string_view body) {
  const Words left = left_by(image, words, body);
  return {left.begin() + 4, left.end()};
}

/// What an instruction is refused with; empty if it is not.
std::string refusal(const Image& image, std::string_view body) {
  try {
    left_by(image, Words(64), body);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool is_out_of_bounds(const Image& image, std::string_view body) {
  return refusal(image, body).find("out of the surface's bounds") != std::string::npos;
}

const Words kFour{10, 20, 30, 40};

TEST(ReferenceSurface, places_are_in_bytes) {
  EXPECT_EQ(loaded(surface(4), kFour, "suld.b.1d.b32.trap {%r0}, [%image, {12}];"), 40u);
  EXPECT_EQ(loaded(surface(4), kFour, "suld.b.1d.b16.trap %h0, [%image, 4]; cvt.u32.u16 %r0, %h0;"), 20u);
  EXPECT_EQ(loaded(surface(4), {0x80ff}, "suld.b.1d.b8.trap %h0, [%image, 1]; cvt.u32.u16 %r0, %h0;"), 0x80u);
  EXPECT_EQ(left_by(surface(4), kFour, "suld.b.1d.cg.b64.trap %d0, [%image, {8}]; mov.b64 {%r0, %r1}, %d0;")[1], 40u);
}

TEST(ReferenceSurface, trap_refuses_what_is_outside_on_each_side) {
  EXPECT_EQ(refusal(surface(4), "suld.b.1d.b32.trap %r0, [%image, 12];"), "");
  EXPECT_TRUE(is_out_of_bounds(surface(4), "suld.b.1d.b32.trap %r0, [%image, 16];"));
  EXPECT_TRUE(is_out_of_bounds(surface(4), "suld.b.1d.b32.trap %r0, [%image, -4];"));
  EXPECT_TRUE(is_out_of_bounds(surface(4, 2), "sust.b.2d.b32.trap [%image, {0, 2}], %r0;"));
  EXPECT_TRUE(is_out_of_bounds(surface(4, 2), "sust.b.2d.b32.trap [%image, {0, -1}], %r0;"));
  EXPECT_TRUE(is_out_of_bounds(surface(4, 2, 2), "sust.b.3d.b32.trap [%image, {0, 0, 2, 0}], %r0;"));
  EXPECT_TRUE(is_out_of_bounds(surface(4, 1, 2), "sust.b.a1d.b32.trap [%image, {2, 0}], %r0;"));
}

TEST(ReferenceSurface, clamp_takes_the_nearest_place_inside) {
  EXPECT_EQ(loaded(surface(4), kFour, "suld.b.1d.b32.clamp %r0, [%image, 16];"), 40u);
  EXPECT_EQ(loaded(surface(4), kFour, "suld.b.1d.b32.clamp %r0, [%image, -4];"), 10u);
  EXPECT_EQ(stored(surface(4), kFour, "sust.b.1d.b32.clamp [%image, 400], 5;"), (Words{10, 20, 30, 5}));
  EXPECT_EQ(stored(surface(4), kFour, "sust.b.1d.v2.b32.clamp [%image, 16], {5, 6};"), (Words{10, 20, 5, 6}));
}

TEST(ReferenceSurface, zero_loads_zeros_outside_and_stores_nothing) {
  EXPECT_EQ(loaded(surface(4), kFour, "mov.u32 %r0, 7; suld.b.1d.b32.zero %r0, [%image, 16];"), 0u);
  EXPECT_EQ(loaded(surface(4), kFour, "suld.b.1d.b32.zero %r0, [%image, 12];"), 40u);
  EXPECT_EQ(stored(surface(4), kFour, "sust.b.1d.b32.zero [%image, 16], 5;"), kFour);
  EXPECT_EQ(stored(surface(4), kFour, "sust.b.1d.b32.zero [%image, -4], 5;"), kFour);
  EXPECT_EQ(stored(surface(4), kFour, "sust.b.1d.b32.zero [%image, 12], 5;"), (Words{10, 20, 30, 5}));
}

TEST(ReferenceSurface, places_are_aligned_to_the_whole_access) {
  for (const char* mode : {"trap", "clamp", "zero"}) {
    const auto refused = [&](const char* form, int x) {
      return refusal(surface(4), fmt::format("suld.b.1d.{}.{} {{_, _}}, [%image, {}];", form, mode, x));
    };
    EXPECT_NE(refused("v2.b32", 4).find("misaligned"), std::string::npos);
    EXPECT_EQ(refused("v2.b32", 8), "");
    EXPECT_EQ(refused("v2.b8", 2), "");
    EXPECT_NE(refused("v2.b8", 1).find("misaligned"), std::string::npos);
  }
}

TEST(ReferenceSurface, vectors_are_inside_as_a_whole_or_not_at_all) {
  const Words three{10, 20, 30};
  EXPECT_TRUE(is_out_of_bounds(surface(3), "suld.b.1d.v2.b32.trap {%r0, %r1}, [%image, 8];"));
  EXPECT_EQ(loaded(surface(3), three, "suld.b.1d.v2.b32.zero {%r0, %r1}, [%image, 8];"), 0u);
  EXPECT_EQ(stored(surface(3), three, "sust.b.1d.v2.b32.zero [%image, 8], {5, 6};"), three);
  EXPECT_EQ(loaded(surface(3), three, "suld.b.1d.v2.b32.clamp {%r0, %r1}, [%image, 8];"), 10u);
  EXPECT_TRUE(is_out_of_bounds(surface(3), "suld.b.1d.v4.b32.clamp {%r0, %r1, %r2, %r3}, [%image, 0];"))
      << "no place is inside";
}

TEST(ReferenceSurface, vectors_lie_in_ascending_order) {
  const Words left = left_by(surface(4), kFour, "suld.b.1d.v4.b32.trap {%r0, _, %r2, %r3}, [%image, 0];");
  EXPECT_EQ(Words(left.begin(), left.begin() + 4), (Words{10, 0, 30, 40}));
  EXPECT_EQ(stored(surface(4), kFour, "mov.u16 %h0, 2; sust.b.1d.v4.b8.trap [%image, 8], {1, %h0, 3, 4};")[2],
            0x04030201u);
}

// Rows of an array with more than one lie 64 bytes apart, in blocks of 8; slices behind each other.
TEST(ReferenceSurface, rows_slices_and_layers_lie_where_the_array_has_them) {
  const Words stored_in_rows = stored(surface(4, 2), Words(128), "sust.b.2d.b32.trap [%image, {4, 1}], 5;");
  EXPECT_EQ(stored_in_rows[16 + 1], 5u);
  const Words in_slices = stored(surface(4, 2, 2), Words(256), "sust.b.3d.b32.trap [%image, {4, 1, 1, 0}], 5;");
  EXPECT_EQ(in_slices[128 + 16 + 1], 5u);
  const Words in_layers = stored(surface(4, 2, 2), Words(256), "sust.b.a2d.b32.clamp [%image, {9, 4, 9, 0}], 5;");
  EXPECT_EQ(in_layers[128 + 16 + 1], 5u);
  EXPECT_EQ(stored(surface(4, 1, 2), Words(32), "sust.b.a1d.b32.trap [%image, {1, 8}], 5;")[16 + 2], 5u);
}

TEST(ReferenceSurface, a_variable_is_the_handle_of_what_it_holds) {
  EXPECT_EQ(loaded(surface(4), kFour, "suld.b.1d.b32.trap %r0, [image, 8];"), 30u);
}

TEST(ReferenceImages, a_handle_of_something_else_is_refused) {
  const std::string fetch = "suld.b.1d.b32.trap %r0, [%image, 0];";
  EXPECT_NE(refusal({}, fetch).find("is that of no surface"), std::string::npos);
  EXPECT_NE(refusal(surface(4), "tex.1d.v4.u32.s32 {%r0, %r1, %r2, %r3}, [%image, 0];").find("is that of no texture"),
            std::string::npos);
  EXPECT_NE(refusal(surface(4), "mov.u64 %image, 0; " + fetch).find("handle 0x0 "), std::string::npos);
  EXPECT_NE(refusal(surface(4), "add.u64 %image, %image, 1; " + fetch).find("is that of no surface"),
            std::string::npos);
  EXPECT_NE(refusal(surface(4), "suld.b.1d.b32.trap %r0, [out, 0];").find("no texture or surface reference"),
            std::string::npos);
}

TEST(ReferenceImages, forms_that_are_not_supported_are_refused) {
  Image image = surface(4, 4);
  image.kind = Image::kTexture;
  const auto refused = [&](std::string_view instruction) {
    return refusal(image, instruction).find("support") != std::string::npos;
  };
  EXPECT_TRUE(refused("tex.cube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%image, {0.0, 0.0, 0.0, 0.0}];"));
  EXPECT_TRUE(refused("tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%image, %image, {0.0, 0.0}];"));
  EXPECT_TRUE(refused("tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%image, {0.0, 0.0}], {1, 1};"));
  EXPECT_TRUE(refused("tex.level.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%image, {0.0, 0.0}], 0.0, {1, 1};"));
  EXPECT_TRUE(refused("tex.2d.v2.f16x2.f32 {%r0, %r1}, [%image, {0.0, 0.0}];"));
  EXPECT_TRUE(refused("tld4.r.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%image, {0.0, 0.0}], {1, 1};"));
  EXPECT_TRUE(refused("txq.width.b32 %r0, [%image];"));
}

TEST(ReferenceImages, forms_of_surfaces_that_are_not_supported_are_refused) {
  const auto refused = [&](std::string_view instruction) {
    return refusal(surface(4, 4), instruction).find("not supported") != std::string::npos;
  };
  EXPECT_TRUE(refused("sust.p.2d.b32.trap [%image, {0, 0}], %r0;"));
  EXPECT_TRUE(refused("sured.b.add.2d.u32.trap [%image, {0, 0}], %r0;"));
  EXPECT_TRUE(refused("suq.width.b32 %r0, [%image];"));
}

}  // namespace image_test
}  // namespace warpfork::reference
