// CUDA Runtime API of CUDA 11, "Texture Reference Management" and "Surface Reference Management".
#include "cuda/api/call.h"

using namespace warpfork::cuda;

namespace {

/// Whoever gives no place for the offset says that there is none.
void give_offset(std::size_t* offset, const void* pointer) {
  const std::size_t bytes = ImageReferences::alignment_offset(pointer);
  require(offset != nullptr || bytes == 0, cudaErrorInvalidValue);
  if (offset != nullptr) *offset = bytes;
}

}  // namespace

extern "C" {

cudaError_t cudaBindTexture(std::size_t* offset, const textureReference* texture, const void* pointer,
                            const cudaChannelFormatDesc* format, std::size_t bytes) {
  return call([&](Runtime& runtime) {
    give_offset(offset, pointer);
    runtime.references().bind(texture, pointer, required(format), bytes);
  });
}

cudaError_t cudaBindTexture2D(std::size_t* offset, const textureReference* texture, const void* pointer,
                              const cudaChannelFormatDesc* format, std::size_t width, std::size_t height,
                              std::size_t pitch) {
  return call([&](Runtime& runtime) {
    give_offset(offset, pointer);
    runtime.references().bind(texture, {pointer, width, height, pitch}, required(format));
  });
}

cudaError_t cudaBindTextureToArray(const textureReference* texture, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* format) {
  return call([&](Runtime& runtime) { runtime.references().bind(texture, array, required(format)); });
}

cudaError_t cudaUnbindTexture(const textureReference* texture) {
  return call([&](Runtime& runtime) { runtime.references().unbind(texture); });
}

cudaError_t cudaGetTextureAlignmentOffset(std::size_t* offset, const textureReference* texture) {
  return call([&](Runtime& runtime) { required(offset) = runtime.references().offset(texture); });
}

// The host's address of a reference is the reference.
cudaError_t cudaGetTextureReference(const textureReference** texture, const void* symbol) {
  return call([&](Runtime& runtime) {
    require(runtime.references().is_texture(symbol), cudaErrorInvalidTexture);
    required(texture) = static_cast<const textureReference*>(symbol);
  });
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference* surface, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* format) {
  return call([&](Runtime& runtime) { runtime.references().bind(surface, array, required(format)); });
}

cudaError_t cudaGetSurfaceReference(const surfaceReference** surface, const void* symbol) {
  return call([&](Runtime& runtime) {
    require(runtime.references().is_surface(symbol), cudaErrorInvalidSurface);
    required(surface) = static_cast<const surfaceReference*>(symbol);
  });
}

}  // extern "C"
