// Channels of texels as floats and integers, by hand from the CUDA C++ Programming Guide, "Texture Fetching".
#include "simt/image/texel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

namespace warpfork::simt {
namespace texel_test {

using testing::ElementsAre;

Image format(Image::Channel channel, unsigned channels, unsigned bytes, bool reads_fractions = false) {
  Image image;
  image.channel = channel;
  image.channels = static_cast<std::uint8_t>(channels);
  image.channel_bytes = static_cast<std::uint8_t>(bytes);
  image.reads_fractions = reads_fractions;
  return image;
}

template <typename Bytes>
Channels read(const Image& image, const Bytes& texel) {
  return channels_of(image, reinterpret_cast<const std::byte*>(&texel));
}

TEST(Texel, integers_are_extended_by_their_sign) {
  const std::array<std::uint8_t, 2> bytes{0xff, 0x7f};
  EXPECT_THAT(read(format(Image::Channel::Signed, 2, 1), bytes), ElementsAre(0xffffffff, 127, 0, 0));
  EXPECT_THAT(read(format(Image::Channel::Unsigned, 2, 1), bytes), ElementsAre(255, 127, 0, 0));
}

TEST(Texel, fractions_reach_one_and_no_less_than_minus_one) {
  const std::array<std::int8_t, 4> bytes{127, -127, -128, 0};
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  EXPECT_THAT(read(format(Image::Channel::Signed, 4, 1, true), bytes), ElementsAre(bits(1), bits(-1), bits(-1), 0));
  const std::array<std::uint16_t, 2> words{65535, 1};
  EXPECT_THAT(read(format(Image::Channel::Unsigned, 2, 2, true), words),
              ElementsAre(bits(1), bits(1.0f / 65535), 0, 0));
}

TEST(Texel, halves_become_single_precision) {
  const std::array<std::uint16_t, 4> halves{0x3c00, 0xc001, 0x0001, 0x7c00};  // 1, -2 - 2^-9, 2^-24, infinity
  const Channels read_as = read(format(Image::Channel::Float, 4, 2), halves);
  EXPECT_THAT(read_as, ElementsAre(0x3f800000, 0xc0002000, 0x33800000, 0x7f800000));
}

TEST(Texel, floats_that_are_no_numbers_keep_their_bits) {
  const std::uint32_t bits = 0xffc12345;
  EXPECT_EQ(read(format(Image::Channel::Float, 1, 4), bits)[0], bits);
  EXPECT_EQ(rounded_bits(std::bit_cast<float>(bits)), 0x7fffffffu);
}

TEST(Texel, borders_have_the_channels_of_the_texture) {
  Image image = format(Image::Channel::Float, 2, 4);
  image.border = {1, 2, 3, 4};
  EXPECT_THAT(border_channels(image), ElementsAre(0x3f800000, 0x40000000, 0, 0));
  image.channel = Image::Channel::Signed;
  image.border[1] = std::bit_cast<float>(-7);
  EXPECT_THAT(border_channels(image), ElementsAre(0x3f800000, 0xfffffff9, 0, 0));
}

}  // namespace texel_test
}  // namespace warpfork::simt
