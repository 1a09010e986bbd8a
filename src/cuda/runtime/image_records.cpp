#include "cuda/runtime/image_records.h"

#include <algorithm>
#include <cstring>

#include "cuda/runtime/api_error.h"
#include "cuda/runtime/enumeration.h"
#include "cuda/runtime/image_limits.h"

namespace warpfork::cuda {

namespace {

using simt::Image;

static_assert(static_cast<int>(Image::Address::Wrap) == cudaAddressModeWrap &&
              static_cast<int>(Image::Address::Clamp) == cudaAddressModeClamp &&
              static_cast<int>(Image::Address::Mirror) == cudaAddressModeMirror &&
              static_cast<int>(Image::Address::Border) == cudaAddressModeBorder);

void require_valid(bool holds) {
  if (!holds) throw ApiError(cudaErrorInvalidValue);
}

Image image_of(std::uint32_t kind, Image::Layout layout, const TexelFormat& format, std::uint64_t address) {
  Image image;
  image.kind = kind;
  image.channel = format.channel;
  image.channels = format.channels;
  image.channel_bytes = format.channel_bytes;
  image.layout = layout;
  image.address = address;
  return image;
}

Image image_of(std::uint32_t kind, const CudaArray& array) {
  Image image = image_of(kind, Image::Layout::Array, array.format, array.address);
  image.width = static_cast<std::uint32_t>(array.extent.width);
  image.height = static_cast<std::uint32_t>(array.rows());
  image.depth = static_cast<std::uint32_t>(array.slices());
  return image;
}

/// The address, which must be a texture's and have so many bytes behind it.
std::uint64_t texture_address(const simt::DeviceMemory& memory, const void* pointer, std::uint64_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const simt::DeviceMemory::Range range = memory.allocation_at(address);
  require_valid(address % kTextureAlignment == 0 && range.bytes != 0 && range.holds(address, bytes));
  return address;
}

void require_no_more_than_there_is(const cudaTextureDesc& description) {
  if (description.sRGB != 0)
    throw ApiError(cudaErrorNotSupported, "textures with conversion from sRGB are not supported");
  if (description.maxAnisotropy > 1)
    throw ApiError(
        cudaErrorNotSupported,
        fmt::format("textures with anisotropic filtering are not supported: maxAnisotropy is {}, and may be 0 "
                    "or 1",
                    description.maxAnisotropy));
}

std::byte* cleared_record(simt::DeviceMemory& memory, std::uint64_t address) {
  std::byte* record = memory.find(address, simt::kImageBytes);
  check(record != nullptr, [&] { return fmt::format("no room for a texture or surface at {:#x}", address); });
  if (simt::MemoryWatch* watch = memory.watched()) watch->write(address, simt::kImageBytes);
  std::memset(record, 0, simt::kImageBytes);
  return record;
}

}  // namespace

Image linear_texture(const simt::DeviceMemory& memory, const void* pointer, const TexelFormat& format,
                     std::uint64_t bytes) {
  Image image = image_of(Image::kTexture, Image::Layout::Buffer, format, texture_address(memory, pointer, bytes));
  const std::uint64_t texels = bytes / format.bytes();
  require_valid(texels != 0 && texels <= kLinearTexels);
  image.width = static_cast<std::uint32_t>(texels);
  return image;
}

Image pitched_texture(const simt::DeviceMemory& memory, const PitchedRows& rows, const TexelFormat& format) {
  require_valid(rows.width != 0 && rows.width <= kPitchedTexels && rows.height != 0 && rows.height <= kPitchedRows);
  const std::uint64_t row_bytes = rows.width * format.bytes();
  require_valid(rows.pitch >= row_bytes && rows.pitch <= kTexturePitch && rows.pitch % kTexturePitchAlignment == 0);
  Image image = image_of(Image::kTexture, Image::Layout::Pitched, format,
                         texture_address(memory, rows.pointer, (rows.height - 1) * rows.pitch + row_bytes));
  image.width = static_cast<std::uint32_t>(rows.width);
  image.height = static_cast<std::uint32_t>(rows.height);
  image.pitch = static_cast<std::uint32_t>(rows.pitch);
  return image;
}

Image array_texture(const CudaArray& array) { return image_of(Image::kTexture, array); }

Image array_surface(const CudaArray& array) {
  require_valid((array.flags & cudaArraySurfaceLoadStore) != 0);
  return image_of(Image::kSurface, array);
}

void set_reading(Image& texture, const cudaTextureDesc& description) {
  require_no_more_than_there_is(description);
  const bool is_float = texture.channel == Image::Channel::Float;
  const int read_mode = number_in(description.readMode), filter_mode = number_in(description.filterMode);
  const bool is_promoted = read_mode == cudaReadModeNormalizedFloat && !is_float;
  require_valid(is_promoted || is_float || read_mode == cudaReadModeElementType);
  if (is_promoted && texture.channel_bytes > 2) throw ApiError(cudaErrorInvalidNormSetting);
  texture.reads_fractions = is_promoted;
  texture.is_normalized = description.normalizedCoords != 0;
  std::ranges::copy(description.borderColor, texture.border.begin());
  if (texture.layout == Image::Layout::Buffer) return;

  require_valid(filter_mode == cudaFilterModePoint || filter_mode == cudaFilterModeLinear);
  texture.is_filtered = filter_mode == cudaFilterModeLinear;
  if (texture.is_filtered && !is_float && !is_promoted) throw ApiError(cudaErrorInvalidFilterSetting);
  for (std::size_t i = 0; i < texture.address_mode.size(); ++i) {
    const int mode = number_in(description.addressMode[i]);
    require_valid(mode >= cudaAddressModeWrap && mode <= cudaAddressModeBorder);
    texture.address_mode[i] = static_cast<Image::Address>(mode);
  }
}

void write_record(simt::DeviceMemory& memory, std::uint64_t address, const Image& image) {
  std::memcpy(cleared_record(memory, address), &image, sizeof image);
}

void clear_record(simt::DeviceMemory& memory, std::uint64_t address) { cleared_record(memory, address); }

}  // namespace warpfork::cuda
