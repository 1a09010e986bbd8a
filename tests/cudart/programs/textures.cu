// Textures through their objects, each read checked against the host: prints one line per failure, PASS at the end.
#include "texture_model.h"

/* The functions, by value and through a pointer. */
#define READ(Name, function, ...)                                                 \
  struct Name {                                                                   \
    template <class T>                                                            \
    static __device__ T value(cudaTextureObject_t texture, float4 at) {           \
      return function<T>(texture, __VA_ARGS__);                                   \
    }                                                                             \
    template <class T>                                                            \
    static __device__ void store(T* to, cudaTextureObject_t texture, float4 at) { \
      function(to, texture, __VA_ARGS__);                                         \
    }                                                                             \
  };
READ(Fetch, tex1Dfetch, int(at.x))
READ(Read1D, tex1D, at.x)
READ(Read2D, tex2D, at.x, at.y)
READ(Read3D, tex3D, at.x, at.y, at.z)
READ(ReadLayers1D, tex1DLayered, at.x, int(at.w))
READ(ReadLayers2D, tex2DLayered, at.x, at.y, int(at.w))
READ(Level1D, tex1DLod, at.x, 0.0f)
READ(Level2D, tex2DLod, at.x, at.y, 0.0f)
READ(Level3D, tex3DLod, at.x, at.y, at.z, 0.0f)
READ(LevelLayers1D, tex1DLayeredLod, at.x, int(at.w), 0.0f)
READ(LevelLayers2D, tex2DLayeredLod, at.x, at.y, int(at.w), 0.0f)
READ(Gradient1D, tex1DGrad, at.x, 0.25f, 0.5f)
READ(Gradient2D, tex2DGrad, at.x, at.y, make_float2(0.25f, 0), make_float2(0, 0.5f))
READ(Gradient3D, tex3DGrad, at.x, at.y, at.z, make_float4(0.25f, 0, 0, 0), make_float4(0, 0.5f, 0, 0))
READ(GradientLayers1D, tex1DLayeredGrad, at.x, int(at.w), 0.25f, 0.5f)
READ(GradientLayers2D, tex2DLayeredGrad, at.x, at.y, int(at.w), make_float2(0.25f, 0), make_float2(0, 0.5f))

template <class T, class Read>
__global__ void read_all(cudaTextureObject_t texture, const float4* places, T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  if (i % 3 == 0)
    Read::store(&out[i], texture, places[i]);
  else
    out[i] = Read::template value<T>(texture, places[i]);
}

static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
template <class T>
cudaResourceDesc resource_of(T* memory, std::size_t count) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = count * sizeof(T);
  return resource;
}

static cudaTextureObject_t make_object(const cudaResourceDesc& resource, const Texture& texture,
                                       cudaTextureReadMode mode = cudaReadModeElementType) {
  cudaTextureDesc description{};
  for (int axis = 0; axis < 3; ++axis) description.addressMode[axis] = texture.address[axis];
  description.filterMode = texture.filter;
  description.readMode = mode;
  description.normalizedCoords = texture.is_normalized;
  for (int channel = 0; channel < 4; ++channel) description.borderColor[channel] = float(texture.border[channel]);
  cudaTextureObject_t object = 0;
  EXPECT(cudaCreateTextureObject(&object, &resource, &description, nullptr) == cudaSuccess);
  return object;
}

/// Reads at all places and compares with the host.
template <class T, class Read>
void check(const char* what, cudaTextureObject_t object, const Texture& texture, const std::vector<float4>& places) {
  float4* device_places = copy_to_device(places);
  T* out = copy_to_device(std::vector<T>(places.size()));
  const int count = int(places.size());
  read_all<T, Read><<<(count + 95) / 96, 96>>>(object, device_places, out, count);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  compare(what, copy_to_host(out, places.size()), texture, places);
  cudaFree(device_places);
  cudaFree(out);
}

