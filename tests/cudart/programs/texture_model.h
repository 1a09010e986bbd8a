// What reading a texture gives, computed plainly on the host (CUDA C++ Programming Guide, "Texture Fetching"), and what
// the programs that read textures share.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "expect.h"

/// The scalars in a CUDA vector.
template <class T>
struct Scalar;
#define SCALAR(type, scalar) \
  template <>                \
  struct Scalar<type> {      \
    using Type = scalar;     \
  };
#define SCALARS(scalar, vector) \
  SCALAR(scalar, scalar)        \
  SCALAR(vector##1, scalar)     \
  SCALAR(vector##2, scalar)     \
  SCALAR(vector##4, scalar)
SCALAR(char, char)
SCALARS(signed char, char)
SCALARS(unsigned char, uchar)
SCALARS(short, short)
SCALARS(unsigned short, ushort)
SCALARS(int, int)
SCALARS(unsigned, uint)
SCALARS(float, float)
SCALAR(long long, long long)
SCALAR(longlong1, long long)
SCALAR(longlong2, long long)
SCALAR(unsigned long long, unsigned long long)
SCALAR(ulonglong1, unsigned long long)
SCALAR(ulonglong2, unsigned long long)
#undef SCALARS
#undef SCALAR

template <class T>
constexpr int kChannels = sizeof(T) / sizeof(typename Scalar<T>::Type);

template <class T>
typename Scalar<T>::Type channel_of(const T& texel, int channel) {
  typename Scalar<T>::Type scalars[kChannels<T>];
  std::memcpy(scalars, &texel, sizeof texel);
  return scalars[channel];
}

/// Texel number `i`: small numbers, and the least and largest that the type has.
template <class T>
T sample_texel(int i) {
  using S = typename Scalar<T>::Type;
  S scalars[kChannels<T>];
  for (int channel = 0; channel < kChannels<T>; ++channel) {
    const int number = i * kChannels<T> + channel;
    scalars[channel] = number % 7 == 3   ? std::numeric_limits<S>::max()
                       : number % 7 == 5 ? std::numeric_limits<S>::lowest()
                                         : S(number * 5 % 101 - (std::numeric_limits<S>::is_signed ? 50 : 0));
  }
  T texel;
  std::memcpy(&texel, scalars, sizeof texel);
  return texel;
}
/// Small whole numbers, whose weighted sums a float holds exactly.
inline float small_texel(int i) { return float(i * 37 % 64 - 20); }

/// A texture as the host sees it.
struct Texture {
  int dimensions = 2, width = 1, height = 1, depth = 1;  // depth: slices or layers
  bool is_layered = false;                               // dimensions are then those of a layer
  int channels = 1;
  std::vector<double> values;  // as they are read: channels of a texel, texels of a row, rows, slices
  cudaTextureAddressMode address[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
  cudaTextureFilterMode filter = cudaFilterModePoint;
  bool is_normalized = false;
  double border[4] = {0, 0, 0, 0};

  /// What is read at (at.x, at.y, at.z), of layer at.w.
  double read(float4 at, int channel) const {
    const float coordinates[3] = {at.x, at.y, at.z};
    const int sizes[3] = {width, height, depth};
    int first[3] = {0, 0, 0};
    double second[3] = {0, 0, 0};  // weight of the next texel
    for (int axis = 0; axis < dimensions; ++axis) {
      const float x = is_normalized ? coordinates[axis] * float(sizes[axis]) : coordinates[axis];
      if (filter == cudaFilterModePoint) {
        first[axis] = int(std::floor(x));
      } else {  // the hardware's weights have eight bits
        const double in_256ths = std::floor((x - 0.5f) * 256.0 + 0.5);
        first[axis] = int(std::floor(in_256ths / 256));
        second[axis] = in_256ths / 256 - first[axis];
      }
    }
    if (is_layered) first[2] = std::min(std::max(int(at.w), 0), depth - 1);
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      int place[3];
      for (int axis = 0; axis < 3; ++axis) {
        const bool next = corner >> axis & 1;
        weight *= next ? second[axis] : 1 - second[axis];
        place[axis] = first[axis] + next;
      }
      if (weight != 0) sum += weight * texel(place[0], place[1], place[2], channel);
    }
    return sum;
  }
  double texel(int x, int y, int z, int channel) const {
    x = inside(x, width, address[0]), y = inside(y, height, address[1]), z = inside(z, depth, address[2]);
    if (x < 0 || y < 0 || z < 0) return border[channel];
    return values[((std::size_t(z) * height + y) * width + x) * channels + channel];
  }

 private:
  /// The texel that stands for `i`, -1 for the border.
  int inside(int i, int size, cudaTextureAddressMode mode) const {
    if (i >= 0 && i < size) return i;
    if (mode == cudaAddressModeBorder) return -1;
    if (mode == cudaAddressModeClamp || !is_normalized) return i < 0 ? 0 : size - 1;
    const int period = mode == cudaAddressModeMirror ? 2 * size : size;
    i = (i % period + period) % period;
    return i < size ? i : 2 * size - 1 - i;
  }
};

/// `width` by `height` by `depth` texels, as they are.
template <class T>
Texture texture_of(const std::vector<T>& texels, int dimensions, int width, int height = 1, int depth = 1) {
  Texture texture;
  texture.dimensions = dimensions;
  texture.width = width, texture.height = height, texture.depth = depth;
  texture.channels = kChannels<T>;
  for (const T& texel : texels)
    for (int channel = 0; channel < kChannels<T>; ++channel)
      texture.values.push_back(double(channel_of(texel, channel)));
  return texture;
}
/// Integers as cudaReadModeNormalizedFloat gives them.
template <class T>
Texture as_fractions(Texture texture) {
  for (double& value : texture.values) {
    const double fraction = value / double(std::numeric_limits<typename Scalar<T>::Type>::max());
    value = double(float(std::max(fraction, -1.0)));
  }
  return texture;
}

/// Coordinates from outside through the inside to outside of `size` texels, in steps that 256ths of texels are exact
/// in.
inline std::vector<float> along(int size, bool is_normalized) {
  std::vector<float> coordinates;
  for (float x = -float(size) - 0.25f; x<2 * float(size) + 2; x += x> 0 && x < 2 ? 0.15625f : 0.6875f)
    coordinates.push_back(is_normalized ? x / float(size) : x);
  return coordinates;
}
inline std::vector<float4> places_in(const Texture& texture) {
  std::vector<float4> places;
  const std::vector<float> x = along(texture.width, texture.is_normalized),
                           y = along(texture.height, texture.is_normalized),
                           z = along(texture.depth, texture.is_normalized);
  const std::size_t count = texture.dimensions == 1 ? x.size() : 3 * x.size();
  for (std::size_t i = 0; i < count; ++i)
    places.push_back(make_float4(x[i % x.size()], y[i * 7 % y.size()], z[i * 5 % z.size()], float(i % 4)));
  return places;
}
/// The middle of every texel.
inline std::vector<float4> middles_of(const Texture& texture) {
  std::vector<float4> places;
  for (int z = 0; z < texture.depth; ++z)
    for (int y = 0; y < texture.height; ++y)
      for (int x = 0; x < texture.width; ++x)
        places.push_back(make_float4(float(x) + 0.5f, float(y) + 0.5f, float(z) + 0.5f, float(z)));
  return places;
}

template <class T>
std::vector<T> texels(int count, T (*texel)(int)) {
  std::vector<T> all;
  for (int i = 0; i < count; ++i) all.push_back(texel(i));
  return all;
}

template <class T>
T* copy_to_device(const std::vector<T>& host) {
  T* device = nullptr;
  EXPECT(cudaMalloc(&device, host.size() * sizeof(T)) == cudaSuccess);
  EXPECT(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
  return device;
}
template <class T>
std::vector<T> copy_to_host(const T* device, std::size_t count) {
  std::vector<T> host(count);
  EXPECT(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
  return host;
}

/// An array with the texture's sizes and these texels.
template <class T>
cudaArray_t make_array(const Texture& texture, const std::vector<T>& texels, unsigned flags = 0,
                       cudaChannelFormatDesc format = cudaCreateChannelDesc<T>()) {
  const bool has_rows = texture.dimensions > 1, has_depth = texture.dimensions > 2 || texture.is_layered;
  cudaArray_t array = nullptr;
  EXPECT(cudaMalloc3DArray(&array, &format,
                           make_cudaExtent(texture.width, has_rows ? texture.height : 0, has_depth ? texture.depth : 0),
                           flags | (texture.is_layered ? cudaArrayLayered : 0)) == cudaSuccess);
  if (texels.empty()) return array;
  cudaMemcpy3DParms copy{};
  copy.srcPtr =
      make_cudaPitchedPtr(const_cast<T*>(texels.data()), texture.width * sizeof(T), texture.width, texture.height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(texture.width, texture.height, texture.depth);
  copy.kind = cudaMemcpyHostToDevice;
  EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);
  return array;
}

/// Values of one comparison: says how many were wrong, and which was the first.
class Comparison {
 public:
  explicit Comparison(const std::string& what) : what_(what) {}
  ~Comparison() {
    if (wrong_ == 0) return;
    std::printf("%s: %d of %d wrong, the first at %g %g %g, layer %g, channel %d: %.9g, should be %.9g\n",
                what_.c_str(), wrong_, values_, place_.x, place_.y, place_.z, place_.w, channel_, is_, right_);
    ++failures;
  }
  Comparison(const Comparison&) = delete;
  template <class Value>
  void add(float4 place, int channel, Value is, Value right) {
    ++values_;
    if (is == right || wrong_++ > 0) return;
    place_ = place, channel_ = channel, is_ = double(is), right_ = double(right);
  }

 private:
  std::string what_;
  int values_ = 0, wrong_ = 0, channel_ = 0;
  float4 place_{};
  double is_ = 0, right_ = 0;
};
/// Compares what was read at `places` with what the host computes.
template <class T>
void compare(const char* what, const std::vector<T>& read, const Texture& texture, const std::vector<float4>& places) {
  Comparison comparison(what);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (int channel = 0; channel < kChannels<T>; ++channel)
      comparison.add(places[i], channel, double(channel_of(read[i], channel)), texture.read(places[i], channel));
}

inline int passed() {
  std::printf(failures ? "FAIL\n" : "PASS\n");
  return failures != 0;
}
