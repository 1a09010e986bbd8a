// Surfaces through their objects: written by one launch, read by the next as surfaces and as textures, all checked
// against the host. Prints one line per failure, PASS at the end.
#include "texture_model.h"

/* The functions; at.x counts texels, x bytes. */
#define SURFACE(Name, surf, ...)                                                        \
  struct Name {                                                                         \
    template <class T>                                                                  \
    static __device__ void write(T texel, cudaSurfaceObject_t surface, int4 at,         \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
      const int x = at.x * int(sizeof(T));                                              \
      surf##write(texel, surface, __VA_ARGS__, mode);                                   \
    }                                                                                   \
    template <class T>                                                                  \
    static __device__ T read(cudaSurfaceObject_t surface, int4 at,                      \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
      const int x = at.x * int(sizeof(T));                                              \
      if (at.x % 2 == 0) return surf##read<T>(surface, __VA_ARGS__, mode);              \
      T texel;                                                                          \
      surf##read(&texel, surface, __VA_ARGS__, mode);                                   \
      return texel;                                                                     \
    }                                                                                   \
  };
SURFACE(Surface1D, surf1D, x)
SURFACE(Surface2D, surf2D, x, at.y)
SURFACE(Surface3D, surf3D, x, at.y, at.z)
SURFACE(Layers1D, surf1DLayered, x, at.z)
SURFACE(Layers2D, surf2DLayered, x, at.y, at.z)

struct Texels1D {
  template <class T>
  static __device__ T read(cudaTextureObject_t texture, int4 at) {
    return tex1D<T>(texture, float(at.x) + 0.5f);
  }
};
struct Texels2D {
  template <class T>
  static __device__ T read(cudaTextureObject_t texture, int4 at) {
    return tex2D<T>(texture, float(at.x) + 0.5f, float(at.y) + 0.5f);
  }
};
struct Texels3D {
  template <class T>
  static __device__ T read(cudaTextureObject_t texture, int4 at) {
    return tex3D<T>(texture, float(at.x) + 0.5f, float(at.y) + 0.5f, float(at.z) + 0.5f);
  }
};
struct TexelLayers1D {
  template <class T>
  static __device__ T read(cudaTextureObject_t texture, int4 at) {
    return tex1DLayered<T>(texture, float(at.x) + 0.5f, at.z);
  }
};
struct TexelLayers2D {
  template <class T>
  static __device__ T read(cudaTextureObject_t texture, int4 at) {
    return tex2DLayered<T>(texture, float(at.x) + 0.5f, float(at.y) + 0.5f, at.z);
  }
};

template <class Surface, class T>
__global__ void write_all(cudaSurfaceObject_t surface, const int4* places, const T* texels, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) Surface::write(texels[i], surface, places[i]);
}
template <class Image, class T>
__global__ void read_all(unsigned long long image, const int4* places, T* texels, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) texels[i] = Image::template read<T>(image, places[i]);
}
template <class Surface, class T>
__global__ void read_outside(cudaSurfaceObject_t surface, const int4* places, T* texels, int count,
                             cudaSurfaceBoundaryMode mode) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) texels[i] = Surface::template read<T>(surface, places[i], mode);
}
/// One thread after the other, as several may write one place.
template <class Surface, class T>
__global__ void write_outside(cudaSurfaceObject_t surface, const int4* places, const T* texels, int count,
                              cudaSurfaceBoundaryMode mode) {
  for (int i = 0; i < count; ++i) {
    if (i % int(blockDim.x) == int(threadIdx.x)) Surface::write(texels[i], surface, places[i], mode);
    __syncthreads();
  }
}

static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