/// Every element type, from an array and from linear memory, inside and outside of it.
template <class T>
void element_type(const char* name) {
  const int width = 11, height = 9;
  const std::vector<T> host = texels<T>(width * height, sample_texel<T>);
  Texture texture = texture_of(host, 2, width, height);
  const cudaArray_t array = make_array(texture, host);
  const cudaTextureObject_t from_array = make_object(resource_of(array), texture);
  check<T, Read2D>(name, from_array, texture, middles_of(texture));
  EXPECT(cudaDestroyTextureObject(from_array) == cudaSuccess && cudaFreeArray(array) == cudaSuccess);

  Texture row = texture_of(host, 1, width * height);
  row.address[0] = cudaAddressModeBorder;  // of zeros, which is what a fetch beyond the memory gives
  T* memory = copy_to_device(host);
  const cudaTextureObject_t from_memory = make_object(resource_of(memory, host.size()), texture);
  std::vector<float4> places = middles_of(row);
  for (float outside : {-1.0f, -1000000.0f, 99.0f, 100.0f, 2000000.0f}) places.push_back(make_float4(outside, 0, 0, 0));
  check<T, Fetch>(name, from_memory, row, places);
  EXPECT(cudaDestroyTextureObject(from_memory) == cudaSuccess && cudaFree(memory) == cudaSuccess);
}

/// Floats in 1, 2 and 3 dimensions, read under every address mode, both filters and both kinds of coordinates.
template <class Read, class Level, class Gradient>
void addresses_and_filters(const char* name, int dimensions, int width, int height, int depth,
                           bool is_layered = false) {
  const std::vector<float> host = texels<float>(width * height * depth, small_texel);
  Texture texture = texture_of(host, dimensions, width, height, depth);
  texture.is_layered = is_layered;
  const cudaArray_t array = make_array(texture, host);
  texture.border[0] = 7;
  for (int mode = 0; mode < 4; ++mode)
    for (int filter = 0; filter < 2; ++filter)
      for (int normalized = 0; normalized < 2; ++normalized) {
        for (int axis = 0; axis < 3; ++axis)  // different ones along the axes
          texture.address[axis] = cudaTextureAddressMode((mode + axis) % 4);
        texture.filter = cudaTextureFilterMode(filter);
        texture.is_normalized = normalized;
        const cudaTextureObject_t object = make_object(resource_of(array), texture);
        const std::vector<float4> places = places_in(texture);
        check<float, Read>(name, object, texture, places);
        if (mode == 0) check<float, Level>(name, object, texture, places);
        if (mode == 0) check<float, Gradient>(name, object, texture, places);
        cudaDestroyTextureObject(object);
      }
  cudaFreeArray(array);
}

/// Rows with a gap behind each.
static void pitched_memory() {
  const int width = 13, height = 6;
  const std::vector<float2> host = texels<float2>(width * height, sample_texel<float2>);
  float2* memory = nullptr;
  std::size_t pitch = 0;
  EXPECT(cudaMallocPitch(&memory, &pitch, width * sizeof(float2), height) == cudaSuccess);
  EXPECT(cudaMemcpy2D(memory, pitch, host.data(), width * sizeof(float2), width * sizeof(float2), height,
                      cudaMemcpyHostToDevice) == cudaSuccess);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float2>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  Texture texture = texture_of(host, 2, width, height);
  texture.address[1] = cudaAddressModeBorder;
  const cudaTextureObject_t object = make_object(resource, texture);
  check<float2, Read2D>("pitched memory", object, texture, places_in(texture));
  cudaDestroyTextureObject(object);
  cudaFree(memory);
}

