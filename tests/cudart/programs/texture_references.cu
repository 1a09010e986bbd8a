// Textures and surfaces as variables of the file, which CUDA 12 has no more; each read is checked against the host.
// Prints one line per failure, PASS at the end.
#include "texture_model.h"

texture<float, 2, cudaReadModeElementType> plane;
static texture<float4, 1> row;
texture<uchar4, cudaTextureType1D, cudaReadModeNormalizedFloat> colours;
texture<short2, 2, cudaReadModeNormalizedFloat> pairs(0, cudaFilterModePoint, cudaAddressModeBorder);
texture<float, cudaTextureType3D> volume(1, cudaFilterModeLinear, cudaAddressModeWrap);
texture<int, cudaTextureType1DLayered> rows;
texture<float2, cudaTextureType2DLayered> planes(0, cudaFilterModeLinear);
namespace other {
static texture<int, 1> row;
}
surface<void, 2> board;
surface<void, cudaSurfaceType3D> box;

template <class T>
__device__ T read_through(texture<T, 2> reference, float x, float y) {
  return tex2D(reference, x, y);
}

/* What the kernels read. */
#define READ(Name, type, ...)                                    \
  struct Name {                                                  \
    using Result = type;                                         \
    static __device__ type at(float4 at) { return __VA_ARGS__; } \
  };
READ(Plane, float, tex2D(plane, at.x, at.y))
READ(PlaneLevel, float, tex2DLod(plane, at.x, at.y, 0))
READ(PlaneThrough, float, read_through(plane, at.x, at.y))
READ(Row, float4, tex1Dfetch(row, int(at.x)))
READ(RowOfArray, float4, tex1D(row, at.x))
READ(Colours, float4, tex1Dfetch(colours, int(at.x)))
READ(Pairs, float2, tex2D(pairs, at.x, at.y))
READ(Volume, float, tex3D(volume, at.x, at.y, at.z))
READ(Rows, int, tex1DLayered(rows, at.x, int(at.w)))
READ(Planes, float2, tex2DLayered(planes, at.x, at.y, int(at.w)))
READ(OtherRow, int, tex1Dfetch(other::row, int(at.x)))
READ(PlaneGradient, float, tex2DGrad(plane, at.x, at.y, make_float2(0, 0), make_float2(0, 0)))

template <class Read>
__global__ void read_all(const float4* places, typename Read::Result* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = Read::at(places[i]);
}
template <class Read>
void check(const char* what, const Texture& texture, const std::vector<float4>& places) {
  using Result = typename Read::Result;
  float4* device_places = copy_to_device(places);
  Result* out = copy_to_device(std::vector<Result>(places.size()));
  read_all<Read><<<int(places.size() + 63) / 64, 64>>>(device_places, out, int(places.size()));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  compare(what, copy_to_host(out, places.size()), texture, places);
  cudaFree(device_places);
  cudaFree(out);
}

/// Linear memory, at its beginning, and anew at another place in it.
static void linear_memory() {
  const int count = 100;
  const std::vector<float4> host = texels<float4>(count, sample_texel<float4>);
  float4* memory = copy_to_device(host);
  Texture texture = texture_of(host, 1, count);
  texture.address[0] = cudaAddressModeBorder;  // a fetch outside of the memory gives zeros
  std::vector<float4> places = middles_of(texture);
  for (float outside : {-1.0f, 100.0f, 1000.0f}) places.push_back(make_float4(outside, 0, 0, 0));
  std::size_t offset = 1;
  EXPECT(cudaBindTexture(&offset, row, memory, count * sizeof(float4)) == cudaSuccess && offset == 0);
  check<Row>("a row of memory", texture, places);
  offset = 1;
  EXPECT(cudaGetTextureAlignmentOffset(&offset, row) == cudaSuccess && offset == 0);

  const int part = 32;  // texels, 512 bytes: what textures are aligned to
  EXPECT(cudaBindTexture(nullptr, row, memory + part, row.channelDesc, 40 * sizeof(float4)) == cudaSuccess);
  texture = texture_of(std::vector<float4>(host.begin() + part, host.begin() + part + 40), 1, 40);
  texture.address[0] = cudaAddressModeBorder;
  check<Row>("a part of it", texture, places);
  EXPECT(cudaUnbindTexture(row) == cudaSuccess);

  texture = texture_of(host, 1, count);
  const cudaArray_t array = make_array(texture, host);
  EXPECT(cudaBindTextureToArray(row, array) == cudaSuccess);
  check<RowOfArray>("an array in its place", texture, places);
  EXPECT(cudaUnbindTexture(row) == cudaSuccess && cudaFreeArray(array) == cudaSuccess);
  cudaFree(memory);
}