/// An array of texels of the type Element, what the host knows of it, and the objects.
template <class Element>
struct Image {
  explicit Image(const Texture& with_sizes) : sizes(with_sizes) {
    array = make_array(sizes, std::vector<Element>(), cudaArraySurfaceLoadStore);
    const cudaResourceDesc resource = resource_of(array);
    EXPECT(cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess);
    const cudaTextureDesc description{};
    EXPECT(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess);
    for (int z = 0; z < sizes.depth; ++z)
      for (int y = 0; y < sizes.height; ++y)
        for (int x = 0; x < sizes.width; ++x) places.push_back(make_int4(x, y, z, 0));
  }
  ~Image() {
    EXPECT(cudaDestroySurfaceObject(surface) == cudaSuccess && cudaDestroyTextureObject(texture) == cudaSuccess);
    EXPECT(cudaFreeArray(array) == cudaSuccess);
  }
  Image(const Image&) = delete;
  std::vector<Element> copy() const {
    std::vector<Element> host(places.size());
    cudaMemcpy3DParms parameters{};
    parameters.srcArray = array;
    parameters.dstPtr = make_cudaPitchedPtr(host.data(), sizes.width * sizeof(Element), sizes.width, sizes.height);
    parameters.extent = make_cudaExtent(sizes.width, sizes.height, sizes.depth);
    parameters.kind = cudaMemcpyDeviceToHost;
    EXPECT(cudaMemcpy3D(&parameters) == cudaSuccess);
    return host;
  }

  Texture sizes;
  cudaArray_t array = nullptr;
  cudaSurfaceObject_t surface = 0;
  cudaTextureObject_t texture = 0;
  std::vector<int4> places;  // of all texels
};

static Texture sizes(int dimensions, int width, int height = 1, int depth = 1, bool is_layered = false) {
  Texture texture;
  texture.dimensions = dimensions;
  texture.width = width, texture.height = height, texture.depth = depth;
  texture.is_layered = is_layered;
  return texture;
}

static int blocks(std::size_t threads) { return int((threads + 63) / 64); }

template <class T>
void compare(const char* what, const char* way, const std::vector<int4>& places, const std::vector<T>& are,
             const std::vector<T>& right) {
  Comparison comparison(std::string(what) + ", " + way);
  for (std::size_t i = 0; i < right.size(); ++i)
    for (int channel = 0; channel < kChannels<T>; ++channel) {
      const float x = float(places[i].x), y = float(places[i].y), z = float(places[i].z);
      comparison.add(make_float4(x, y, z, z), channel, channel_of(are[i], channel), channel_of(right[i], channel));
    }
}

/// Reads texels of the type T.
template <class Image, class T>
std::vector<T> read(unsigned long long image, const std::vector<int4>& places) {
  int4* device_places = copy_to_device(places);
  T* out = copy_to_device(std::vector<T>(places.size()));
  read_all<Image, T><<<blocks(places.size()), 64>>>(image, device_places, out, int(places.size()));
  const std::vector<T> texels = copy_to_host(out, places.size());
  cudaFree(device_places);
  cudaFree(out);
  return texels;
}
template <class Surface, class T>
void write(cudaSurfaceObject_t surface, const std::vector<int4>& places, const std::vector<T>& texels) {
  int4* device_places = copy_to_device(places);
  T* in = copy_to_device(texels);
  write_all<Surface><<<blocks(places.size()), 64>>>(surface, device_places, in, int(places.size()));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  cudaFree(device_places);
  cudaFree(in);
}
template <class T>
std::vector<T> sample_texels(std::size_t count, int first = 0) {
  std::vector<T> texels;
  for (std::size_t i = 0; i < count; ++i) texels.push_back(sample_texel<T>(int(i) + first));
  return texels;
}

