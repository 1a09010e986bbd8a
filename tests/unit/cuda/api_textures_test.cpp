// Texture and surface objects and references: the records that device code finds, and the codes that the reference
// manual gives their calls ("CUDA Runtime API", "Texture Object Management" and "Texture Reference Management").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "cuda/image/fat_binary.h"
#include "simt/image/image_layout.h"
#include "unit/cuda/api_session.h"
#include "unit/cuda/fat_wrapper.h"

namespace warpfork::cuda {
namespace api_textures_test {

using simt::Image;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr cudaChannelFormatDesc kByte{8, 0, 0, 0, cudaChannelFormatKindUnsigned};
constexpr cudaChannelFormatDesc kShort2{16, 16, 0, 0, cudaChannelFormatKindSigned};
constexpr cudaChannelFormatDesc kInt{32, 0, 0, 0, cudaChannelFormatKindSigned};
constexpr cudaChannelFormatDesc kFloat4{32, 32, 32, 32, cudaChannelFormatKindFloat};

template <typename Value = Image>
Value device_value(unsigned long long address) {
  Value value{};
  EXPECT_EQ(cudaMemcpy(&value, reinterpret_cast<void*>(address), sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  return value;
}

unsigned long long address_of_pointer(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// One megabyte of memory, and an array of 20 by 9 texels of four floats for surfaces.
class Textures : public ApiTest {
 protected:
  Textures() {
    cudaMalloc(&memory_, 1 << 20);
    cudaMallocArray(&array_, &kFloat4, 20, 9, cudaArraySurfaceLoadStore);
    of_array_.res.array.array = array_;
  }
  ~Textures() override {
    for (cudaTextureObject_t texture : textures_) cudaDestroyTextureObject(texture);
    cudaFreeArray(array_);
    cudaFree(memory_);
  }

  cudaTextureObject_t create(const cudaResourceDesc& resource, const cudaResourceViewDesc* view = nullptr) {
    cudaTextureObject_t made = 0;
    EXPECT_EQ(cudaCreateTextureObject(&made, &resource, &description_, view), cudaSuccess);
    textures_.push_back(made);
    return made;
  }
  cudaError_t code_of(const cudaResourceDesc& resource, const cudaResourceViewDesc* view = nullptr) const {
    cudaTextureObject_t made = 0;
    const cudaError_t code = cudaCreateTextureObject(&made, &resource, &description_, view);
    if (code == cudaSuccess) cudaDestroyTextureObject(made);
    return code;
  }
  cudaResourceDesc linear(const cudaChannelFormatDesc& format, std::size_t bytes, std::size_t offset = 0) const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {static_cast<std::byte*>(memory_) + offset, format, bytes};
    return resource;
  }
  cudaResourceDesc pitched(std::size_t width, std::size_t height, std::size_t pitch, std::size_t offset = 0) const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {static_cast<std::byte*>(memory_) + offset, kShort2, width, height, pitch};
    return resource;
  }

  void* memory_ = nullptr;
  cudaArray_t array_ = nullptr;
  cudaResourceDesc of_array_{};
  cudaTextureDesc description_{};

 private:
  std::vector<cudaTextureObject_t> textures_;
};

TEST_F(Textures, of_linear_memory_are_one_row_of_whole_texels) {
  const Image image = device_value(create(linear(kShort2, 1027, 256)));
  EXPECT_EQ(image.kind, Image::kTexture);
  EXPECT_EQ(image.channel, Image::Channel::Signed);
  EXPECT_EQ(image.channels, 2);
  EXPECT_EQ(image.channel_bytes, 2);
  EXPECT_EQ(image.layout, Image::Layout::Buffer);
  EXPECT_EQ(image.address, address_of_pointer(memory_) + 256);
  EXPECT_THAT((std::array{image.width, image.height, image.depth}), ElementsAre(256, 1, 1));
}

TEST_F(Textures, of_pitched_memory_know_their_pitch) {
  const Image image = device_value(create(pitched(100, 7, 416)));
  EXPECT_EQ(image.layout, Image::Layout::Pitched);
  EXPECT_EQ(image.address, address_of_pointer(memory_));
  EXPECT_THAT((std::array{image.width, image.height, image.depth, image.pitch}), ElementsAre(100, 7, 1, 416));
}

TEST_F(Textures, of_arrays_find_what_was_copied_there) {
  const std::array<float, 4> texel{1, 2, 3, 4};
  cudaMemcpy2DToArray(array_, 13 * 16, 8, texel.data(), 16, 16, 1, cudaMemcpyHostToDevice);
  const Image image = device_value(create(of_array_));
  EXPECT_EQ(image.layout, Image::Layout::Array);
  EXPECT_EQ(image.channel, Image::Channel::Float);
  EXPECT_EQ(image.texel_bytes(), 16u);
  EXPECT_THAT((std::array{image.width, image.height, image.depth}), ElementsAre(20, 9, 1));
  EXPECT_EQ((device_value<std::array<float, 4>>(texel_address(image, 13 * 16, 8, 0))), texel);
}

TEST_F(Textures, of_layers_count_them_as_depth) {
  cudaArray_t layers = nullptr;
  ASSERT_EQ(cudaMalloc3DArray(&layers, &kByte, {30, 0, 6}, cudaArrayLayered), cudaSuccess);
  of_array_.res.array.array = layers;
  const Image image = device_value(create(of_array_));
  EXPECT_THAT((std::array{image.width, image.height, image.depth}), ElementsAre(30, 1, 6));
  EXPECT_EQ(cudaFreeArray(layers), cudaSuccess);
}

TEST_F(Textures, keep_how_they_are_read) {
  const std::array modes{cudaAddressModeWrap, cudaAddressModeMirror, cudaAddressModeBorder};
  std::ranges::copy(modes, description_.addressMode);
  std::ranges::copy(std::array{0.5f, 1.f, 2.f, 3.f}, description_.borderColor);
  description_.filterMode = cudaFilterModeLinear;
  description_.normalizedCoords = description_.maxAnisotropy = 1;
  const Image image = device_value(create(of_array_));
  EXPECT_THAT(image.address_mode, ElementsAre(Image::Address::Wrap, Image::Address::Mirror, Image::Address::Border));
  EXPECT_TRUE(image.is_filtered);
  EXPECT_TRUE(image.is_normalized);
  EXPECT_FALSE(image.reads_fractions);
  EXPECT_THAT(image.border, ElementsAre(0.5f, 1, 2, 3));
}

TEST_F(Textures, of_linear_memory_are_neither_filtered_nor_addressed_otherwise) {
  description_.filterMode = cudaFilterModeLinear;
  description_.addressMode[0] = cudaAddressModeBorder;
  const Image image = device_value(create(linear(kInt, 64)));
  EXPECT_FALSE(image.is_filtered);
  EXPECT_THAT(image.address_mode, Each(Image::Address::Clamp));
}

TEST_F(Textures, of_small_integers_may_be_read_as_fractions_and_filtered) {
  description_.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(code_of(pitched(8, 8, 32)), cudaErrorInvalidFilterSetting) << "integers";
  description_.readMode = cudaReadModeNormalizedFloat;
  EXPECT_TRUE(device_value(create(pitched(8, 8, 32))).reads_fractions);
  EXPECT_EQ(code_of(linear(kInt, 64)), cudaErrorInvalidNormSetting);
  EXPECT_FALSE(device_value(create(of_array_)).reads_fractions) << "floats stay as they are";
}

TEST_F(Textures, with_modes_that_there_are_none_of_are_refused) {
  description_.readMode = static_cast<cudaTextureReadMode>(2);
  EXPECT_EQ(code_of(linear(kInt, 64)), cudaErrorInvalidValue);
  description_.readMode = cudaReadModeElementType;
  description_.filterMode = static_cast<cudaTextureFilterMode>(2);
  EXPECT_EQ(code_of(of_array_), cudaErrorInvalidValue);
  description_.filterMode = cudaFilterModePoint;
  description_.addressMode[2] = static_cast<cudaTextureAddressMode>(4);
  EXPECT_EQ(code_of(of_array_), cudaErrorInvalidValue);
}

TEST_F(Textures, of_linear_memory_must_be_aligned_and_end_with_it) {
  EXPECT_EQ(code_of(linear(kInt, 1 << 20)), cudaSuccess);
  EXPECT_EQ(code_of(linear(kInt, (1 << 20) + 1)), cudaErrorInvalidValue);
  EXPECT_EQ(code_of(linear(kInt, 64, 128)), cudaErrorInvalidValue) << "textureAlignment is 256";
  EXPECT_EQ(code_of(linear(kInt, 3)), cudaErrorInvalidValue) << "no texel";
  cudaResourceDesc of_host = linear(kInt, 64);
  alignas(256) std::array<int, 64> host{};
  of_host.res.linear.devPtr = host.data();
  EXPECT_EQ(code_of(of_host), cudaErrorInvalidValue);
}

TEST_F(Textures, of_linear_memory_have_two_to_the_27th_texels_at_most) {
  void* large = nullptr;
  ASSERT_EQ(cudaMalloc(&large, (1u << 27) + 1), cudaSuccess);
  cudaResourceDesc resource = linear(kByte, 1u << 27);
  resource.res.linear.devPtr = large;
  EXPECT_EQ(code_of(resource), cudaSuccess);
  ++resource.res.linear.sizeInBytes;
  EXPECT_EQ(code_of(resource), cudaErrorInvalidValue);
  cudaFree(large);
  std::size_t width = 0;
  EXPECT_EQ(cudaDeviceGetTexture1DLinearMaxWidth(&width, &kFloat4, 0), cudaSuccess);
  EXPECT_EQ(width, 1u << 27);
}

TEST_F(Textures, of_pitched_memory_must_be_aligned_and_end_with_it) {
  EXPECT_EQ(code_of(pitched(8, 32768, 32)), cudaSuccess);
  EXPECT_EQ(code_of(pitched(8, 32769, 32)), cudaErrorInvalidValue);
  EXPECT_EQ(code_of(pitched(9, 2, 32)), cudaErrorInvalidValue) << "a row is 36 bytes";
  EXPECT_EQ(code_of(pitched(8, 2, 48)), cudaErrorInvalidValue) << "texturePitchAlignment is 32";
  EXPECT_EQ(code_of(pitched(8, 2, 64, 64)), cudaErrorInvalidValue);
  EXPECT_EQ(code_of(pitched(0, 2, 32)), cudaErrorInvalidValue);
  EXPECT_EQ(code_of(pitched(8, 0, 32)), cudaErrorInvalidValue);
  EXPECT_EQ(code_of(pitched(8, 1, 1048544)), cudaSuccess);
  EXPECT_EQ(code_of(pitched(8, 1, 1048576)), cudaErrorInvalidValue);
  EXPECT_EQ(code_of(pitched(65001, 1, 262144)), cudaErrorInvalidValue);
}

TEST_F(Textures, that_nothing_here_can_read_are_refused_by_name) {
  testing::internal::CaptureStderr();
  description_.sRGB = 1;
  EXPECT_EQ(code_of(of_array_), cudaErrorNotSupported);
  description_.sRGB = 0;
  description_.maxAnisotropy = 2;
  EXPECT_EQ(code_of(of_array_), cudaErrorNotSupported);
  description_.maxAnisotropy = 1;
  of_array_.resType = cudaResourceTypeMipmappedArray;
  EXPECT_EQ(code_of(of_array_), cudaErrorNotSupported);
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, HasSubstr("sRGB"));
  EXPECT_THAT(told, HasSubstr("maxAnisotropy is 2"));
  EXPECT_THAT(told, HasSubstr("mipmapped arrays"));
}

TEST_F(Textures, may_have_a_view_of_the_whole_array_as_it_is) {
  cudaResourceViewDesc view{cudaResViewFormatFloat4, 20, 9, 0, 0, 0, 0, 0};
  EXPECT_EQ(code_of(of_array_, &view), cudaSuccess);
  EXPECT_EQ(code_of(linear(kInt, 64), &view), cudaErrorInvalidValue) << "no array";
  view.format = cudaResViewFormatNone;
  EXPECT_EQ(code_of(of_array_, &view), cudaSuccess);
  view.format = cudaResViewFormatUnsignedInt4;
  EXPECT_EQ(code_of(of_array_, &view), cudaErrorNotSupported);
  view = {cudaResViewFormatFloat4, 20, 8, 0, 0, 0, 0, 0};
  EXPECT_EQ(code_of(of_array_, &view), cudaErrorNotSupported);
  view = {cudaResViewFormatFloat4, 20, 9, 0, 0, 1, 0, 0};
  EXPECT_EQ(code_of(of_array_, &view), cudaErrorNotSupported);
}

TEST_F(Textures, give_back_what_they_were_made_of) {
  const cudaResourceViewDesc view{cudaResViewFormatNone, 20, 9, 0, 0, 0, 0, 0};
  description_.borderColor[2] = 7;
  const cudaTextureObject_t texture = create(of_array_, &view);
  cudaResourceDesc resource{};
  cudaTextureDesc description{};
  cudaResourceViewDesc seen{};
  EXPECT_EQ(cudaGetTextureObjectResourceDesc(&resource, texture), cudaSuccess);
  EXPECT_EQ(cudaGetTextureObjectTextureDesc(&description, texture), cudaSuccess);
  EXPECT_EQ(cudaGetTextureObjectResourceViewDesc(&seen, texture), cudaSuccess);
  EXPECT_EQ(resource.res.array.array, array_);
  EXPECT_EQ(description.borderColor[2], 7);
  EXPECT_EQ(seen.width, 20u);
  EXPECT_EQ(cudaGetTextureObjectResourceViewDesc(&seen, create(of_array_)), cudaErrorInvalidValue) << "it has none";
}

TEST_F(Textures, are_gone_once_they_are_destroyed) {
  cudaTextureObject_t texture = 0;
  ASSERT_EQ(cudaCreateTextureObject_v2(&texture, &of_array_, &description_, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
  cudaResourceDesc resource{};
  EXPECT_EQ(cudaGetTextureObjectResourceDesc(&resource, texture), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(&resource, reinterpret_cast<void*>(texture), 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
}

TEST_F(Textures, need_everything_that_describes_them) {
  cudaTextureObject_t texture = 0;
  EXPECT_EQ(cudaCreateTextureObject(nullptr, &of_array_, &description_, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateTextureObject(&texture, nullptr, &description_, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateTextureObject(&texture, &of_array_, nullptr, nullptr), cudaErrorInvalidValue);
  of_array_.res.array.array = nullptr;
  EXPECT_EQ(code_of(of_array_), cudaErrorInvalidValue);
  of_array_.resType = static_cast<cudaResourceType>(4);
  EXPECT_EQ(code_of(of_array_), cudaErrorInvalidValue);
  description_.seamlessCubemap = 1;
  EXPECT_EQ(code_of(linear(kInt, 64)), cudaErrorInvalidValue) << "no cubemap";
}

class Surfaces : public Textures {};

TEST_F(Surfaces, are_arrays_that_were_made_for_them) {
  cudaSurfaceObject_t surface = 0;
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &of_array_), cudaSuccess);
  const Image image = device_value(surface);
  EXPECT_EQ(image.kind, Image::kSurface);
  EXPECT_EQ(image.layout, Image::Layout::Array);
  EXPECT_EQ(image.texel_bytes(), 16u);
  EXPECT_THAT((std::array{image.width, image.height, image.depth}), ElementsAre(20, 9, 1));
  cudaResourceDesc resource{};
  EXPECT_EQ(cudaGetSurfaceObjectResourceDesc(&resource, surface), cudaSuccess);
  EXPECT_EQ(resource.res.array.array, array_);
  EXPECT_EQ(cudaDestroyTextureObject(surface), cudaErrorInvalidValue) << "it is no texture";
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaErrorInvalidValue);
}

TEST_F(Surfaces, of_anything_else_are_refused) {
  cudaSurfaceObject_t surface = 0;
  cudaArray_t plain = nullptr;
  cudaMallocArray(&plain, &kInt, 4, 4, 0);
  of_array_.res.array.array = plain;
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &of_array_), cudaErrorInvalidValue) << "no cudaArraySurfaceLoadStore";
  cudaFreeArray(plain);
  const cudaResourceDesc memory = linear(kInt, 64);
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, &memory), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateSurfaceObject(nullptr, &memory), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCreateSurfaceObject(&surface, nullptr), cudaErrorInvalidValue);
}

constexpr const char* kReferences = R"(.version 6.3
.target sm_70
.address_size 64
.global .texref row;
.global .texref fractions;
.global .texref layers;
.global .surfref plane;
)";