/// Integers as fractions: every value that a byte has, ends of larger ones, and filtered between 0, 1 and -1.
template <class T, class Fractions>
void fractions(const char* name) {
  const int width = 16, height = 16;
  std::vector<T> host;
  for (int i = 0; i < width * height; ++i) {
    T texel;
    typename Scalar<T>::Type scalars[kChannels<T>];
    for (int channel = 0; channel < kChannels<T>; ++channel)
      scalars[channel] = typename Scalar<T>::Type((i + channel) * (sizeof scalars[0] == 1 ? 1 : 257));
    std::memcpy(&texel, scalars, sizeof texel);
    host.push_back(texel);
  }
  Texture texture = as_fractions<T>(texture_of(host, 2, width, height));
  const cudaArray_t array = make_array(texture, host);
  const cudaTextureObject_t object = make_object(resource_of(array), texture, cudaReadModeNormalizedFloat);
  check<Fractions, Read2D>(name, object, texture, middles_of(texture));
  cudaDestroyTextureObject(object);
  cudaFreeArray(array);

  using S = typename Scalar<T>::Type;
  const S ends[3] = {0, std::numeric_limits<S>::max(), S(-std::numeric_limits<S>::max())};
  const int kinds = std::numeric_limits<S>::is_signed ? 3 : 2;
  for (int i = 0; i < width * height; ++i)
    for (int channel = 0; channel < kChannels<T>; ++channel)
      std::memcpy(reinterpret_cast<S*>(&host[i]) + channel, &ends[(i + channel) % kinds], sizeof(S));
  texture = as_fractions<T>(texture_of(host, 2, width, height));
  texture.filter = cudaFilterModeLinear;
  const cudaArray_t filtered = make_array(texture, host);
  const cudaTextureObject_t linear = make_object(resource_of(filtered), texture, cudaReadModeNormalizedFloat);
  check<Fractions, Read2D>(name, linear, texture, places_in(texture));
  cudaDestroyTextureObject(linear);
  cudaFreeArray(filtered);
}

/// Floats of 16 bits.
static void halves() {
  const std::vector<ushort2> host{{0x3c00, 0xc000}, {0x0001, 0x7bff}, {0x8000, 0x3555}, {0x0400, 0xfbff}};
  const std::vector<float2> as_floats{
      {1, -2}, {5.9604644775390625e-8f, 65504}, {-0.0f, 0.333251953125f}, {6.103515625e-5f, -65504}};
  const Texture texture = texture_of(as_floats, 1, 4);
  const cudaArray_t array =
      make_array(texture, host, 0, cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat));
  const cudaTextureObject_t object = make_object(resource_of(array), texture);
  check<float2, Read1D>("halves", object, texture, places_in(texture));
  cudaDestroyTextureObject(object);
  cudaFreeArray(array);
}

template <class T>
__global__ void gather_all(cudaTextureObject_t texture, const float4* places, T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[4 * i] = tex2Dgather<T>(texture, places[i].x, places[i].y);
  for (int component = 1; component < 4; ++component)
    tex2Dgather(&out[4 * i + component], texture, places[i].x, places[i].y, component);
}
/// The four texels that a filter would weight, one component of each.
template <class T>
void gather(const char* name) {
  const int width = 9, height = 7;
  const std::vector<T> host = texels<T>(width * height, sample_texel<T>);
  const Texture texture = texture_of(host, 2, width, height);
  const cudaArray_t array = make_array(texture, host, cudaArrayTextureGather);
  const cudaTextureObject_t object = make_object(resource_of(array), texture);
  const std::vector<float4> places = places_in(texture);
  float4* device_places = copy_to_device(places);
  T* out = copy_to_device(std::vector<T>(4 * places.size()));
  const int count = int(places.size());
  gather_all<<<(count + 63) / 64, 64>>>(object, device_places, out, count);
  const std::vector<T> read = copy_to_host(out, 4 * places.size());
  Comparison comparison(name);
  for (int i = 0; i < 4 * count; ++i) {
    const float4 at = places[i / 4];
    const int x = int(std::floor(at.x - 0.5f)), y = int(std::floor(at.y - 0.5f));
    const int around[4][2] = {{x, y + 1}, {x + 1, y + 1}, {x + 1, y}, {x, y}};
    for (int texel = 0; texel < 4; ++texel)
      comparison.add(at, texel, double(channel_of(read[i], texel)),
                     texture.texel(around[texel][0], around[texel][1], 0, i % 4));
  }
  cudaFree(device_places);
  cudaFree(out);
  cudaDestroyTextureObject(object);
  cudaFreeArray(array);
}

