// Texture and surface references of CUDA 11 (CUDA Runtime API, "Texture Reference Management" and "Surface Reference
// Management"): variables of a program's files that are bound to memory.
#pragma once

#include <surface_types.h>
#include <texture_types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cuda/runtime/cuda_arrays.h"
#include "cuda/runtime/image_records.h"
#include "cuda/runtime/kernel_registry.h"

namespace warpfork::cuda {

/// A reference is known by the host's address of it; its PTX variable is the record that device code reads. What the
/// program sets in it counts when it is bound. Throws ApiError: cudaErrorInvalidTexture and cudaErrorInvalidSurface for
/// what was never registered, as image_records.h says for what cannot be read, and cudaErrorInvalidValue with a text
/// where the reference's dimensions are not those of what it is bound to. An array of one row has one dimension, too.
class ImageReferences {
 public:
  /// What a texture's type says: cudaTextureType1D …, and whether integers are read as fractions.
  struct TextureType {
    int dimensions;
    bool reads_fractions;
  };

  ImageReferences(KernelRegistry& registry, simt::DeviceMemory& memory, const CudaArrays& arrays)
      : registry_(registry), memory_(memory), arrays_(arrays) {}

  void add_texture(CodeImage& image, const textureReference* host, const std::string& name, TextureType type);
  void add_surface(CodeImage& image, const surfaceReference* host, const std::string& name, int dimensions);
  void remove_image(const CodeImage& image);
  bool is_texture(const void* host) const { return textures_.contains(host); }
  bool is_surface(const void* host) const { return surfaces_.contains(host); }

  /// How many bytes before `pointer` a texture begins that is bound to it, where it is aligned as it must be.
  static std::size_t alignment_offset(const void* pointer);
  /// Binds the whole texels of so many bytes that lie there, or of those that one allocation and a texture may have:
  /// CUDA lets programs name more than there is, as long as they do not read it.
  void bind(const textureReference* texture, const void* pointer, const cudaChannelFormatDesc& format,
            std::uint64_t bytes);
  /// The same of rows: those of the texture all begin as far before those in memory.
  void bind(const textureReference* texture, PitchedRows rows, const cudaChannelFormatDesc& format);
  /// Throws ApiError(cudaErrorInvalidChannelDescriptor) for another format than the array's.
  void bind(const textureReference* texture, cudaArray_const_t array, const cudaChannelFormatDesc& format);
  void bind(const surfaceReference* surface, cudaArray_const_t array, const cudaChannelFormatDesc& format);
  void unbind(const textureReference* texture);
  /// The alignment_offset() of what is bound. Throws ApiError(cudaErrorInvalidTextureBinding) where nothing is bound.
  std::size_t offset(const textureReference* texture) const;

 private:
  struct Texture {
    const CodeImage* image;
    TextureType type;
    std::optional<std::size_t> offset;  // bytes; of what is bound
  };
  struct Surface {
    const CodeImage* image;
    int dimensions;
  };
  const Texture& texture(const textureReference* host) const;
  void write(const textureReference* host, simt::Image image, std::size_t offset);
  const CudaArray& array_of(cudaArray_const_t handle, const cudaChannelFormatDesc& format, int dimensions) const;
  /// Device address of the variable.
  std::uint64_t record_of(const void* host, cudaError_t otherwise);

  KernelRegistry& registry_;
  simt::DeviceMemory& memory_;
  const CudaArrays& arrays_;
  std::map<const void*, Texture> textures_;
  std::map<const void*, Surface> surfaces_;
};

}  // namespace warpfork::cuda