/// Texture references `row` of one dimension, `fractions` of two that reads integers so, and `layers` of two dimensions
/// and layers; surface reference `plane` of two.
class References : public Textures {
 protected:
  References() : image_(wrap_ptx(kReferences, 70)) {
    static FatWrapper wrapper;
    wrapper.image = image_.data();
    handle_ = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterTexture(handle_, &row_, nullptr, "row", cudaTextureType1D, 0, 0);
    __cudaRegisterTexture(handle_, &fractions_, nullptr, "fractions", cudaTextureType2D, 1, 0);
    __cudaRegisterTexture(handle_, &layers_, nullptr, "layers", cudaTextureType2DLayered, 0, 0);
    __cudaRegisterSurface(handle_, &plane_, nullptr, "plane", cudaSurfaceType2D, 0);
  }
  ~References() override { __cudaUnregisterFatBinary(handle_); }

  static Image record_of(const void* reference) {
    void* variable = nullptr;
    EXPECT_EQ(cudaGetSymbolAddress(&variable, reference), cudaSuccess);
    return device_value(address_of_pointer(variable));
  }
  std::byte* memory(std::size_t offset) const { return static_cast<std::byte*>(memory_) + offset; }

  textureReference row_{}, fractions_{}, layers_{};
  surfaceReference plane_{};
  std::vector<std::byte> image_;
  void** handle_ = nullptr;
};

