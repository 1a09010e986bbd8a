// Arrays, textures and surfaces of the driver API: what device code finds, and the codes that the reference manual
// gives the calls ("CUDA Driver API").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "simt/image/image.h"
#include "unit/cuda/driver_session.h"

namespace warpfork::cuda {
namespace driver_images_test {

using simt::Image;
using ::testing::ElementsAre;

/// An array of 8 by 4 texels of two bytes, for surfaces.
class DriverImages : public DriverTest {
 protected:
  DriverImages() {
    const CUDA_ARRAY3D_DESCRIPTOR descriptor{8, 4, 0, CU_AD_FORMAT_UNSIGNED_INT8, 2, CUDA_ARRAY3D_SURFACE_LDST};
    EXPECT_EQ(cuArray3DCreate_v2(&array_, &descriptor), CUDA_SUCCESS);
    resource_.res.array.hArray = array_;
  }
  ~DriverImages() override { cuArrayDestroy(array_); }

  static Image record_at(unsigned long long object) {
    Image image{};
    EXPECT_EQ(cuMemcpyDtoH_v2(&image, object, sizeof image), CUDA_SUCCESS);
    return image;
  }
  /// What a texture of these flags is.
  Image texture(unsigned flags) {
    CUDA_TEXTURE_DESC description{};
    description.flags = flags;
    description.filterMode = CU_TR_FILTER_MODE_POINT;
    description.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
    CUtexObject object = 0;
    EXPECT_EQ(cuTexObjectCreate(&object, &resource_, &description, nullptr), CUDA_SUCCESS);
    const Image image = record_at(object);
    EXPECT_EQ(cuTexObjectDestroy(object), CUDA_SUCCESS);
    return image;
  }

