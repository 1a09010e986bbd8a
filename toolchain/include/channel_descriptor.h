/* cudaCreateChannelDesc<float4>() and its like: what a texel of a type holds. */
#pragma once
#define __CHANNEL_DESCRIPTOR_H__ /* NVIDIA's guard, which programs ask for */

#include <cuda_runtime_api.h>

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define WARPFORK_CHANNELS(type, x, y, z, w, kind)                          \
  template <>                                                              \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {             \
    return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind); \
  }
#define WARPFORK_CHANNELS_OF(element, vector, bits, kind) \
  WARPFORK_CHANNELS(element, bits, 0, 0, 0, kind)         \
  WARPFORK_CHANNELS(vector##1, bits, 0, 0, 0, kind)       \
  WARPFORK_CHANNELS(vector##2, bits, bits, 0, 0, kind)    \
  WARPFORK_CHANNELS(vector##4, bits, bits, bits, bits, kind)
WARPFORK_CHANNELS(char, 8, 0, 0, 0, Signed)
WARPFORK_CHANNELS_OF(signed char, char, 8, Signed)
WARPFORK_CHANNELS_OF(unsigned char, uchar, 8, Unsigned)
WARPFORK_CHANNELS_OF(short, short, 16, Signed)
WARPFORK_CHANNELS_OF(unsigned short, ushort, 16, Unsigned)
WARPFORK_CHANNELS_OF(int, int, 32, Signed)
WARPFORK_CHANNELS_OF(unsigned, uint, 32, Unsigned)
WARPFORK_CHANNELS_OF(float, float, 32, Float)
#undef WARPFORK_CHANNELS_OF
#undef WARPFORK_CHANNELS

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
