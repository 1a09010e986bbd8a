// How textures are read; expected values by hand from the CUDA C++ Programming Guide, "Texture Fetching", and from
// simt/image/image_layout.h's description of an array.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "reference_harness/harness.h"
#include "reference_harness/image_module.h"

namespace warpfork::reference {
namespace texture_test {

using simt::Image;
using Address = Image::Address;
using Texel = std::array<std::uint32_t, 4>;
using Words = std::vector<std::uint32_t>;

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

Texel fetched(const Image& image, const Words& words, std::string_view instruction) {
  ImageModule module;
  module.image = image;
  module.words = words;
  module.body = instruction;
  const auto left = run_module_reference(module.ptx(), {1, 1, 1}, {1, 1, 1}, module.results());
  return {left[0], left[1], left[2], left[3]};
}

/// `tex.GEOMETRY` with results of type .f32, as bits, and coordinates of that type.
Texel fetched_at(const Image& image, const Words& words, std::string_view geometry, std::vector<float> coordinates) {
  std::string list;
  for (const float x : coordinates) list += fmt::format("{}0f{:08X}", list.empty() ? "" : ", ", bits(x));
  return fetched(image, words,
                 fmt::format("tex.{}.v4.f32.f32 {{%r0, %r1, %r2, %r3}}, [%image, {{{}}}];", geometry, list));
}

float number_at(const Image& image, const Words& words, std::string_view geometry, std::vector<float> coordinates) {
  return std::bit_cast<float>(fetched_at(image, words, geometry, std::move(coordinates))[0]);
}

Texel fetched_by_number(const Image& image, const Words& words, std::string_view geometry, std::string_view numbers) {
  return fetched(image, words,
                 fmt::format("tex.{}.v4.u32.s32 {{%r0, %r1, %r2, %r3}}, [%image, {{{}}}];", geometry, numbers));
}

Image texture(Image::Channel channel, unsigned bytes, std::uint32_t width, std::uint32_t height = 1,
              std::uint32_t depth = 1) {
  Image image;
  image.kind = Image::kTexture;
  image.channel = channel;
  image.channels = 1;
  image.channel_bytes = static_cast<std::uint8_t>(bytes);
  image.layout = Image::Layout::Array;
  image.width = width;
  image.height = height;
  image.depth = depth;
  return image;
}

Image filtered(Image image) {
  image.is_filtered = true;
  return image;
}

Image normalized(Image image) {
  image.is_normalized = true;
  return image;
}

/// The border of integer texels is the bits of integers.
Image with_mode(Image image, Address mode, float border = 0) {
  image.address_mode = {mode, mode, mode};
  image.border = {border, border, border, border};
  return image;
}

const Words kFour{10, 20, 30, 40};
const Image kRow = texture(Image::Channel::Unsigned, 4, 4);

std::uint32_t nearest(const Image& image, float x) { return fetched_at(image, kFour, "1d", {x})[0]; }

TEST(ReferenceTexture, the_nearest_texel_is_that_whose_number_is_the_coordinate_rounded_down) {
  EXPECT_EQ(nearest(kRow, 0), 10u);
  EXPECT_EQ(nearest(kRow, 0.999f), 10u);
  EXPECT_EQ(nearest(kRow, 1), 20u);
  EXPECT_EQ(nearest(kRow, std::numeric_limits<float>::quiet_NaN()), 10u);
}

TEST(ReferenceTexture, clamping_takes_the_last_texel_on_each_side) {
  EXPECT_EQ(nearest(kRow, -0.5f), 10u);
  EXPECT_EQ(nearest(kRow, 4), 40u);
  EXPECT_EQ(nearest(kRow, std::numeric_limits<float>::infinity()), 40u);
  EXPECT_EQ(nearest(kRow, -std::numeric_limits<float>::infinity()), 10u);
}

TEST(ReferenceTexture, the_border_is_read_outside_on_each_side) {
  const Image image = with_mode(kRow, Address::Border, std::bit_cast<float>(7));
  EXPECT_EQ(nearest(image, -0.001f), 7u);
  EXPECT_EQ(nearest(image, 0), 10u);
  EXPECT_EQ(nearest(image, 3.999f), 40u);
  EXPECT_EQ(nearest(image, 4), 7u);
}

TEST(ReferenceTexture, the_border_is_read_as_its_bits) {
  const Image floats = with_mode(texture(Image::Channel::Float, 4, 4), Address::Border, -2.5f);
  EXPECT_EQ(fetched_at(floats, kFour, "1d", {-1}), (Texel{bits(-2.5f), 0, 0, 0}));
  const Image integers = with_mode(texture(Image::Channel::Signed, 4, 4), Address::Border, -2.5f);
  EXPECT_EQ(fetched_at(integers, kFour, "1d", {-1}), (Texel{bits(-2.5f), 0, 0, 0}));
}

TEST(ReferenceTexture, wrapping_and_mirroring_clamp_coordinates_that_are_not_normalized) {
  for (const Address mode : {Address::Wrap, Address::Mirror}) {
    EXPECT_EQ(nearest(with_mode(kRow, mode), 5), 40u);
    EXPECT_EQ(nearest(with_mode(kRow, mode), -2), 10u);
  }
}

// Of the normalized coordinates x the texel 4x modulo 4.
TEST(ReferenceTexture, wrapping_begins_again_on_each_side) {
  const Image image = with_mode(normalized(kRow), Address::Wrap);
  EXPECT_EQ(nearest(image, 0.75f), 40u);
  EXPECT_EQ(nearest(image, 1), 10u);
  EXPECT_EQ(nearest(image, 1.25f), 20u);
  EXPECT_EQ(nearest(image, -0.25f), 40u);
  EXPECT_EQ(nearest(image, -1.25f), 40u);
  EXPECT_EQ(nearest(image, -1), 10u);
}

// Texels 0 to 3, 3 to 0, 0 to 3, …; to the left of 0 again 0 to 3.
TEST(ReferenceTexture, mirroring_has_a_period_of_twice_the_width) {
  const Image image = with_mode(normalized(kRow), Address::Mirror);
  EXPECT_EQ(nearest(image, 1), 40u);
  EXPECT_EQ(nearest(image, 1.75f), 10u);
  EXPECT_EQ(nearest(image, 2), 10u);
  EXPECT_EQ(nearest(image, 2.25f), 20u);
  EXPECT_EQ(nearest(image, -0.25f), 10u);
  EXPECT_EQ(nearest(image, -1), 40u);
  EXPECT_EQ(nearest(image, -1.25f), 40u);
}

// 0x3eaaaaaa · 3 is the number below 1; 0x3eaaaaab · 3 = 1 + 2^-25 is 1 in single precision.
TEST(ReferenceTexture, a_normalized_coordinate_times_the_size_is_rounded_to_single_precision) {
  const Image image = normalized(texture(Image::Channel::Unsigned, 4, 3));
  EXPECT_EQ(nearest(image, std::bit_cast<float>(0x3eaaaaaau)), 10u);
  EXPECT_EQ(nearest(image, std::bit_cast<float>(0x3eaaaaabu)), 20u);
}

TEST(ReferenceTexture, integer_coordinates_number_texels_even_of_normalized_textures) {
  EXPECT_EQ(fetched_by_number(kRow, kFour, "1d", "3")[0], 40u);
  EXPECT_EQ(fetched_by_number(kRow, kFour, "1d", "-1")[0], 10u);
  const Image image = with_mode(normalized(kRow), Address::Wrap);
  EXPECT_EQ(fetched_by_number(image, kFour, "1d", "5")[0], 20u);
  EXPECT_EQ(fetched_by_number(image, kFour, "1d", "-1")[0], 40u);
  EXPECT_EQ(fetched(kRow, kFour, "tex.1d.v4.s32.s32 {_, %r1, %r2, %r3}, [%image, 2];"), Texel{}) << "one discarded";
}

TEST(ReferenceTexture, a_buffer_reads_zeros_behind_its_end) {
  Image image = with_mode(texture(Image::Channel::Unsigned, 4, 3), Address::Border, 7);
  image.layout = Image::Layout::Buffer;
  EXPECT_EQ(fetched_by_number(image, kFour, "1d", "2")[0], 30u);
  EXPECT_EQ(fetched_by_number(image, kFour, "1d", "3"), Texel{});
  EXPECT_EQ(fetched_by_number(image, kFour, "1d", "-1"), Texel{});
}

const Words kNumbers{bits(1), bits(3), bits(8), bits(-2)};
const Image kLine = filtered(texture(Image::Channel::Float, 4, 4));

// x - 0.5 is the place between the texels' middles.
TEST(ReferenceTexture, linear_reading_weighs_two_texels) {
  EXPECT_EQ(number_at(kLine, kNumbers, "1d", {1}), 2);         // half of 1, half of 3
  EXPECT_EQ(number_at(kLine, kNumbers, "1d", {1.5f}), 3);      // the middle of texel 1
  EXPECT_EQ(number_at(kLine, kNumbers, "1d", {1.75f}), 4.25);  // ¾ · 3 + ¼ · 8
  EXPECT_EQ(number_at(kLine, kNumbers, "1d", {std::numeric_limits<float>::quiet_NaN()}), 1);
}

TEST(ReferenceTexture, linear_reading_sends_each_texel_through_the_address_mode) {
  EXPECT_EQ(number_at(kLine, kNumbers, "1d", {0.25f}), 1);
  EXPECT_EQ(number_at(with_mode(kLine, Address::Border, 5), kNumbers, "1d", {0.25f}), 2);        // ¼ · 5 + ¾ · 1
  EXPECT_EQ(number_at(with_mode(normalized(kLine), Address::Wrap), kNumbers, "1d", {0}), -0.5);  // (-2 + 1) / 2
  EXPECT_EQ(number_at(with_mode(normalized(kLine), Address::Wrap), kNumbers, "1d", {1.0625f}), 0.25);  // ¼, ¾ of them
  EXPECT_EQ(number_at(with_mode(normalized(kLine), Address::Mirror), kNumbers, "1d", {0}), 1);         // 1 and 1
  EXPECT_EQ(number_at(with_mode(normalized(kLine), Address::Mirror), kNumbers, "1d", {1.125f}), -2);   // -2 and -2
  EXPECT_EQ(number_at(with_mode(normalized(kLine), Address::Mirror), kNumbers, "1d", {1.1875f}),
            0.5);  // ¾ · -2 + ¼ · 8
}

// Weights have eight bits behind the point: 255.25 of 256 are 255, 255.5 are the next texel.
TEST(ReferenceTexture, a_weight_of_nearly_one_rounds_to_the_next_texel) {
  EXPECT_EQ(number_at(kLine, kNumbers, "1d", {1.5f + 255.25f / 256}), (3 + 8 * 255) / 256.0f);
  EXPECT_EQ(number_at(kLine, kNumbers, "1d", {1.5f + 255.5f / 256}), 8);
  EXPECT_EQ(number_at(kLine, kNumbers, "1d", {2.499f}), 8);
}

/// Words of an array of 2 × 2 × `slices` texels of 4 bytes, which are blocks of 64 bytes by 8 rows, one a slice.
Words small_array(const std::vector<float>& values) {
  Words words(values.size() / 4 * 128);
  for (std::size_t i = 0; i < values.size(); ++i) words[i / 4 * 128 + i / 2 % 2 * 16 + i % 2] = bits(values[i]);
  return words;
}

// 1.5 halfway in the upper row, 8 in the lower one; of these ¼ and ¾.
TEST(ReferenceTexture, linear_reading_in_two_dimensions_weighs_four_texels) {
  const Image image = filtered(texture(Image::Channel::Float, 4, 2, 2));
  EXPECT_EQ(number_at(image, small_array({1, 2, 5, 11}), "2d", {1, 1.25f}), 6.375);
}

// Texels of x + 10y + 100z: in between, the same of the place from the middle of the first.
TEST(ReferenceTexture, linear_reading_in_three_dimensions_weighs_eight_texels) {
  const Image image = filtered(texture(Image::Channel::Float, 4, 2, 2, 2));
  const Words words = small_array({0, 1, 10, 11, 100, 101, 110, 111});
  EXPECT_EQ(number_at(image, words, "3d", {1.25f, 1, 0.75f, 0}), 0.75 + 10 * 0.5 + 100 * 0.25);
}

TEST(ReferenceTexture, integers_are_read_as_such_whatever_the_filter) {
  EXPECT_EQ(nearest(filtered(kRow), 1.75f), 20u);
}

TEST(ReferenceTexture, narrow_integers_are_extended_by_their_sign) {
  const Words bytes{0x7f80ff01}, halves{0xffff8000};
  EXPECT_EQ(fetched_by_number(texture(Image::Channel::Unsigned, 1, 4), bytes, "1d", "2")[0], 0x80u);
  EXPECT_EQ(fetched_by_number(texture(Image::Channel::Signed, 1, 4), bytes, "1d", "2")[0], 0xffffff80u);
  EXPECT_EQ(fetched_by_number(texture(Image::Channel::Signed, 1, 4), bytes, "1d", "3")[0], 0x7fu);
  EXPECT_EQ(fetched_by_number(texture(Image::Channel::Unsigned, 2, 2), halves, "1d", "0")[0], 0x8000u);
  EXPECT_EQ(fetched_by_number(texture(Image::Channel::Signed, 2, 2), halves, "1d", "0")[0], 0xffff8000u);
}

Image fractions(Image image) {
  image.reads_fractions = true;
  return image;
}

// 51/255 = 13107/65535 = 1/5
TEST(ReferenceTexture, unsigned_fractions_go_from_zero_to_one) {
  const Image bytes = fractions(texture(Image::Channel::Unsigned, 1, 4));
  EXPECT_EQ(number_at(bytes, {0x80ff3300}, "1d", {0}), 0);
  EXPECT_EQ(number_at(bytes, {0x80ff3300}, "1d", {1}), 0.2f);
  EXPECT_EQ(number_at(bytes, {0x80ff3300}, "1d", {2}), 1);
  EXPECT_EQ(number_at(bytes, {0x80ff3300}, "1d", {3}), static_cast<float>(128 / 255.0));
  EXPECT_EQ(number_at(fractions(texture(Image::Channel::Unsigned, 2, 2)), {0xffff3333}, "1d", {0}), 0.2f);
  EXPECT_EQ(number_at(fractions(texture(Image::Channel::Unsigned, 2, 2)), {0xffff3333}, "1d", {1}), 1);
}

TEST(ReferenceTexture, the_least_signed_fraction_is_minus_one_twice) {
  const Image bytes = fractions(texture(Image::Channel::Signed, 1, 4)),
              halves = fractions(texture(Image::Channel::Signed, 2, 2));
  EXPECT_EQ(number_at(bytes, {0x827f8180}, "1d", {0}), -1);
  EXPECT_EQ(number_at(bytes, {0x827f8180}, "1d", {1}), -1);
  EXPECT_EQ(number_at(bytes, {0x827f8180}, "1d", {2}), 1);
  EXPECT_EQ(number_at(bytes, {0x827f8180}, "1d", {3}), static_cast<float>(-126 / 127.0));
  EXPECT_EQ(number_at(halves, {0x80018000}, "1d", {0}), -1);
  EXPECT_EQ(number_at(halves, {0x80018000}, "1d", {1}), -1);
}

// The halves of 1/5 and 1
TEST(ReferenceTexture, fractions_are_weighed_by_linear_reading) {
  EXPECT_EQ(number_at(filtered(fractions(texture(Image::Channel::Unsigned, 1, 2))), {0xff33}, "1d", {1}), 0.6f);
}

TEST(ReferenceTexture, fractions_of_32_bits_are_integers) { EXPECT_EQ(nearest(filtered(fractions(kRow)), 1.75f), 20u); }

// 0x3c00 = 1, 0x0001 = 2^-24, 0xfc00 = -∞
TEST(ReferenceTexture, half_floats_become_floats) {
  const Image image = texture(Image::Channel::Float, 2, 4);
  const Words words{0x00013c00, 0x7e01fc00};
  EXPECT_EQ(number_at(image, words, "1d", {0}), 1);
  EXPECT_EQ(number_at(image, words, "1d", {1}), 0x1p-24f);
  EXPECT_EQ(number_at(image, words, "1d", {2}), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(number_at(filtered(image), words, "1d", {1}), 0.5f + 0x1p-25f);
}

TEST(ReferenceTexture, a_float_is_read_as_it_is_and_a_weighted_nan_is_the_canonical_one) {
  const Image image = texture(Image::Channel::Float, 4, 2);
  const Words words{0x7fc00001, bits(1)};
  EXPECT_EQ(fetched_at(image, words, "1d", {0})[0], 0x7fc00001u);
  EXPECT_EQ(fetched_at(filtered(image), words, "1d", {1})[0], 0x7fffffffu);
}

TEST(ReferenceTexture, a_sum_of_negative_zeros_is_one) {
  EXPECT_EQ(fetched_at(kLine, Words(4, bits(-0.0f)), "1d", {2.25f})[0], bits(-0.0f));
}

TEST(ReferenceTexture, channels_that_a_texel_lacks_are_zero) {
  Image image = texture(Image::Channel::Unsigned, 4, 2);
  image.channels = 2;
  EXPECT_EQ(fetched_by_number(image, kFour, "1d", "1"), (Texel{30, 40, 0, 0}));
  image = texture(Image::Channel::Unsigned, 1, 1);
  image.channels = 4;
  EXPECT_EQ(fetched_by_number(image, {0x04030201}, "1d", "0"), (Texel{1, 2, 3, 4}));
}

// An array of one row has blocks of one row: 16 words a layer.
TEST(ReferenceTexture, layers_are_clamped_to_the_last) {
  const Image image = texture(Image::Channel::Unsigned, 4, 4, 1, 3);
  Words words(48);
  for (unsigned layer = 0; layer < 3; ++layer) words[16 * layer + 2] = 100 + layer;
  EXPECT_EQ(fetched_by_number(image, words, "a1d", "1, 2")[0], 101u);
  EXPECT_EQ(fetched_by_number(image, words, "a1d", "3, 2")[0], 102u);
  EXPECT_EQ(fetched_by_number(image, words, "a1d", "-1, 2")[0], 102u) << "the largest of all numbers";
}

// Layer 1 is the second slice; x as in two dimensions.
TEST(ReferenceTexture, layers_are_not_weighed) {
  const Image image = filtered(texture(Image::Channel::Float, 4, 2, 2, 2));
  const Words words = small_array({0, 0, 0, 0, 1, 2, 5, 11});
  const Texel found = fetched(image, words, "tex.a2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%image, {1, 1.0, 1.25, 0.0}];");
  EXPECT_EQ(std::bit_cast<float>(found[0]), 6.375);
}

// 100 bytes by 10 rows are 2 × 2 blocks of 512 bytes. (70, 9) lies in block 3, its row 1, its byte 6.
TEST(ReferenceTexture, an_array_lies_in_blocks_of_64_bytes_by_8_rows) {
  Words words(3 * 2048 / 4);
  words[(3 * 512 + 64 + 6) / 4] = 0x00550000;
  EXPECT_EQ(fetched_by_number(texture(Image::Channel::Unsigned, 1, 100, 10), words, "2d", "70, 9")[0], 0x55u);
  words[(2 * 2048 + 3 * 512 + 64 + 6) / 4] = 0x00660000;
  EXPECT_EQ(fetched_by_number(texture(Image::Channel::Unsigned, 1, 100, 10, 3), words, "3d", "70, 9, 2, 0")[0], 0x66u);
}

/// Texels of 3 × 3 in rows of 16 bytes: 11, 12, 13; 21, 22, 23; 31, 32, 33.
Image pitched() {
  Image image = texture(Image::Channel::Unsigned, 4, 3, 3);
  image.layout = Image::Layout::Pitched;
  image.pitch = 16;
  return image;
}
const Words kPitched{11, 12, 13, 0, 21, 22, 23, 0, 31, 32, 33, 0};

TEST(ReferenceTexture, rows_of_linear_memory_lie_a_pitch_apart) {
  EXPECT_EQ(fetched_by_number(pitched(), kPitched, "2d", "2, 1")[0], 23u);
  EXPECT_EQ(fetched_by_number(pitched(), kPitched, "2d", "3, 3")[0], 33u);
}

TEST(ReferenceTexture, each_dimension_has_an_address_mode_of_its_own) {
  Image image = normalized(pitched());
  image.address_mode = {Address::Wrap, Address::Border, Address::Clamp};
  image.border = {std::bit_cast<float>(9), 0, 0, 0};
  EXPECT_EQ(fetched_by_number(image, kPitched, "2d", "3, 1")[0], 21u);
  EXPECT_EQ(fetched_by_number(image, kPitched, "2d", "1, 3")[0], 9u);
}

Texel gathered(const Image& image, std::string_view channel, float x, float y) {
  return fetched(image, kPitched,
                 fmt::format("tld4.{}.2d.v4.u32.f32 {{%r0, %r1, %r2, %r3}}, [%image, {{0f{:08X}, 0f{:08X}}}];", channel,
                             bits(x), bits(y)));
}

TEST(ReferenceTexture, a_gather_goes_counterclockwise_from_the_lower_left) {
  EXPECT_EQ(gathered(pitched(), "r", 1.5f, 1.5f), (Texel{32, 33, 23, 22}));
  EXPECT_EQ(gathered(pitched(), "r", 1.4f, 1.4f), (Texel{21, 22, 12, 11}));
  EXPECT_EQ(gathered(pitched(), "r", 0, 0), (Texel{11, 11, 11, 11}));
  EXPECT_EQ(gathered(pitched(), "g", 1.5f, 1.5f), Texel{}) << "there is none";
}

TEST(ReferenceTexture, a_gather_takes_the_channel_that_it_names) {
  Image image = pitched();
  image.width = 2;
  image.channels = 2;
  EXPECT_EQ(gathered(image, "r", 0.5f, 0.5f), (Texel{21, 23, 13, 11}));
  EXPECT_EQ(gathered(image, "g", 0.5f, 0.5f), (Texel{22, 0, 0, 12}));
}

TEST(ReferenceTexture, there_is_one_level_only) {
  EXPECT_EQ(fetched(kRow, kFour, "tex.level.1d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%image, {1.5}], 3.0;")[0], 20u);
  EXPECT_EQ(fetched(kRow, kFour, "tex.grad.1d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [%image, {1.5}], {3.0}, {3.0};")[0],
            20u);
}

}  // namespace texture_test
}  // namespace warpfork::reference