/// Written, read back and read as a texture, then some written anew.
template <class T, class Surface, class Texels>
void written_and_read(const char* name, const Texture& sizes) {
  const Image<T> image(sizes);
  std::vector<T> right = sample_texels<T>(image.places.size());
  write<Surface>(image.surface, image.places, right);
  compare(name, "as a surface", image.places, read<Surface, T>(image.surface, image.places), right);
  compare(name, "as a texture", image.places, read<Texels, T>(image.texture, image.places), right);
  compare(name, "copied", image.places, image.copy(), right);

  std::vector<int4> some;
  for (std::size_t i = 0; i < image.places.size(); i += 3) some.push_back(image.places[i]);
  const std::vector<T> anew = sample_texels<T>(some.size(), 1000);
  write<Surface>(image.surface, some, anew);
  for (std::size_t i = 0; i < some.size(); ++i) right[3 * i] = anew[i];
  compare(name, "as a texture, written again", image.places, read<Texels, T>(image.texture, image.places), right);
  compare(name, "copied, written again", image.places, image.copy(), right);
}
template <class T>
void element_type(const char* name) {
  written_and_read<T, Surface2D, Texels2D>(name, sizes(2, 21, 11));
}
/// Integers of 64 bits, which textures do not have, in an array of smaller ones.
template <class T, class Element>
void long_element_type(const char* name) {
  const Image<Element> image(sizes(2, 21, 11));
  const std::vector<T> right = sample_texels<T>(image.places.size());
  write<Surface2D>(image.surface, image.places, right);
  compare(name, "as a surface", image.places, read<Surface2D, T>(image.surface, image.places), right);
  std::vector<Element> elements(right.size());
  std::memcpy(elements.data(), right.data(), right.size() * sizeof(T));
  compare(name, "as a texture", image.places, read<Texels2D, Element>(image.texture, image.places), elements);
}
/// One component at a time of texels that have four.
static void parts_of_texels() {
  const Image<uchar4> image(sizes(2, 6, 5));
  std::vector<int4> places;
  for (int y = 0; y < 5; ++y)
    for (int byte = 0; byte < 24; ++byte) places.push_back(make_int4(byte, y, 0, 0));
  const std::vector<unsigned char> bytes = sample_texels<unsigned char>(places.size());
  write<Surface2D>(image.surface, places, bytes);
  compare("bytes", "as a surface", places, read<Surface2D, unsigned char>(image.surface, places), bytes);
  std::vector<uchar4> right(30);
  std::memcpy(right.data(), bytes.data(), bytes.size());
  compare("bytes", "as a texture", image.places, read<Texels2D, uchar4>(image.texture, image.places), right);
}

/// Places around and in the image; z is a slice outside, too, unless it is a layer.
static std::vector<int4> places_around(const Texture& sizes) {
  std::vector<int4> places;
  for (int i = 0; i < 40 * sizes.dimensions; ++i) {
    const int z = i % 5 - 1;
    places.push_back(make_int4(i * 5 % (sizes.width + 6) - 3, i * 3 % (sizes.height + 4) - 2,
                               sizes.is_layered ? std::max(z, 0) % sizes.depth : z, 0));
  }
  places.push_back(make_int4(-100000000, 0, 0, 0));
  places.push_back(make_int4(100000000, 0, 0, 0));
  return places;
}
/// The index of the texel at the nearest place inside, -1 for a place outside under cudaBoundaryModeZero.
static int inside(const Texture& sizes, int4 at, cudaSurfaceBoundaryMode mode) {
  const int x = std::min(std::max(at.x, 0), sizes.width - 1);
  const int y = sizes.dimensions < 2 ? 0 : std::min(std::max(at.y, 0), sizes.height - 1);
  const bool has_z = sizes.dimensions == 3 || sizes.is_layered;
  const int z = has_z ? std::min(std::max(at.z, 0), sizes.depth - 1) : 0;
  const bool is_outside = x != at.x || (sizes.dimensions > 1 && y != at.y) || (has_z && z != at.z);
  return is_outside && mode == cudaBoundaryModeZero ? -1 : (z * sizes.height + y) * sizes.width + x;
}