/// Two variables of one name, one of which reads bytes as fractions.
static void fractions_and_namespaces() {
  const int count = 70;
  const std::vector<uchar4> bytes = texels<uchar4>(count, sample_texel<uchar4>);
  const std::vector<int> numbers = texels<int>(count, sample_texel<int>);
  uchar4* device_bytes = copy_to_device(bytes);
  int* device_numbers = copy_to_device(numbers);
  EXPECT(cudaBindTexture(nullptr, colours, device_bytes, count * sizeof(uchar4)) == cudaSuccess);
  EXPECT(cudaBindTexture(nullptr, &other::row, device_numbers, &other::row.channelDesc, count * sizeof(int)) ==
         cudaSuccess);
  const Texture colour_texture = as_fractions<uchar4>(texture_of(bytes, 1, count));
  check<Colours>("colours", colour_texture, middles_of(colour_texture));
  const Texture number_texture = texture_of(numbers, 1, count);
  check<OtherRow>("other::row", number_texture, middles_of(number_texture));
  EXPECT(cudaUnbindTexture(colours) == cudaSuccess && cudaUnbindTexture(&other::row) == cudaSuccess);
  cudaFree(device_bytes);
  cudaFree(device_numbers);
}

/// Fields of the variable that are set before it is bound.
static void plane_of_an_array() {
  const std::vector<float> host = texels<float>(16 * 8, small_texel);
  Texture texture = texture_of(host, 2, 16, 8);
  const cudaArray_t array = make_array(texture, host);
  for (int round = 0; round < 3; ++round) {
    plane.normalized = texture.is_normalized = round > 0;
    plane.filterMode = texture.filter = round == 1 ? cudaFilterModePoint : cudaFilterModeLinear;
    plane.addressMode[0] = texture.address[0] = round == 1 ? cudaAddressModeWrap : cudaAddressModeClamp;
    plane.addressMode[1] = texture.address[1] = round == 1 ? cudaAddressModeMirror : cudaAddressModeBorder;
    if (round == 1)
      EXPECT(cudaBindTextureToArray(plane, array, cudaCreateChannelDesc<float>()) == cudaSuccess);
    else
      EXPECT(cudaBindTextureToArray(plane, array) == cudaSuccess);
    check<Plane>("plane", texture, places_in(texture));
    check<PlaneLevel>("plane, at a level", texture, places_in(texture));
    check<PlaneGradient>("plane, with gradients", texture, places_in(texture));
    check<PlaneThrough>("plane, as an argument", texture, places_in(texture));
  }
  const textureReference* reference = nullptr;
  EXPECT(cudaGetTextureReference(&reference, &plane) == cudaSuccess && reference == &plane);
  EXPECT(cudaUnbindTexture(plane) == cudaSuccess && cudaFreeArray(array) == cudaSuccess);
}

static void pitched_memory() {
  const int width = 13, height = 6;
  const std::vector<short2> host = texels<short2>(width * height, sample_texel<short2>);
  short2* memory = nullptr;
  std::size_t pitch = 0, offset = 1;
  EXPECT(cudaMallocPitch(&memory, &pitch, width * sizeof(short2), height) == cudaSuccess);
  EXPECT(cudaMemcpy2D(memory, pitch, host.data(), width * sizeof(short2), width * sizeof(short2), height,
                      cudaMemcpyHostToDevice) == cudaSuccess);
  EXPECT(cudaBindTexture2D(&offset, pairs, memory, width, height, pitch) == cudaSuccess && offset == 0);
  Texture texture = as_fractions<short2>(texture_of(host, 2, width, height));
  texture.address[0] = texture.address[1] = cudaAddressModeBorder;
  check<Pairs>("pairs", texture, places_in(texture));
  EXPECT(cudaUnbindTexture(pairs) == cudaSuccess);
  EXPECT(cudaBindTexture2D(nullptr, pairs, memory, pairs.channelDesc, 7, 3, pitch) == cudaSuccess);
  std::vector<short2> corner;
  for (int i = 0; i < 21; ++i) corner.push_back(host[i / 7 * width + i % 7]);
  texture = as_fractions<short2>(texture_of(corner, 2, 7, 3));
  texture.address[0] = texture.address[1] = cudaAddressModeBorder;
  check<Pairs>("a corner of the pairs", texture, places_in(texture));
  cudaUnbindTexture(pairs);
  cudaFree(memory);
}

