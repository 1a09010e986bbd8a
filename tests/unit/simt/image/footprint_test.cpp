// Texels of a texture read and their weights, by hand from the CUDA C++ Programming Guide, "Texture Fetching".
#include "simt/image/footprint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace warpfork::simt {
namespace footprint_test {

using testing::ElementsAre;
using Address = Image::Address;

/// Of 4-byte texels from address 0 on, so that a texel's number in its row is a quarter of its address.
Image texture(std::uint32_t width, std::uint32_t height = 1, std::uint32_t depth = 1) {
  Image image;
  image.kind = Image::kTexture;
  image.channels = 1;
  image.channel_bytes = 4;
  image.channel = Image::Channel::Float;
  image.layout = Image::Layout::Pitched;
  image.width = width;
  image.height = height;
  image.depth = depth;
  image.pitch = 4 * width;
  return image;
}

TexturePlace at(float x, float y = 0) {
  TexturePlace place;
  place.at = {x, y, 0};
  return place;
}

/// The number of the texel read; -1 for the border.
int nearest(const Image& image, float x) {
  const Footprint footprint = footprint_of(image, Geometry::Line, at(x));
  EXPECT_EQ(footprint.count, 1u);
  const Tap& tap = footprint.taps[0];
  return tap.value == Tap::Value::Border ? -1 : static_cast<int>(tap.address / 4);
}

Image with(Image image, Address mode, bool is_normalized) {
  image.address_mode.fill(mode);
  image.is_normalized = is_normalized;
  return image;
}

TEST(Footprint, the_nearest_texel_is_that_which_holds_the_place) {
  const Image image = texture(4);
  EXPECT_EQ(nearest(image, 0.0f), 0);
  EXPECT_EQ(nearest(image, 0.999f), 0);
  EXPECT_EQ(nearest(image, 1.0f), 1);
  EXPECT_EQ(nearest(image, 3.5f), 3);
  EXPECT_EQ(nearest(image, NAN), 0);
}

TEST(Footprint, clamped_coordinates_end_at_the_edges) {
  const Image image = with(texture(4), Address::Clamp, false);
  EXPECT_EQ(nearest(image, -0.25f), 0);
  EXPECT_EQ(nearest(image, 4.0f), 3);
  EXPECT_EQ(nearest(image, INFINITY), 3);
  EXPECT_EQ(nearest(image, -1e30f), 0);
}

TEST(Footprint, outside_of_a_border_is_no_texel) {
  const Image image = with(texture(4), Address::Border, true);
  EXPECT_EQ(nearest(image, -0.01f), -1);
  EXPECT_EQ(nearest(image, 1.0f), -1);
  EXPECT_EQ(nearest(image, 0.99f), 3);
}

TEST(Footprint, wrapped_coordinates_begin_anew_behind_each_whole) {
  const Image image = with(texture(4), Address::Wrap, true);
  EXPECT_EQ(nearest(image, 1.25f), 1);
  EXPECT_EQ(nearest(image, -0.25f), 3);
  EXPECT_EQ(nearest(image, -1.0f), 0);
}

TEST(Footprint, mirrored_coordinates_come_back_in_every_other_whole) {
  const Image image = with(texture(4), Address::Mirror, true);
  EXPECT_EQ(nearest(image, 1.125f), 3);
  EXPECT_EQ(nearest(image, 1.875f), 0);
  EXPECT_EQ(nearest(image, -0.125f), 0);
  EXPECT_EQ(nearest(image, 2.25f), 1);
}

TEST(Footprint, texels_do_not_wrap_where_coordinates_are_not_normalized) {
  EXPECT_EQ(nearest(with(texture(4), Address::Wrap, false), 5.0f), 3);
  EXPECT_EQ(nearest(with(texture(4), Address::Mirror, false), 5.0f), 3);
}

std::vector<double> weights(const Footprint& footprint) {
  std::vector<double> all;
  for (unsigned i = 0; i < footprint.count; ++i) all.push_back(footprint.taps[i].weight);
  return all;
}

std::vector<std::uint64_t> texels(const Footprint& footprint) {
  std::vector<std::uint64_t> all;
  for (unsigned i = 0; i < footprint.count; ++i) all.push_back(footprint.taps[i].address / 4);
  return all;
}

Image filtered(Image image) {
  image.is_filtered = true;
  return image;
}

TEST(Footprint, a_filter_weighs_the_two_texels_around_the_place) {
  const Footprint footprint = footprint_of(filtered(texture(4)), Geometry::Line, at(1.75f));
  EXPECT_THAT(texels(footprint), ElementsAre(1, 2));  // 1.75 - 0.5 = 1.25
  EXPECT_THAT(weights(footprint), ElementsAre(0.75, 0.25));
}

TEST(Footprint, texels_that_are_read_as_integers_are_not_filtered) {
  Image image = filtered(texture(4));
  image.channel = Image::Channel::Signed;
  EXPECT_EQ(footprint_of(image, Geometry::Line, at(1.75f)).count, 1u);
  image.reads_fractions = true;
  EXPECT_EQ(footprint_of(image, Geometry::Line, at(1.75f)).count, 2u);
}

TEST(Footprint, weights_are_multiples_of_one_256th) {
  const Footprint footprint = footprint_of(filtered(texture(4)), Geometry::Line, at(1.503f));  // 0.003 * 256 = 0.77
  EXPECT_THAT(weights(footprint), ElementsAre(255.0 / 256, 1.0 / 256));
}

TEST(Footprint, a_weight_that_rounds_to_one_is_the_next_texels) {
  const Footprint footprint = footprint_of(filtered(texture(4)), Geometry::Line, at(1.4999f));
  EXPECT_THAT(texels(footprint), ElementsAre(1, 2));
  EXPECT_THAT(weights(footprint), ElementsAre(1, 0));
}

TEST(Footprint, a_filter_reads_the_edge_twice_where_it_is_clamped) {
  const Footprint footprint = footprint_of(filtered(texture(4)), Geometry::Line, at(0.25f));
  EXPECT_THAT(texels(footprint), ElementsAre(0, 0));
  EXPECT_THAT(weights(footprint), ElementsAre(0.25, 0.75));
}

TEST(Footprint, a_filter_in_two_dimensions_reads_four_texels_row_by_row) {
  const Footprint footprint = footprint_of(filtered(texture(4, 3)), Geometry::Plane, at(1.75f, 1.0f));
  EXPECT_THAT(texels(footprint), ElementsAre(1, 2, 5, 6));
  EXPECT_THAT(weights(footprint), ElementsAre(0.375, 0.125, 0.375, 0.125));
}

TEST(Footprint, the_gathered_texels_go_round_from_the_lower_left) {
  const Footprint footprint = gather_footprint_of(texture(4, 3), Geometry::Plane, at(1.75f, 1.0f));
  EXPECT_THAT(texels(footprint), ElementsAre(5, 6, 2, 1));
}

TEST(Footprint, layers_are_whole_and_the_last_stands_for_those_behind_it) {
  Image image = texture(64, 1, 3);
  image.layout = Image::Layout::Array;  // a slice of one row takes 256 bytes
  TexturePlace place = at(2.5f);
  place.layer = 7;
  EXPECT_EQ(footprint_of(image, Geometry::LineLayers, place).taps[0].address, 2 * 256 + 8u);
}

TEST(Footprint, a_buffer_has_nothing_outside) {
  Image image = texture(4);
  image.layout = Image::Layout::Buffer;
  TexturePlace place;
  place.is_integer = true;
  for (const int texel : {-1, 4}) {
    place.texel[0] = texel;
    EXPECT_EQ(footprint_of(image, Geometry::Line, place).taps[0].value, Tap::Value::Zero);
  }
  place.texel[0] = 3;
  EXPECT_EQ(footprint_of(image, Geometry::Line, place).taps[0].address, 12u);
}

}  // namespace footprint_test
}  // namespace warpfork::simt