template <class T, class Surface>
void boundary_modes(const char* name, const Texture& sizes) {
  const std::vector<int4> places = places_around(sizes);
  const int count = int(places.size());
  int4* device_places = copy_to_device(places);
  for (const cudaSurfaceBoundaryMode mode : {cudaBoundaryModeZero, cudaBoundaryModeClamp}) {
    const Image<T> image(sizes);
    std::vector<T> texels = sample_texels<T>(image.places.size()), right(count);
    write<Surface>(image.surface, image.places, texels);
    T* out = copy_to_device(sample_texels<T>(count, 500));
    read_outside<Surface><<<blocks(count), 64>>>(image.surface, device_places, out, count, mode);
    for (int i = 0; i < count; ++i) {
      const int index = inside(sizes, places[i], mode);
      if (index >= 0) right[i] = texels[index];
    }
    compare(name, mode == cudaBoundaryModeZero ? "zero" : "clamp", places, copy_to_host(out, count), right);
    cudaFree(out);

    const std::vector<T> anew = sample_texels<T>(count, 700);
    T* in = copy_to_device(anew);
    write_outside<Surface><<<1, 64>>>(image.surface, device_places, in, count, mode);
    for (int i = 0; i < count; ++i) {
      const int index = inside(sizes, places[i], mode);
      if (index >= 0) texels[index] = anew[i];
    }
    compare(name, mode == cudaBoundaryModeZero ? "written, zero" : "written, clamp", image.places, image.copy(),
            texels);
    cudaFree(in);
  }
  cudaFree(device_places);
}

struct Surfaces {
  cudaSurfaceObject_t number[3];
};
/// Threads of a warp write different surfaces, some none, some several times.
__global__ void divergent(Surfaces surfaces, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width || x % 5 == 4) return;
  for (int y = 0; y <= x % 3; ++y) surf2Dwrite(100 * x + y, surfaces.number[(x + y) % 3], x * 4, y);
}
static void several_surfaces_in_a_warp() {
  const int width = 150, height = 3;
  const Image<int> first(sizes(2, width, height)), second(first.sizes), third(first.sizes);
  const Image<int>* const images[3] = {&first, &second, &third};
  std::vector<int> right[3];
  Surfaces surfaces;
  for (int number = 0; number < 3; ++number) {
    right[number].assign(width * height, -1);
    write<Surface2D>(images[number]->surface, images[number]->places, right[number]);
    surfaces.number[number] = images[number]->surface;
  }
  divergent<<<3, 64>>>(surfaces, width);
  for (int x = 0; x < width; ++x)
    for (int y = 0; x % 5 != 4 && y <= x % 3; ++y) right[(x + y) % 3][y * width + x] = 100 * x + y;
  for (int number = 0; number < 3; ++number)
    compare("several surfaces", "copied", images[number]->places, images[number]->copy(), right[number]);
}

int main() {
  element_type<char>("char");
  element_type<unsigned char>("unsigned char");
  element_type<char1>("char1");
  element_type<uchar2>("uchar2");
  element_type<char4>("char4");
  element_type<short>("short");
  element_type<ushort2>("ushort2");
  element_type<short4>("short4");
  element_type<int>("int");
  element_type<unsigned>("unsigned");
  element_type<uint2>("uint2");
  element_type<int4>("int4");
  element_type<float>("float");
  element_type<float1>("float1");
  element_type<float2>("float2");
  element_type<float4>("float4");
  long_element_type<long long, int2>("long long");
  long_element_type<ulonglong1, uint2>("ulonglong1");
  long_element_type<longlong2, int4>("longlong2");
  parts_of_texels();
  written_and_read<float2, Surface1D, Texels1D>("1D", sizes(1, 131));
  written_and_read<uchar4, Surface3D, Texels3D>("3D", sizes(3, 17, 10, 4));
  written_and_read<short, Layers1D, TexelLayers1D>("1D with layers", sizes(1, 70, 1, 3, true));
  written_and_read<float, Layers2D, TexelLayers2D>("2D with layers", sizes(2, 18, 9, 3, true));
  boundary_modes<uchar2, Surface1D>("1D", sizes(1, 20));
  boundary_modes<float4, Surface2D>("2D", sizes(2, 9, 10));
  boundary_modes<int, Surface3D>("3D", sizes(3, 8, 5, 3));
  boundary_modes<short4, Layers1D>("1D with layers", sizes(1, 20, 1, 3, true));
  boundary_modes<float2, Layers2D>("2D with layers", sizes(2, 9, 10, 2, true));
  several_surfaces_in_a_warp();
  return passed();
}
