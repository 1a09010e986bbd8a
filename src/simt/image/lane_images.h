// Textures and surfaces as one warp's instruction reaches them: handles and texels, checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "simt/image/image.h"
#include "simt/image/image_form.h"
#include "simt/launch.h"

namespace warpfork::simt {

/// For one execution of the instruction. Tells what it touched to the timing model (WarpContext::access): of each lane
/// one place.
class LaneImages {
 public:
  /// `kind`: Image::kTexture or kSurface.
  LaneImages(const Instruction& instruction, WarpContext& warp, std::uint32_t kind);

  /// The image that the lane's handle names. Throws Error if there is none.
  const Image& of(unsigned lane);
  std::int32_t integer(unsigned coordinate, unsigned lane) const;
  float real(unsigned coordinate, unsigned lane) const;

  /// The host address of `bytes` of the image's. Throws MemoryFault if the memory is gone.
  std::byte* find(unsigned lane, std::uint64_t address, unsigned bytes);
  /// The lane's access as the timing model sees it.
  void tell(unsigned lane, std::uint64_t address, unsigned bytes);

  const ImageForm& form() const { return form_; }

 private:
  const std::byte* coordinate_row(unsigned coordinate) const {
    return warp_.registers + std::size_t{form_.row[coordinate]} * ImageForm::kRow;
  }

  const Instruction& instruction_;
  WarpContext& warp_;
  ImageForm form_;
  std::uint32_t kind_;
  std::optional<std::uint64_t> handle_;  // of the lane before
  Image image_;                          // likewise
};

}  // namespace warpfork::simt
