// PTX ISA, "tex", "tld4".
#include <bit>
#include <cstring>

#include "simt/image/footprint.h"
#include "simt/image/image_handlers.h"
#include "simt/image/lane_images.h"
#include "simt/image/texel.h"

namespace warpfork::simt {

namespace {

TexturePlace place_of(const LaneImages& images, unsigned lane) {
  const ImageForm& form = images.form();
  const unsigned first = form.has_layer() ? 1 : 0;
  TexturePlace place;
  place.is_integer = !form.has_float_coordinates;
  if (form.has_layer()) place.layer = static_cast<std::uint32_t>(images.integer(0, lane));
  for (unsigned i = 0; i < form.dimensions(); ++i) {
    if (place.is_integer)
      place.texel[i] = images.integer(first + i, lane);
    else
      place.at[i] = images.real(first + i, lane);
  }
  return place;
}

/// The timing model sees the first texel of those that are read: the others lie around it, and mostly in its line.
class LaneTexels {
 public:
  LaneTexels(LaneImages& images, const Image& image, unsigned lane) : images_(images), image_(image), lane_(lane) {}

  const std::byte* read(const Tap& tap) {
    const std::byte* const texel = images_.find(lane_, tap.address, image_.texel_bytes());
    if (!has_told_) images_.tell(lane_, tap.address, image_.texel_bytes());
    has_told_ = true;
    return texel;
  }

  Channels channels(const Tap& tap) {
    switch (tap.value) {
      case Tap::Value::Texel:
        return channels_of(image_, read(tap));
      case Tap::Value::Border:
        return border_channels(image_);
      default:
        return {};
    }
  }

  Channels weighted(const Footprint& footprint) {
    ChannelValues sum{};
    sum.fill(-0.0);  // what changes no sum, of negative zeros either
    for (unsigned i = 0; i < footprint.count; ++i) {
      const Tap& tap = footprint.taps[i];
      const ChannelValues values =
          tap.value == Tap::Value::Texel ? values_of(image_, read(tap)) : border_values(image_);
      for (unsigned channel = 0; channel < image_.channels; ++channel) sum[channel] += tap.weight * values[channel];
    }
    Channels channels{};
    for (unsigned channel = 0; channel < image_.channels; ++channel) channels[channel] = rounded_bits(sum[channel]);
    return channels;
  }

 private:
  LaneImages& images_;
  const Image& image_;
  unsigned lane_;
  bool has_told_ = false;
};

void write(const Instruction& instruction, WarpContext& warp, unsigned lane, const Channels& result) {
  for (unsigned i = 0; i < result.size(); ++i)
    std::memcpy(warp.registers + instruction.operand[i] + lane * sizeof result[i], &result[i], sizeof result[i]);
}

}  // namespace

void read_texture(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  LaneImages images(instruction, warp, Image::kTexture);
  lanes.for_each([&](unsigned lane) {
    const Image& image = images.of(lane);
    const TexturePlace place = place_of(images, lane);
    const Footprint footprint = footprint_of(image, images.form().geometry, place);
    LaneTexels texels(images, image, lane);
    write(instruction, warp, lane,
          footprint.count == 1 ? texels.channels(footprint.taps[0]) : texels.weighted(footprint));
  });
}

void gather_texture(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  LaneImages images(instruction, warp, Image::kTexture);
  lanes.for_each([&](unsigned lane) {
    const Image& image = images.of(lane);
    const Footprint footprint = gather_footprint_of(image, images.form().geometry, place_of(images, lane));
    LaneTexels texels(images, image, lane);
    Channels result;
    for (unsigned i = 0; i < footprint.count; ++i)
      result[i] = texels.channels(footprint.taps[i])[images.form().component];
    write(instruction, warp, lane, result);
  });
}

}  // namespace warpfork::simt