struct Objects {
  cudaTextureObject_t number[3];
};
/// Threads of a warp read different textures, some none; a loop in which they leave one after the other.
__global__ void divergent(Objects objects, const cudaTextureObject_t* in_memory, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float sum = 0;
  if (i % 4 != 3) {
    const cudaTextureObject_t object = i % 2 == 0 ? objects.number[i % 3] : in_memory[i % 3];
    for (int step = 0; step <= i % 5; ++step) sum += tex1D<float>(object, float(i + step) + 0.5f);
  } else if (i % 8 == 3) {
    sum = tex1D<float>(objects.number[0], 0.5f);
  }
  out[i] = sum;
}
static void several_textures_in_a_warp() {
  const int width = 300, count = 290;
  Objects objects;
  std::vector<cudaArray_t> arrays;
  std::vector<Texture> textures;
  for (int number = 0; number < 3; ++number) {
    std::vector<float> host;
    for (int i = 0; i < width; ++i) host.push_back(small_texel(i + 100 * number) + 1000.0f * float(number));
    textures.push_back(texture_of(host, 1, width));
    arrays.push_back(make_array(textures[number], host));
    objects.number[number] = make_object(resource_of(arrays[number]), textures[number]);
  }
  cudaTextureObject_t* in_memory = copy_to_device(std::vector<cudaTextureObject_t>(objects.number, objects.number + 3));
  float* out = copy_to_device(std::vector<float>(count));
  divergent<<<3, 128>>>(objects, in_memory, out, count);
  const std::vector<float> read = copy_to_host(out, count);
  for (int i = 0; i < count; ++i) {
    double sum = 0;
    if (i % 4 != 3)
      for (int step = 0; step <= i % 5; ++step) sum += textures[i % 3].values[i + step];
    else if (i % 8 == 3)
      sum = textures[0].values[0];
    EXPECT(read[i] == sum);
  }
  for (int number = 0; number < 3; ++number) {
    cudaDestroyTextureObject(objects.number[number]);
    cudaFreeArray(arrays[number]);
  }
  cudaFree(in_memory);
  cudaFree(out);
}

/// What a copy and a kernel wrote to memory is read by the next launch.
__global__ void add_one(int* values) { values[threadIdx.x] += 1; }
static void memory_that_changes() {
  const int count = 64;
  std::vector<int> host(count);
  int* memory = copy_to_device(host);
  const Texture shape = texture_of(host, 1, count);
  const cudaTextureObject_t object = make_object(resource_of(memory, count), shape);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < count; ++i) host[i] = 10 * i + round;
    EXPECT(cudaMemcpy(memory, host.data(), count * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess);
    add_one<<<1, count>>>(memory);
    for (int& value : host) ++value;
    check<int, Fetch>("memory that changes", object, texture_of(host, 1, count), middles_of(shape));
  }
  cudaDestroyTextureObject(object);
  cudaFree(memory);
}

int main() {
  element_type<char>("char");
  element_type<signed char>("signed char");
  element_type<unsigned char>("unsigned char");
  element_type<short>("short");
  element_type<unsigned short>("unsigned short");
  element_type<int>("int");
  element_type<unsigned>("unsigned");
  element_type<float>("float");
  element_type<char1>("char1");
  element_type<uchar2>("uchar2");
  element_type<char4>("char4");
  element_type<uchar4>("uchar4");
  element_type<short2>("short2");
  element_type<ushort4>("ushort4");
  element_type<int2>("int2");
  element_type<int4>("int4");
  element_type<uint1>("uint1");
  element_type<uint4>("uint4");
  element_type<float1>("float1");
  element_type<float2>("float2");
  element_type<float4>("float4");
  addresses_and_filters<Read1D, Level1D, Gradient1D>("1D", 1, 16, 1, 1);
  addresses_and_filters<Read2D, Level2D, Gradient2D>("2D", 2, 16, 8, 1);
  addresses_and_filters<Read3D, Level3D, Gradient3D>("3D", 3, 8, 4, 4);
  addresses_and_filters<ReadLayers1D, LevelLayers1D, GradientLayers1D>("1D with layers", 1, 16, 1, 3, true);
  addresses_and_filters<ReadLayers2D, LevelLayers2D, GradientLayers2D>("2D with layers", 2, 8, 16, 3, true);
  pitched_memory();
  fractions<unsigned char, float>("fractions of unsigned char");
  fractions<uchar4, float4>("fractions of uchar4");
  fractions<char2, float2>("fractions of char2");
  fractions<unsigned short, float>("fractions of unsigned short");
  fractions<short4, float4>("fractions of short4");
  halves();
  gather<float4>("gather of float4");
  gather<uchar4>("gather of uchar4");
  gather<int4>("gather of int4");
  several_textures_in_a_warp();
  memory_that_changes();
  return passed();
}
