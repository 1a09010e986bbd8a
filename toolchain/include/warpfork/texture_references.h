/* CUDA 11's textures as variables of a file, which CUDA 12 has no more (CUDA C++ Programming Guide 11, "Texture
   Reference API"): the variable, what binds memory to it, and its reads. In device code it is the 64-bit handle of a
   PTX variable .texref, as clang's attribute says. */
#pragma once

#include <warpfork/textures.h>

template <class Texel, int kind = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : textureReference {
  __host__ texture(int normalized_coordinates = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                   cudaTextureAddressMode address = cudaAddressModeClamp,
                   cudaChannelFormatDesc format = cudaCreateChannelDesc<Texel>())
      : textureReference() {
    normalized = normalized_coordinates;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = format;
  }
};

template <class Texel, int kind, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<Texel, kind, mode>& to, const void* pointer,
                                          const cudaChannelFormatDesc& format, size_t bytes = UINT_MAX) {
  return ::cudaBindTexture(offset, &to, pointer, &format, bytes);
}
template <class Texel, int kind, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<Texel, kind, mode>& to, const void* pointer,
                                          size_t bytes = UINT_MAX) {
  return ::cudaBindTexture(offset, &to, pointer, &to.channelDesc, bytes);
}
template <class Texel, int kind, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<Texel, kind, mode>& to, const void* pointer,
                                            const cudaChannelFormatDesc& format, size_t width, size_t height,
                                            size_t pitch) {
  return ::cudaBindTexture2D(offset, &to, pointer, &format, width, height, pitch);
}
template <class Texel, int kind, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<Texel, kind, mode>& to, const void* pointer,
                                            size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &to, pointer, &to.channelDesc, width, height, pitch);
}
template <class Texel, int kind, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<Texel, kind, mode>& to, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& format) {
  return ::cudaBindTextureToArray(&to, array, &format);
}
template <class Texel, int kind, cudaTextureReadMode mode>
static inline cudaError_t cudaBindTextureToArray(const texture<Texel, kind, mode>& to, cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  const cudaError_t error = ::cudaGetChannelDesc(&format, array);
  return error == cudaSuccess ? ::cudaBindTextureToArray(&to, array, &format) : error;
}
template <class Texel, int kind, cudaTextureReadMode mode>
static inline cudaError_t cudaUnbindTexture(const texture<Texel, kind, mode>& bound) {
  return ::cudaUnbindTexture(&bound);
}
template <class Texel, int kind, cudaTextureReadMode mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<Texel, kind, mode>& bound) {
  return ::cudaGetTextureAlignmentOffset(offset, &bound);
}

/* What a read gives. */
template <class Texel, cudaTextureReadMode mode>
struct warpfork_read {
  typedef Texel Result;
};
template <class Texel>
struct warpfork_read<Texel, cudaReadModeNormalizedFloat>;
#define WARPFORK_FRACTIONS(texel, result)                    \
  template <>                                                \
  struct warpfork_read<texel, cudaReadModeNormalizedFloat> { \
    typedef result Result;                                   \
  };
#define WARPFORK_FRACTIONS_OF(element, vector) \
  WARPFORK_FRACTIONS(element, float)           \
  WARPFORK_FRACTIONS(vector##1, float1)        \
  WARPFORK_FRACTIONS(vector##2, float2)        \
  WARPFORK_FRACTIONS(vector##4, float4)
WARPFORK_FRACTIONS(char, float)
WARPFORK_FRACTIONS_OF(signed char, char)
WARPFORK_FRACTIONS_OF(unsigned char, uchar)
WARPFORK_FRACTIONS_OF(short, short)
WARPFORK_FRACTIONS_OF(unsigned short, ushort)
#undef WARPFORK_FRACTIONS_OF
#undef WARPFORK_FRACTIONS

#define WARPFORK_TEXTURE_FUNCTION(function, kind, instruction, coordinates_type, operands, parameters, arguments,      \
                                  inputs)                                                                              \
  template <class Texel, cudaTextureReadMode mode>                                                                     \
  static WARPFORK_DEVICE typename warpfork_read<Texel, mode>::Result function(                                         \
      texture<Texel, cudaTextureType##kind, mode> reference, WARPFORK_LIST parameters) {                               \
    return function<typename warpfork_read<Texel, mode>::Result>(warpfork_handle(reference), WARPFORK_LIST arguments); \
  }
#include <warpfork/texture_functions.def>
#undef WARPFORK_TEXTURE_FUNCTION