TEST_F(References, are_records_once_they_are_bound_to_memory) {
  std::size_t offset = 1;
  ASSERT_EQ(cudaBindTexture(&offset, &row_, memory_, &kInt, 400), cudaSuccess);
  const Image image = record_of(&row_);
  EXPECT_EQ(offset, 0u);
  EXPECT_EQ(image.kind, Image::kTexture);
  EXPECT_EQ(image.layout, Image::Layout::Buffer);
  EXPECT_EQ(image.address, address_of_pointer(memory_));
  EXPECT_EQ(image.width, 100u);
  EXPECT_EQ(cudaUnbindTexture(&row_), cudaSuccess);
  EXPECT_EQ(record_of(&row_).kind, 0u);
  EXPECT_EQ(cudaUnbindTexture(&row_), cudaSuccess) << "nothing is bound";
}

TEST_F(References, begin_before_memory_that_is_not_aligned) {
  std::size_t offset = 0;
  EXPECT_EQ(cudaBindTexture(nullptr, &row_, memory(260), &kInt, 400), cudaErrorInvalidValue);
  ASSERT_EQ(cudaBindTexture(&offset, &row_, memory(260), &kInt, 400), cudaSuccess);
  EXPECT_EQ(offset, 4u);
  EXPECT_EQ(record_of(&row_).address, address_of_pointer(memory(256)));
  EXPECT_EQ(record_of(&row_).width, 101u);
  std::size_t again = 0;
  EXPECT_EQ(cudaGetTextureAlignmentOffset(&again, &row_), cudaSuccess);
  EXPECT_EQ(again, 4u);
  EXPECT_EQ(cudaGetTextureAlignmentOffset(&again, &fractions_), cudaErrorInvalidTextureBinding);
}