  CUarray array_ = nullptr;
  CUDA_RESOURCE_DESC resource_{};
};

TEST_F(DriverImages, arrays_are_as_they_were_described) {
  CUDA_ARRAY3D_DESCRIPTOR told{};
  ASSERT_EQ(cuArray3DGetDescriptor_v2(&told, array_), CUDA_SUCCESS);
  EXPECT_EQ(told.Width, 8u);
  EXPECT_EQ(told.Height, 4u);
  EXPECT_EQ(told.Depth, 0u);
  EXPECT_EQ(told.Format, CU_AD_FORMAT_UNSIGNED_INT8);
  EXPECT_EQ(told.NumChannels, 2u);
  EXPECT_EQ(told.Flags, unsigned{CUDA_ARRAY3D_SURFACE_LDST});
}

TEST_F(DriverImages, formats_have_one_two_or_four_channels) {
  for (const auto& [format, channels] : {std::pair(CU_AD_FORMAT_SIGNED_INT16, 4u), std::pair(CU_AD_FORMAT_HALF, 1u),
                                         std::pair(CU_AD_FORMAT_FLOAT, 2u)}) {
    const CUDA_ARRAY_DESCRIPTOR descriptor{4, 4, format, channels};
    CUDA_ARRAY_DESCRIPTOR told{};
    CUarray array = nullptr;
    ASSERT_EQ(cuArrayCreate_v2(&array, &descriptor), CUDA_SUCCESS);
    EXPECT_EQ(cuArrayGetDescriptor_v2(&told, array), CUDA_SUCCESS);
    EXPECT_EQ(told.Format, format);
    EXPECT_EQ(told.NumChannels, channels);
    EXPECT_EQ(cuArrayDestroy(array), CUDA_SUCCESS);
    EXPECT_NE(cuArrayDestroy(array), CUDA_SUCCESS);
  }
}

TEST_F(DriverImages, arrays_that_cannot_be_are_refused) {
  CUarray array = nullptr;
  const auto created = [&](int format, unsigned channels) {
    const CUDA_ARRAY_DESCRIPTOR descriptor{4, 4, static_cast<CUarray_format>(format), channels};
    return cuArrayCreate_v2(&array, &descriptor);
  };
  EXPECT_EQ(created(CU_AD_FORMAT_FLOAT, 3), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(created(0x30, 1), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuArrayCreate_v2(&array, nullptr), CUDA_ERROR_INVALID_VALUE);
}

// Rows 1 and 2 from their second texel on, 4 bytes of each.
TEST_F(DriverImages, rows_are_copied_into_arrays_and_out_of_them) {
  const unsigned from[] = {0x04030201, 0x08070605};
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = from;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array_, copy.dstXInBytes = 2, copy.dstY = 1;
  copy.WidthInBytes = 4, copy.Height = 2;
  ASSERT_EQ(cuMemcpy2D_v2(&copy), CUDA_SUCCESS);
  std::array<unsigned, 2> back{};
  EXPECT_EQ(
      cudaMemcpy2DFromArray(back.data(), 4, reinterpret_cast<cudaArray_t>(array_), 2, 1, 4, 2, cudaMemcpyDeviceToHost),
      cudaSuccess);
  EXPECT_THAT(back, ElementsAre(0x04030201, 0x08070605));
  copy.dstXInBytes = 13;
  EXPECT_EQ(cuMemcpy2D_v2(&copy), CUDA_ERROR_INVALID_VALUE) << "a row has 16 bytes";
}

// Two slices of two rows of a word, of which the source's rows lie 8 bytes apart and its slices three rows.
TEST_F(DriverImages, boxes_are_copied_slice_by_slice) {
  const std::array<unsigned, 12> from{1, 0, 2, 0, 0, 0, 3, 0, 4, 0, 0, 0};
  CUdeviceptr memory = 0;
  cuMemAlloc_v2(&memory, 16);
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = from.data(), copy.srcPitch = 8, copy.srcHeight = 3;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE, copy.dstDevice = memory;
  copy.WidthInBytes = 4, copy.Height = copy.Depth = 2;
  ASSERT_EQ(cuMemcpy3D_v2(&copy), CUDA_SUCCESS);
  std::array<unsigned, 4> back{};
  cuMemcpyDtoH_v2(back.data(), memory, 16);
  EXPECT_THAT(back, ElementsAre(1, 2, 3, 4));
  cuMemFree_v2(memory);
}

TEST_F(DriverImages, boxes_of_slices_that_overlap_are_refused) {
  std::array<unsigned, 12> to{};
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = to.data();
  copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = to.data(), copy.dstPitch = 4, copy.dstY = 1;
  copy.WidthInBytes = 4, copy.Height = copy.Depth = 2;
  copy.dstHeight = 2;
  EXPECT_EQ(cuMemcpy3D_v2(&copy), CUDA_ERROR_INVALID_VALUE) << "the second row is the next slice's first";
  copy.dstHeight = 3;
  EXPECT_EQ(cuMemcpy3D_v2(&copy), CUDA_SUCCESS);
  copy.dstHeight = 2, copy.Depth = 1;
  EXPECT_EQ(cuMemcpy3D_v2(&copy), CUDA_SUCCESS) << "there is no next slice";
}

TEST_F(DriverImages, bytes_of_a_row_are_copied_from_an_offset_on) {
  const unsigned from = 0x04030201;
  unsigned back = 0;
  EXPECT_EQ(cuMemcpyHtoA_v2(array_, 4, &from, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyAtoA_v2(array_, 8, array_, 5, 2), CUDA_SUCCESS);
  EXPECT_EQ(cuMemcpyAtoH_v2(&back, array_, 6, 4), CUDA_SUCCESS);
  EXPECT_EQ(back, 0x03020403u);
}

// CUDA Driver API, CU_TRSF_READ_AS_INTEGER.
TEST_F(DriverImages, integers_are_read_as_fractions_unless_a_flag_says_otherwise) {
  const Image fractions = texture(CU_TRSF_NORMALIZED_COORDINATES), integers = texture(CU_TRSF_READ_AS_INTEGER);
  EXPECT_EQ(fractions.kind, Image::kTexture);
  EXPECT_EQ(fractions.width, 8u);
  EXPECT_EQ(fractions.channels, 2u);
  EXPECT_TRUE(fractions.reads_fractions && fractions.is_normalized);
  EXPECT_FALSE(integers.reads_fractions || integers.is_normalized);
  EXPECT_EQ(integers.address_mode[1], Image::Address::Clamp);
}

TEST_F(DriverImages, textures_of_memory_say_what_they_read) {
  CUdeviceptr memory = 0;
  cuMemAlloc_v2(&memory, 256);
  resource_ = {};
  resource_.resType = CU_RESOURCE_TYPE_LINEAR;
  resource_.res.linear = {memory, CU_AD_FORMAT_FLOAT, 1, 256};
  const CUDA_TEXTURE_DESC description{};
  CUtexObject object = 0;
  ASSERT_EQ(cuTexObjectCreate(&object, &resource_, &description, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(record_at(object).width, 64u);
  CUDA_RESOURCE_DESC told{};
  EXPECT_EQ(cuTexObjectGetResourceDesc(&told, object), CUDA_SUCCESS);
  EXPECT_EQ(told.res.linear.devPtr, memory);
  EXPECT_EQ(told.res.linear.format, CU_AD_FORMAT_FLOAT);
  EXPECT_EQ(cuTexObjectDestroy(object), CUDA_SUCCESS);
  cuMemFree_v2(memory);
}

TEST_F(DriverImages, textures_of_what_is_no_resource_are_refused) {
  const CUDA_TEXTURE_DESC description{};
  CUtexObject object = 0;
  const auto created = [&](int type) {
    std::memcpy(&resource_.resType, &type, sizeof type);
    return cuTexObjectCreate(&object, &resource_, &description, nullptr);
  };
  EXPECT_EQ(created(77), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverImages, textures_are_described_as_they_were_made) {
  CUDA_TEXTURE_DESC description{}, told{};
  description.mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR;
  description.mipmapLevelBias = 2;
  description.maxMipmapLevelClamp = 3;
  description.borderColor[1] = 4;
  description.flags = CU_TRSF_READ_AS_INTEGER | CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
  CUtexObject object = 0;
  ASSERT_EQ(cuTexObjectCreate(&object, &resource_, &description, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuTexObjectGetTextureDesc(&told, object), CUDA_SUCCESS);
  EXPECT_EQ(std::memcmp(&told, &description, sizeof told), 0);
  EXPECT_EQ(cuTexObjectDestroy(object), CUDA_SUCCESS);
}

constexpr const char* kReference = R"(.version 6.3
.target sm_70
.address_size 64
.global .texref row;
.global .align 4 .u32 word;
.global .align 8 .b8 large[64];
.visible .entry nothing() { ret; }
)";

/// A reference of a module, which counts at the launch of a kernel.
class DriverReferences : public DriverImages {
 protected:
  DriverReferences() {
    EXPECT_EQ(cuModuleGetTexRef(&row_, module_, "row"), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAlloc_v2(&memory_, 512), CUDA_SUCCESS);
  }
  ~DriverReferences() override { cuMemFree_v2(memory_); }

  CUresult launch_nothing() { return launch_one(function(module_, "nothing"), nullptr); }
  /// What kernels find.
  Image record() {
    EXPECT_EQ(launch_nothing(), CUDA_SUCCESS);
    CUdeviceptr variable = 0;
    EXPECT_EQ(cuModuleGetGlobal_v2(&variable, nullptr, module_, "row"), CUDA_SUCCESS);
    return record_at(variable);
  }

  CUmodule module_ = load(kReference);
  CUtexref row_ = nullptr;
  CUdeviceptr memory_ = 0;
};

TEST_F(DriverReferences, are_variables_of_a_module_that_were_declared_so) {
  CUtexref again = nullptr;
  EXPECT_EQ(cuModuleGetTexRef(&again, module_, "row"), CUDA_SUCCESS);
  EXPECT_EQ(row_, again);
  EXPECT_EQ(cuModuleGetTexRef(&again, module_, "word"), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(cuModuleGetTexRef(&again, module_, "large"), CUDA_ERROR_NOT_FOUND) << "of as many bytes as a texture's";
  EXPECT_EQ(cuModuleUnload(module_), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetFlags(row_, 0), CUDA_ERROR_INVALID_HANDLE);
}

// What is set counts in whatever order.
TEST_F(DriverReferences, are_bound_and_read_as_they_are_told) {
  EXPECT_EQ(cuTexRefSetFlags(row_, CU_TRSF_NORMALIZED_COORDINATES), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetArray(row_, array_, CU_TRSA_OVERRIDE_FORMAT), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetAddressMode(row_, 0, CU_TR_ADDRESS_MODE_MIRROR), CUDA_SUCCESS);
  EXPECT_TRUE(record().is_normalized);
  EXPECT_EQ(record().address_mode[0], Image::Address::Mirror);
}

TEST_F(DriverReferences, of_memory_begin_where_a_texture_can) {
  std::size_t offset = 0;
  EXPECT_EQ(cuTexRefSetFormat(row_, CU_AD_FORMAT_SIGNED_INT32, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetAddress_v2(nullptr, row_, memory_ + 4, 64), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuTexRefSetAddress_v2(&offset, row_, memory_ + 4, 64), CUDA_SUCCESS);
  EXPECT_EQ(offset, 4u);
  EXPECT_EQ(record().address, memory_);
  EXPECT_EQ(record().width, 17u);
}

TEST_F(DriverReferences, of_memory_have_the_format_that_is_set_behind_it) {
  EXPECT_EQ(cuTexRefSetAddress_v2(nullptr, row_, memory_, 64), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetFormat(row_, CU_AD_FORMAT_UNSIGNED_INT8, 2), CUDA_SUCCESS);
  EXPECT_EQ(record().width, 32u);
  EXPECT_EQ(record().channels, 2u);
  EXPECT_EQ(record().channel_bytes, 1u);
}

TEST_F(DriverReferences, of_more_memory_than_there_is_end_with_it) {
  std::size_t offset = 0;
  EXPECT_EQ(cuTexRefSetAddress_v2(&offset, row_, memory_ + 256, 1 << 20), CUDA_SUCCESS);
  EXPECT_EQ(record().width, 64u);
  EXPECT_EQ(cuTexRefSetAddress_v2(&offset, row_, memory_ + 4, ~std::size_t{0}), CUDA_SUCCESS);
  EXPECT_EQ(record().width, 128u);
  EXPECT_EQ(cuTexRefSetAddress_v2(&offset, row_, 256, 4), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverReferences, refuse_what_there_is_none_of_before_they_are_bound) {
  EXPECT_EQ(cuTexRefSetFlags(row_, 0xff00), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetFilterMode(row_, static_cast<CUfilter_mode>(2)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetAddressMode(row_, 0, static_cast<CUaddress_mode>(4)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetAddressMode(row_, 3, CU_TR_ADDRESS_MODE_WRAP), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetFormat(row_, CU_AD_FORMAT_FLOAT, 3), CUDA_ERROR_INVALID_VALUE);
}

// Integers cannot be filtered, fractions can.
TEST_F(DriverReferences, need_not_fit_together_before_a_launch) {
  EXPECT_EQ(cuTexRefSetArray(row_, array_, CU_TRSA_OVERRIDE_FORMAT), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetFilterMode(row_, CU_TR_FILTER_MODE_LINEAR), CUDA_SUCCESS);
  EXPECT_TRUE(record().is_filtered);
  EXPECT_EQ(cuTexRefSetFlags(row_, CU_TRSF_READ_AS_INTEGER), CUDA_SUCCESS);
  EXPECT_NE(launch_nothing(), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetFilterMode(row_, CU_TR_FILTER_MODE_POINT), CUDA_SUCCESS);
  EXPECT_FALSE(record().is_filtered);
}

TEST_F(DriverReferences, are_set_while_what_they_were_bound_to_is_gone) {
  EXPECT_EQ(cuTexRefSetArray(row_, array_, CU_TRSA_OVERRIDE_FORMAT), CUDA_SUCCESS);
  EXPECT_EQ(cuArrayDestroy(array_), CUDA_SUCCESS);
  EXPECT_EQ(cuTexRefSetFilterMode(row_, CU_TR_FILTER_MODE_LINEAR), CUDA_SUCCESS);
  EXPECT_EQ(launch_nothing(), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetArray(row_, array_, CU_TRSA_OVERRIDE_FORMAT), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuTexRefSetAddress_v2(nullptr, row_, memory_, 64), CUDA_SUCCESS);
  EXPECT_EQ(launch_nothing(), CUDA_SUCCESS);
}

TEST_F(DriverImages, surfaces_are_of_arrays_that_were_made_for_them) {
  CUsurfObject object = 0;
  ASSERT_EQ(cuSurfObjectCreate(&object, &resource_), CUDA_SUCCESS);
  EXPECT_EQ(record_at(object).kind, Image::kSurface);
  EXPECT_EQ(cuSurfObjectDestroy(object), CUDA_SUCCESS);
  const CUDA_ARRAY_DESCRIPTOR descriptor{4, 4, CU_AD_FORMAT_FLOAT, 1};
  cuArrayDestroy(array_);
  cuArrayCreate_v2(&array_, &descriptor);
  resource_.res.array.hArray = array_;
  EXPECT_EQ(cuSurfObjectCreate(&object, &resource_), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace driver_images_test
}  // namespace warpfork::cuda
