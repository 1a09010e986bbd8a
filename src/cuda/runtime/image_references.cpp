#include "cuda/runtime/image_references.h"

#include <algorithm>
#include <climits>

#include "base/text.h"
#include "cuda/runtime/api_error.h"
#include "cuda/runtime/image_limits.h"

namespace warpfork::cuda {

namespace {

struct Dimensions {
  unsigned count;
  bool is_layered;
};

/// Throws ApiError for cubemaps.
Dimensions dimensions_of(int type) {
  switch (type) {
    case cudaTextureType1D:
    case cudaTextureType2D:
    case cudaTextureType3D:
      return {static_cast<unsigned>(type), false};
    case cudaTextureType1DLayered:
      return {1, true};
    case cudaTextureType2DLayered:
      return {2, true};
    default:
      throw ApiError(cudaErrorNotSupported, "texture and surface references of cubemaps are not supported");
  }
}

void require_type(int type, int needed, const char* memory) {
  if (type != needed)
    throw ApiError(cudaErrorInvalidValue,
                   fmt::format("{} memory can be bound to texture references of {} only", memory,
                               needed == cudaTextureType1D ? "one dimension" : "two dimensions"));
}

/// Layers count for no dimension, nor do heights and depths of 1.
Dimensions dimensions_of(const CudaArray& array) {
  if (!array.is_layered() && array.slices() > 1) return {3, false};
  return {array.rows() > 1 ? 2u : 1u, array.is_layered()};
}

void require_dimensions(int type, Dimensions of_array) {
  const Dimensions own = dimensions_of(type);
  if (own.is_layered != of_array.is_layered || own.count < of_array.count)
    throw ApiError(cudaErrorInvalidValue,
                   fmt::format("a {}reference of {} cannot be bound to {}array of {}", own.is_layered ? "layered " : "",
                               counted(own.count, "dimension"), of_array.is_layered ? "a layered " : "an ",
                               counted(of_array.count, "dimension")));
}

cudaTextureDesc description_of(const textureReference& reference, bool reads_fractions) {
  cudaTextureDesc description{};
  std::ranges::copy(reference.addressMode, description.addressMode);
  description.filterMode = reference.filterMode;
  description.readMode = reads_fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  description.sRGB = reference.sRGB;
  description.normalizedCoords = reference.normalized;
  description.maxAnisotropy = reference.maxAnisotropy;
  return description;
}

const void* before(const void* pointer, std::size_t bytes) { return static_cast<const std::byte*>(pointer) - bytes; }

}  // namespace

void ImageReferences::add_texture(CodeImage& image, const textureReference* host, const std::string& name,
                                  TextureType type) {
  registry_.add_variable(image, host, name);
  textures_[host] = {&image, type, std::nullopt};
}

void ImageReferences::add_surface(CodeImage& image, const surfaceReference* host, const std::string& name,
                                  int dimensions) {
  registry_.add_variable(image, host, name);
  surfaces_[host] = {&image, dimensions};
}

void ImageReferences::remove_image(const CodeImage& image) {
  std::erase_if(textures_, [&](const auto& entry) { return entry.second.image == &image; });
  std::erase_if(surfaces_, [&](const auto& entry) { return entry.second.image == &image; });
}

const ImageReferences::Texture& ImageReferences::texture(const textureReference* host) const {
  const auto found = textures_.find(host);
  if (found == textures_.end()) throw ApiError(cudaErrorInvalidTexture);
  return found->second;
}

std::uint64_t ImageReferences::record_of(const void* host, cudaError_t otherwise) {
  const auto variable = registry_.symbol(host);
  if (variable.bytes != simt::kImageBytes) throw ApiError(otherwise);
  return variable.address;
}

std::size_t ImageReferences::alignment_offset(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % kTextureAlignment;
}

void ImageReferences::write(const textureReference* host, simt::Image image, std::size_t offset) {
  set_reading(image, description_of(*host, texture(host).type.reads_fractions));
  write_record(memory_, record_of(host, cudaErrorInvalidTexture), image);
  textures_[host].offset = offset;
}

void ImageReferences::bind(const textureReference* host, const void* pointer, const cudaChannelFormatDesc& description,
                           std::uint64_t bytes) {
  const TexelFormat format(description);
  require_type(texture(host).type.dimensions, cudaTextureType1D, "linear");
  const std::size_t offset = alignment_offset(pointer);
  if (bytes > UINT_MAX) throw ApiError(cudaErrorInvalidValue);
  const bool is_endless = bytes == UINT_MAX;
  const auto [begin, whole] = memory_.allocation_at(reinterpret_cast<std::uintptr_t>(pointer));
  if (whole != 0) bytes = std::min(bytes, begin + whole - reinterpret_cast<std::uintptr_t>(pointer));
  // UINT_MAX is what C++ programs pass that name no size.
  if (is_endless) bytes = std::min(bytes, std::uint64_t{kLinearTexels} * format.bytes() - offset);
  write(host, linear_texture(memory_, before(pointer, offset), format, bytes + offset), offset);
}

void ImageReferences::bind(const textureReference* host, PitchedRows rows, const cudaChannelFormatDesc& description) {
  const TexelFormat format(description);
  require_type(texture(host).type.dimensions, cudaTextureType2D, "pitched");
  const std::size_t offset = alignment_offset(rows.pointer);
  if (rows.width > kPitchedTexels) throw ApiError(cudaErrorInvalidValue);
  rows.pointer = before(rows.pointer, offset);
  rows.width += offset / format.bytes();
  write(host, pitched_texture(memory_, rows, format), offset);
}

const CudaArray& ImageReferences::array_of(cudaArray_const_t handle, const cudaChannelFormatDesc& format,
                                           int dimensions) const {
  const CudaArray& array = arrays_.find(handle);
  if (TexelFormat(format) != array.format) throw ApiError(cudaErrorInvalidChannelDescriptor);
  require_dimensions(dimensions, dimensions_of(array));
  return array;
}

void ImageReferences::bind(const textureReference* host, cudaArray_const_t array, const cudaChannelFormatDesc& format) {
  write(host, array_texture(array_of(array, format, texture(host).type.dimensions)), 0);
}

void ImageReferences::bind(const surfaceReference* host, cudaArray_const_t array, const cudaChannelFormatDesc& format) {
  const auto found = surfaces_.find(host);
  if (found == surfaces_.end()) throw ApiError(cudaErrorInvalidSurface);
  const simt::Image surface = array_surface(array_of(array, format, found->second.dimensions));
  write_record(memory_, record_of(host, cudaErrorInvalidSurface), surface);
}

void ImageReferences::unbind(const textureReference* host) {
  if (!texture(host).offset) return;
  clear_record(memory_, record_of(host, cudaErrorInvalidTexture));
  textures_[host].offset.reset();
}

std::size_t ImageReferences::offset(const textureReference* host) const {
  const Texture& known = texture(host);
  if (!known.offset) throw ApiError(cudaErrorInvalidTextureBinding);
  return *known.offset;
}

}  // namespace warpfork::cuda
