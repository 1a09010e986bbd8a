// The CUDA runtime's calls about the device, and the codes that its reference manual gives them ("CUDA Runtime API").
#include <gtest/gtest.h>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_device_test {

class Device : public ApiTest {};

TEST_F(Device, there_is_one_and_its_number_is_zero) {
  int count = 0, device = 7;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
}

// The GTX 480's (CUDA C++ Programming Guide, "Technical Specifications", and its data sheet); sm_70 is the PTX's.
TEST_F(Device, attributes_are_those_of_the_description) {
  const auto attribute = [](cudaDeviceAttr name) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, name, 0), cudaSuccess);
    return value;
  };
  EXPECT_EQ(attribute(cudaDevAttrWarpSize), 32);
  EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), 15);
  EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerBlock), 1024);
  EXPECT_EQ(attribute(cudaDevAttrMaxThreadsPerMultiProcessor), 1536);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlock), 48 << 10);
  EXPECT_EQ(attribute(cudaDevAttrMaxBlockDimZ), 64);
  EXPECT_EQ(attribute(cudaDevAttrMaxGridDimY), 65535);
  EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor), 7);
}

TEST_F(Device, attributes_need_a_place_and_the_device) {
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1), cudaErrorInvalidDevice);
}

TEST_F(Device, limits_are_kept) {
  std::size_t value = 0;
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, 4096u);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, (512 << 10) + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, 4096u);
  EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(7), 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(7)), cudaErrorInvalidValue);
}

TEST_F(Device, the_bus_id_names_the_device_and_no_other) {
  char id[16] = {};
  int device = 7;
  EXPECT_EQ(cudaDeviceGetPCIBusId(id, 12, 0), cudaErrorInvalidValue) << "twelve characters and their end";
  ASSERT_EQ(cudaDeviceGetPCIBusId(id, 13, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, id), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "0000:01:00.0"), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, nullptr), cudaErrorInvalidValue);
}

TEST_F(Device, versions_are_those_of_the_library_and_of_a_driver_for_all) {
  int runtime = 0, driver = 0;
  EXPECT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
  EXPECT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
  EXPECT_EQ(runtime, 12000);
  EXPECT_EQ(driver, 13000);
  EXPECT_EQ(cudaRuntimeGetVersion(nullptr), cudaErrorInvalidValue);
}

TEST_F(Device, the_only_one_is_chosen_whatever_is_asked_for) {
  const cudaDeviceProp wanted{};
  int device = 7;
  unsigned flags = 7;
  EXPECT_EQ(cudaChooseDevice(&device, &wanted), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaInitDevice(0, 0, 0), cudaSuccess);
  EXPECT_EQ(cudaInitDevice(1, 0, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleSpin), cudaSuccess);
  EXPECT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaDeviceScheduleAuto}) << "there is nothing to wait for";
}

TEST_F(Device, hints_are_taken_and_read_back_as_defaults) {
  cudaFuncCache cache = cudaFuncCachePreferL1;
  cudaSharedMemConfig banks = cudaSharedMemBankSizeEightByte;
  int peer = 7;
  EXPECT_EQ(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetCacheConfig(&cache), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetSharedMemConfig(&banks), cudaSuccess);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&peer, 0, 0), cudaSuccess);
  EXPECT_EQ(cache, cudaFuncCachePreferNone);
  EXPECT_EQ(banks, cudaSharedMemBankSizeFourByte);
  EXPECT_EQ(peer, 0);
}

TEST_F(Device, there_is_no_peer) {
  int peer = 7;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&peer, 0, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&peer, 1, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(peer, 7);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported) << "the device itself";
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorInvalidDevice);
}

TEST_F(Device, there_are_not_two_that_could_be_peers) {
  int value = 0;
  EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 0), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, static_cast<cudaDeviceP2PAttr>(0), 0, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaCtxResetPersistingL2Cache(), cudaSuccess);
}

}  // namespace api_device_test
}  // namespace warpfork::cuda