static void volumes_and_layers() {
  const std::vector<float> floats = texels<float>(8 * 4 * 4, small_texel);
  Texture texture = texture_of(floats, 3, 8, 4, 4);
  texture.filter = cudaFilterModeLinear;
  texture.is_normalized = true;
  std::fill_n(texture.address, 3, cudaAddressModeWrap);
  const cudaArray_t volume_array = make_array(texture, floats);
  EXPECT(cudaBindTextureToArray(volume, volume_array) == cudaSuccess);
  check<Volume>("volume", texture, places_in(texture));

  const std::vector<int> numbers = texels<int>(9 * 3, sample_texel<int>);
  Texture row_texture = texture_of(numbers, 1, 9, 1, 3);
  row_texture.is_layered = true;
  const cudaArray_t row_array = make_array(row_texture, numbers);
  EXPECT(cudaBindTextureToArray(rows, row_array) == cudaSuccess);
  check<Rows>("rows", row_texture, places_in(row_texture));

  std::vector<float2> vectors;
  for (int i = 0; i < 7 * 5 * 3; ++i) vectors.push_back(make_float2(small_texel(i), small_texel(i + 11)));
  Texture plane_texture = texture_of(vectors, 2, 7, 5, 3);
  plane_texture.is_layered = true;
  plane_texture.filter = cudaFilterModeLinear;
  const cudaArray_t plane_array = make_array(plane_texture, vectors);
  EXPECT(cudaBindTextureToArray(planes, plane_array) == cudaSuccess);
  check<Planes>("planes", plane_texture, places_in(plane_texture));
  EXPECT(cudaUnbindTexture(volume) == cudaSuccess && cudaUnbindTexture(rows) == cudaSuccess &&
         cudaUnbindTexture(planes) == cudaSuccess);
  for (const cudaArray_t array : {volume_array, row_array, plane_array}) EXPECT(cudaFreeArray(array) == cudaSuccess);
}

/// Each thread moves a texel of `board` to where it belongs in `box`.
__global__ void fill(int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x >= width) return;
  surf2Dwrite(float(100 * y + x), board, x * 4, y);
  surf2Dwrite(-1.0f, board, (x + width) * 4, y, cudaBoundaryModeZero);
}
__global__ void move(int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  float value;
  surf2Dread(&value, board, x * 4, y, cudaBoundaryModeClamp);
  if (x < width) surf3Dwrite(value + surf2Dread<float>(board, x * 4, 0), box, x * 4, y % 2, y / 2);
}
static void surfaces() {
  const int width = 20, height = 6;
  Texture texture = texture_of(std::vector<float>(), 2, width, height);
  const cudaArray_t board_array = make_array(texture, std::vector<float>(), cudaArraySurfaceLoadStore);
  Texture box_texture = texture_of(std::vector<float>(), 3, width, 2, height / 2);
  const cudaArray_t box_array = make_array(box_texture, std::vector<float>(), cudaArraySurfaceLoadStore);
  EXPECT(cudaBindSurfaceToArray(board, board_array) == cudaSuccess);
  EXPECT(cudaBindSurfaceToArray(box, box_array) == cudaSuccess);
  fill<<<height, 32>>>(width);
  move<<<height, 32>>>(width);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < width * height; ++i) {
    const int x = i % width, y = i / width;
    texture.values.push_back(100 * y + x);
    box_texture.values.push_back(100 * y + 2 * x);
  }
  plane.normalized = 0;
  plane.filterMode = cudaFilterModePoint;
  plane.addressMode[0] = plane.addressMode[1] = cudaAddressModeClamp;
  EXPECT(cudaBindTextureToArray(plane, board_array) == cudaSuccess);
  check<Plane>("what was written", texture, places_in(texture));
  volume.normalized = 0;
  volume.filterMode = cudaFilterModePoint;
  EXPECT(cudaBindTextureToArray(volume, box_array) == cudaSuccess);
  check<Volume>("what was moved", box_texture, middles_of(box_texture));
  cudaUnbindTexture(plane);
  cudaUnbindTexture(volume);
  EXPECT(cudaFreeArray(board_array) == cudaSuccess && cudaFreeArray(box_array) == cudaSuccess);
}

int main() {
  EXPECT(row.filterMode == cudaFilterModePoint && row.normalized == 0 && row.channelDesc.w == 32);
  EXPECT(volume.addressMode[2] == cudaAddressModeWrap && volume.channelDesc.f == cudaChannelFormatKindFloat);
  linear_memory();
  fractions_and_namespaces();
  plane_of_an_array();
  pitched_memory();
  volumes_and_layers();
  surfaces();
  return passed();
}