// CUDA checks no size: what lies behind is not read by a program that is right.
TEST_F(References, without_a_size_or_with_too_large_a_one_reach_to_the_end_of_the_memory) {
  for (const std::size_t bytes : {std::size_t{UINT_MAX}, std::size_t{1 << 20}}) {
    EXPECT_EQ(cudaBindTexture(nullptr, &row_, memory(256), &kInt, bytes), cudaSuccess);
    EXPECT_EQ(record_of(&row_).width, ((1u << 20) - 256) / 4);
  }
  EXPECT_EQ(cudaBindTexture(nullptr, &row_, nullptr, &kInt, UINT_MAX), cudaErrorInvalidValue);
  std::size_t offset = 0;
  EXPECT_EQ(cudaBindTexture(&offset, &row_, memory(64), &kInt, ~std::size_t{0}), cudaErrorInvalidValue);
  EXPECT_EQ(cudaBindTexture2D(&offset, &fractions_, memory(64), &kShort2, ~std::size_t{0}, 1, 32),
            cudaErrorInvalidValue);
}

TEST_F(References, of_rows_are_read_as_their_fields_said_when_they_were_bound) {
  fractions_.filterMode = cudaFilterModeLinear;
  fractions_.addressMode[1] = cudaAddressModeMirror;
  fractions_.normalized = 1;
  std::size_t offset = 0;
  ASSERT_EQ(cudaBindTexture2D(&offset, &fractions_, memory(64), &kShort2, 10, 4, 128), cudaSuccess);
  fractions_.normalized = 0;
  const Image image = record_of(&fractions_);
  EXPECT_TRUE(image.is_filtered && image.is_normalized && image.reads_fractions);
  EXPECT_EQ(image.address_mode[1], Image::Address::Mirror);
  EXPECT_EQ(image.address, address_of_pointer(memory_));
  EXPECT_THAT((std::array{image.width, image.height, image.pitch}), ElementsAre(26, 4, 128)) << "16 of them before";
  EXPECT_EQ(offset, 64u);
}

