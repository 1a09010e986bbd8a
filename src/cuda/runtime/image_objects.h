// Texture and surface objects (CUDA Runtime API, "Texture Object Management" and "Surface Object Management").
#pragma once

#include <texture_types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "cuda/runtime/cuda_arrays.h"
#include "simt/device_memory.h"
#include "simt/image/image.h"

namespace warpfork::cuda {

/// An object is the device address of its record. Throws ApiError(cudaErrorInvalidValue) for what is no object.
class ImageObjects {
 public:
  struct Texture {
    cudaResourceDesc resource;
    cudaTextureDesc description;
    std::optional<cudaResourceViewDesc> view;
  };

  ImageObjects(MemorySpace& space, simt::DeviceMemory& memory, const CudaArrays& arrays)
      : space_(space), memory_(memory), arrays_(arrays) {}

  /// Throws ApiError as image_records.h says, and with cudaErrorNotSupported and a text for mipmapped arrays and for
  /// views that show anything but the whole array as it is.
  cudaTextureObject_t create_texture(const Texture& texture);
  const Texture& texture(cudaTextureObject_t object) const;
  void destroy_texture(cudaTextureObject_t object);
  /// Throws as create_texture for what no texture reads, in whatever way.
  void require_readable(const cudaResourceDesc& resource) const { image_of({resource, {}, {}}); }
  /// Puts the record of such a texture at a device address, where it is somebody else's. Throws as create_texture.
  void write(std::uint64_t address, const Texture& texture);

  /// Throws ApiError(cudaErrorInvalidValue) unless the resource is an array for surfaces.
  cudaSurfaceObject_t create_surface(const cudaResourceDesc& resource);
  const cudaResourceDesc& surface(cudaSurfaceObject_t object) const;
  void destroy_surface(cudaSurfaceObject_t object);

 private:
  simt::Image image_of(const Texture& texture) const;
  std::uint64_t place(const simt::Image& image, std::string_view call);

  MemorySpace& space_;
  simt::DeviceMemory& memory_;
  const CudaArrays& arrays_;
  std::map<cudaTextureObject_t, Texture> textures_;
  std::map<cudaSurfaceObject_t, cudaResourceDesc> surfaces_;
};

}  // namespace warpfork::cuda
