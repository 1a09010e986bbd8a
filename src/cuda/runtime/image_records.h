// What device code finds under the handle of a texture or surface (simt/image/image.h), from what the CUDA runtime API
// is told ("Texture Object Management").
#pragma once

#include <texture_types.h>

#include <cstdint>

#include "cuda/runtime/cuda_array.h"
#include "simt/device_memory.h"
#include "simt/image/image.h"

namespace warpfork::cuda {

/// Texels of one row in `memory`, whole ones of so many bytes. Throws ApiError(cudaErrorInvalidValue): `pointer` is not
/// aligned to kTextureAlignment, or the bytes are more than one allocation has there, or more than a texture may have.
simt::Image linear_texture(const simt::DeviceMemory& memory, const void* pointer, const TexelFormat& format,
                           std::uint64_t bytes);

/// Rows `pitch` bytes apart; width in texels.
struct PitchedRows {
  const void* pointer;
  std::uint64_t width, height, pitch;
};
/// Throws ApiError(cudaErrorInvalidValue) as linear_texture, and for a pitch that is too small, too large or not
/// aligned to kTexturePitchAlignment.
simt::Image pitched_texture(const simt::DeviceMemory& memory, const PitchedRows& rows, const TexelFormat& format);

simt::Image array_texture(const CudaArray& array);
/// Throws ApiError(cudaErrorInvalidValue) for an array without cudaArraySurfaceLoadStore.
simt::Image array_surface(const CudaArray& array);

/// How `texture` is read. CUDA ignores address and filter modes of linear memory, what is said of mipmap levels where
/// there are none, and the read mode of floats. Throws ApiError: cudaErrorInvalidFilterSetting for filtered integers,
/// cudaErrorInvalidNormSetting for integers of 32 bits as fractions, cudaErrorInvalidValue for modes that there are
/// none of, cudaErrorNotSupported with a text for sRGB and anisotropic filtering.
void set_reading(simt::Image& texture, const cudaTextureDesc& description);

/// Puts the record at a device address, where there are simt::kImageBytes.
void write_record(simt::DeviceMemory& memory, std::uint64_t address, const simt::Image& image);
/// Leaves no image there.
void clear_record(simt::DeviceMemory& memory, std::uint64_t address);

}  // namespace warpfork::cuda