TEST_F(References, are_bound_to_arrays_of_their_format_and_dimensions) {
  EXPECT_EQ(cudaBindTextureToArray(&fractions_, array_, &kFloat4), cudaSuccess);
  EXPECT_EQ(record_of(&fractions_).layout, Image::Layout::Array);
  EXPECT_EQ(record_of(&fractions_).height, 9u);
  EXPECT_EQ(cudaBindTextureToArray(&fractions_, array_, &kInt), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(cudaBindTextureToArray(&row_, array_, &kFloat4), cudaErrorInvalidValue) << "it has nine rows";
  EXPECT_EQ(cudaBindTextureToArray(&layers_, array_, &kFloat4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaBindTexture(nullptr, &fractions_, memory_, &kByte, 64), cudaErrorInvalidValue);
  EXPECT_EQ(cudaBindTexture2D(nullptr, &row_, memory_, &kByte, 8, 8, 32), cudaErrorInvalidValue);
}

TEST_F(References, of_one_dimension_may_have_an_array_of_one_row) {
  cudaArray_t one_row = nullptr, layers = nullptr;
  cudaMallocArray(&one_row, &kByte, 8, 1, 0);
  cudaMalloc3DArray(&layers, &kByte, {8, 4, 3}, cudaArrayLayered);
  EXPECT_EQ(cudaBindTextureToArray(&row_, one_row, &kByte), cudaSuccess);
  EXPECT_EQ(cudaBindTextureToArray(&layers_, layers, &kByte), cudaSuccess);
  EXPECT_EQ(record_of(&layers_).depth, 3u);
  EXPECT_EQ(cudaBindTextureToArray(&fractions_, layers, &kByte), cudaErrorInvalidValue);
  cudaFreeArray(one_row);
  cudaFreeArray(layers);
  EXPECT_EQ(cudaBindTextureToArray(&row_, one_row, &kByte), cudaErrorInvalidValue) << "it is gone";
}

TEST_F(References, of_surfaces_are_bound_to_arrays_that_were_made_for_them) {
  cudaArray_t plain = nullptr;
  cudaMallocArray(&plain, &kInt, 4, 4, 0);
  EXPECT_EQ(cudaBindSurfaceToArray(&plane_, array_, &kFloat4), cudaSuccess);
  EXPECT_EQ(record_of(&plane_).kind, Image::kSurface);
  EXPECT_EQ(cudaBindSurfaceToArray(&plane_, plain, &kInt), cudaErrorInvalidValue);
  cudaFreeArray(plain);
  const surfaceReference* found = nullptr;
  EXPECT_EQ(cudaGetSurfaceReference(&found, &plane_), cudaSuccess);
  EXPECT_EQ(found, &plane_);
  EXPECT_EQ(cudaGetSurfaceReference(&found, &row_), cudaErrorInvalidSurface);
}

TEST_F(References, of_cubemaps_are_refused_by_name) {
  testing::internal::CaptureStderr();
  textureReference cube{};
  __cudaRegisterTexture(handle_, &cube, nullptr, "row", cudaTextureTypeCubemap, 0, 0);
  EXPECT_EQ(cudaBindTextureToArray(&cube, array_, &kFloat4), cudaErrorNotSupported);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("references of cubemaps are not supported"));
}

TEST_F(References, are_gone_with_the_image_that_registered_them) {
  textureReference other{};
  static FatWrapper wrapper;
  wrapper.image = image_.data();
  void** handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterTexture(handle, &other, nullptr, "row", cudaTextureType1D, 0, 0);
  EXPECT_EQ(cudaBindTexture(nullptr, &other, memory_, &kInt, 64), cudaSuccess);
  __cudaUnregisterFatBinary(handle);
  EXPECT_EQ(cudaBindTexture(nullptr, &other, memory_, &kInt, 64), cudaErrorInvalidTexture);
}

TEST_F(References, that_were_never_registered_are_none) {
  const textureReference stranger{};
  const surfaceReference no_surface{};
  const textureReference* found = nullptr;
  std::size_t offset = 0;
  EXPECT_EQ(cudaBindTexture(&offset, &stranger, memory_, &kInt, 64), cudaErrorInvalidTexture);
  EXPECT_EQ(cudaBindTextureToArray(&stranger, array_, &kFloat4), cudaErrorInvalidTexture);
  EXPECT_EQ(cudaUnbindTexture(&stranger), cudaErrorInvalidTexture);
  EXPECT_EQ(cudaGetTextureAlignmentOffset(&offset, &stranger), cudaErrorInvalidTexture);
  EXPECT_EQ(cudaBindSurfaceToArray(&no_surface, array_, &kFloat4), cudaErrorInvalidSurface);
  EXPECT_EQ(cudaGetTextureReference(&found, &stranger), cudaErrorInvalidTexture);
  EXPECT_EQ(cudaGetTextureReference(&found, &row_), cudaSuccess);
  EXPECT_EQ(found, &row_);
}

}  // namespace api_textures_test
}  // namespace warpfork::cuda
