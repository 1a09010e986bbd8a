#include "cuda/api/device_properties.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpfork::cuda {
namespace device_properties_test {

TEST(DeviceProperties, every_layout_holds_the_same_device) {
  DeviceDescription device;
  device.core_count = 7;
  device.l2_bytes = 4096;
  const cudaDeviceProp p12 = device_properties(device, false);
  const DeviceProperties13 p13 = device_properties_13(p12);
  EXPECT_STREQ(p13.name, "GeForce GTX 480 (simulated)");
  EXPECT_EQ(p12.multiProcessorCount, 7);
  EXPECT_EQ(p13.multiProcessorCount, 7);
  EXPECT_EQ(p13.l2CacheSize, 4096);
}

// It is an int, which 2 GB and more do not fit; cut to 32 bits, 4 GB were none.
TEST(DeviceProperties, have_an_l2_of_as_much_as_an_int_can_say) {
  const auto told = [](std::uint64_t bytes) {
    DeviceDescription device;
    device.l2_bytes = bytes;
    return device_properties(device, false).l2CacheSize;
  };
  EXPECT_EQ(told(0x7fffffff), 0x7fffffff);
  EXPECT_EQ(told(0x80000000), 0x7fffffff);
  EXPECT_EQ(told(1ull << 32), 0x7fffffff);
}

// Byte offsets read off the machine code of programs built by nvcc 13.
TEST(DeviceProperties, members_of_cuda13_lie_where_its_compiler_looks) {
  DeviceDescription device;
  device.warp_size = 16;
  device.compute_capability = 90;
  const DeviceProperties13 p = device_properties_13(device_properties(device, false));
  const auto at = [&](std::size_t offset) {
    int value = 0;
    std::memcpy(&value, reinterpret_cast<const char*>(&p) + offset, sizeof value);
    return value;
  };
  EXPECT_EQ(at(308), 16);
  EXPECT_EQ(at(360), 9);
  EXPECT_EQ(at(384), 15);
  EXPECT_EQ(at(668), 1) << "cooperativeLaunch";
  EXPECT_EQ(at(704), 1) << "hostRegisterSupported";
  EXPECT_EQ(at(720), 1) << "memoryPoolsSupported";
}

TEST(DeviceProperties, attributes_agree_with_properties_and_absent_features_are_zero) {
  DeviceDescription device;
  device.compute_capability = 20;
  EXPECT_EQ(device_attribute(device, false, cudaDevAttrMultiProcessorCount), 15);
  EXPECT_EQ(device_attribute(device, false, cudaDevAttrMaxGridDimX), 65535);  // compute capability 2.0
  EXPECT_EQ(device_attribute(device, false, cudaDevAttrCooperativeLaunch), 1);
  EXPECT_EQ(device_attribute(device, false, cudaDevAttrCanFlushRemoteWrites), 0);
  EXPECT_EQ(device_attribute(device, true, cudaDevAttrManagedMemory), 1);
}

// Programs leave out what these say there is none of; byte offsets as above.
TEST(DeviceProperties, what_may_run_side_by_side_is_taken) {
  const cudaDeviceProp p = device_properties(DeviceDescription{}, true);
  const DeviceProperties13 p13 = device_properties_13(p);
  EXPECT_EQ(p.deviceOverlap, 1);
  EXPECT_EQ(p.asyncEngineCount, 1);
  EXPECT_EQ(p.concurrentKernels, 1);
  EXPECT_EQ(p13.asyncEngineCount, 1);
  EXPECT_EQ(p13.concurrentKernels, 1);
  for (const auto name : {cudaDevAttrGpuOverlap, cudaDevAttrAsyncEngineCount, cudaDevAttrConcurrentKernels})
    EXPECT_EQ(device_attribute(DeviceDescription{}, true, name), 1);
  EXPECT_EQ(device_attribute(DeviceDescription{}, true, cudaDevAttrConcurrentManagedAccess), 1);
  EXPECT_EQ(device_attribute(DeviceDescription{}, false, cudaDevAttrConcurrentManagedAccess), 0);
}

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", 2.x.
TEST(DeviceProperties, textures_and_surfaces_are_as_large_as_a_fermis) {
  const DeviceDescription device;
  const auto attribute = [&](cudaDeviceAttr name) { return device_attribute(device, false, name); };
  EXPECT_EQ(attribute(cudaDevAttrMaxTexture1DLinearWidth), 1 << 27);
  EXPECT_EQ(attribute(cudaDevAttrMaxTexture2DHeight), 65535);
  EXPECT_EQ(attribute(cudaDevAttrMaxTexture2DLinearPitch), 1048544);
  EXPECT_EQ(attribute(cudaDevAttrMaxTexture3DDepth), 2048);
  EXPECT_EQ(attribute(cudaDevAttrMaxTexture1DLayeredLayers), 2048);
  EXPECT_EQ(attribute(cudaDevAttrMaxSurface2DHeight), 32768);
  EXPECT_EQ(attribute(cudaDevAttrMaxSurface2DLayeredLayers), 2048);
  EXPECT_EQ(attribute(cudaDevAttrMaxTextureCubemapWidth), 0) << "there are no cubemaps";
  EXPECT_EQ(attribute(cudaDevAttrMaxTexture2DMipmappedWidth), 0) << "nor mipmapped arrays";
}

// The numbers in between are where CUDA 13's headers have them.
TEST(DeviceProperties, sizes_of_textures_and_surfaces_lie_where_cuda13_looks) {
  const DeviceProperties13 p = device_properties_13(device_properties(DeviceDescription{}, false));
  static_assert(offsetof(DeviceProperties13, textures) == 396 && offsetof(DeviceProperties13, surfaceAlignment) == 552);
  EXPECT_EQ(p.textures[0], 65536) << "maxTexture1D";
  EXPECT_EQ(p.textures[1], 0) << "maxTexture1DMipmap";
  EXPECT_EQ(p.textures[6], 65000) << "maxTexture2DLinear, behind maxTexture2D and maxTexture2DMipmap";
  EXPECT_EQ(p.textures[25], 65536) << "maxSurface1D";
  EXPECT_EQ(p.textures[35], 2048) << "the layers of maxSurface2DLayered";
}

}  // namespace device_properties_test
}  // namespace warpfork::cuda
