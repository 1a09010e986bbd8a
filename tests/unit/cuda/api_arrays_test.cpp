// The CUDA runtime's calls about arrays, and the codes that its reference manual gives them ("CUDA Runtime API",
// "Memory Management").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "unit/cuda/api_session.h"

namespace warpfork::cuda {
namespace api_arrays_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Bytes = std::vector<unsigned char>;

constexpr cudaChannelFormatDesc kByte{8, 0, 0, 0, cudaChannelFormatKindUnsigned};
constexpr cudaChannelFormatDesc kFloat2{32, 32, 0, 0, cudaChannelFormatKindFloat};

/// 1, 2, 3 …, and 0 after 255.
Bytes counted(std::size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(1));
  return bytes;
}

/// Whole slices of as many rows as the box has.
cudaMemcpy3DParms into(cudaArray_t array, Bytes& from, const cudaExtent& box) {
  cudaMemcpy3DParms copy{};
  copy.srcPtr = {from.data(), box.width, box.width, box.height};
  copy.dstArray = array;
  copy.extent = box;
  copy.kind = cudaMemcpyHostToDevice;
  return copy;
}

cudaMemcpy3DParms out_of(cudaArray_t array, Bytes& to, const cudaExtent& box) {
  cudaMemcpy3DParms copy{};
  copy.srcArray = array;
  copy.dstPtr = {to.data(), box.width, box.width, box.height};
  copy.extent = box;
  copy.kind = cudaMemcpyDeviceToHost;
  return copy;
}

class Arrays : public ApiTest {
 protected:
  ~Arrays() override {
    for (cudaArray_t array : arrays_) cudaFreeArray(array);
  }

  cudaArray_t array(const cudaChannelFormatDesc& format, cudaExtent extent, unsigned flags = 0) {
    arrays_.push_back(nullptr);
    EXPECT_EQ(cudaMalloc3DArray(&arrays_.back(), &format, extent, flags), cudaSuccess);
    return arrays_.back();
  }

  static cudaError_t code_of(cudaExtent extent, unsigned flags = 0, const cudaChannelFormatDesc& format = kByte) {
    cudaArray_t made = nullptr;
    const cudaError_t code = cudaMalloc3DArray(&made, &format, extent, flags);
    cudaFreeArray(made);
    return code;
  }

 private:
  std::vector<cudaArray_t> arrays_;
};

TEST_F(Arrays, know_what_they_were_made_as) {
  const cudaArray_t made = array(kFloat2, {5, 3, 7}, cudaArrayLayered | cudaArraySurfaceLoadStore);
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 0;
  ASSERT_EQ(cudaArrayGetInfo(&format, &extent, &flags, made), cudaSuccess);
  EXPECT_THAT((std::array{format.x, format.y, format.z, format.w}), ElementsAre(32, 32, 0, 0));
  EXPECT_THAT((std::array{extent.width, extent.height, extent.depth}), ElementsAre(5, 3, 7));
  EXPECT_EQ(flags, unsigned{cudaArrayLayered | cudaArraySurfaceLoadStore});
  EXPECT_EQ(cudaArrayGetInfo(nullptr, nullptr, nullptr, made), cudaSuccess);
  EXPECT_EQ(cudaGetChannelDesc(&format, made), cudaSuccess);
  EXPECT_EQ(format.f, cudaChannelFormatKindFloat);
}

TEST_F(Arrays, take_memory_and_give_it_back) {
  std::size_t before = 0, during = 0, after = 0;
  cudaArray_t made = nullptr;
  cudaMemGetInfo(&before, nullptr);
  ASSERT_EQ(cudaMallocArray(&made, &kByte, 100, 9, 0), cudaSuccess);
  cudaMemGetInfo(&during, nullptr);
  EXPECT_EQ(cudaFreeArray(made), cudaSuccess);
  cudaMemGetInfo(&after, nullptr);
  EXPECT_EQ(before - during, 2u * 64 * 16) << "blocks of 64 bytes by 8 rows";
  EXPECT_EQ(after, before);
  EXPECT_EQ(cudaFreeArray(made), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(nullptr), cudaSuccess);
  EXPECT_EQ(cudaArrayGetInfo(nullptr, nullptr, nullptr, made), cudaErrorInvalidValue);
}

TEST_F(Arrays, have_one_two_or_four_channels_of_8_16_or_32_bits) {
  const auto code = [](int x, int y, int z, int w, int kind) {
    cudaChannelFormatDesc format{x, y, z, w, {}};
    std::memcpy(&format.f, &kind, sizeof kind);
    return code_of({4, 0, 0}, 0, format);
  };
  EXPECT_EQ(code(8, 8, 8, 8, cudaChannelFormatKindSigned), cudaSuccess);
  EXPECT_EQ(code(16, 16, 0, 0, cudaChannelFormatKindFloat), cudaSuccess);
  EXPECT_EQ(code(8, 0, 0, 0, cudaChannelFormatKindFloat), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(code(32, 32, 32, 0, cudaChannelFormatKindFloat), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(code(64, 0, 0, 0, cudaChannelFormatKindUnsigned), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(code(8, 16, 0, 0, cudaChannelFormatKindUnsigned), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(code(0, 8, 0, 0, cudaChannelFormatKindUnsigned), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(code(8, 0, 8, 0, cudaChannelFormatKindUnsigned), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(code(8, 0, 0, 0, cudaChannelFormatKindNone), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(code(8, 0, 0, 0, 5), cudaErrorNotSupported) << "normalized";
}

// The table of cudaMalloc3DArray, with the sizes of compute capability 2.x.
TEST_F(Arrays, are_as_large_as_textures_may_be) {
  EXPECT_EQ(code_of({65536, 0, 0}), cudaSuccess);
  EXPECT_EQ(code_of({65537, 0, 0}), cudaErrorInvalidValue);
  EXPECT_EQ(code_of({0, 0, 0}), cudaErrorInvalidValue);
  EXPECT_EQ(code_of({1, 65535, 0}), cudaSuccess);
  EXPECT_EQ(code_of({1, 65536, 0}), cudaErrorInvalidValue);
  EXPECT_EQ(code_of({2048, 1, 1}), cudaSuccess);
  EXPECT_EQ(code_of({2049, 1, 1}), cudaErrorInvalidValue);
  EXPECT_EQ(code_of({1, 1, 2048}), cudaSuccess);
  EXPECT_EQ(code_of({1, 1, 2049}), cudaErrorInvalidValue);
  EXPECT_EQ(code_of({1, 0, 1}), cudaErrorInvalidValue) << "no depth without rows";
}

TEST_F(Arrays, of_layers_surfaces_and_gathers_have_limits_of_their_own) {
  EXPECT_EQ(code_of({16384, 0, 3}, cudaArrayLayered), cudaSuccess);
  EXPECT_EQ(code_of({16385, 0, 3}, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(code_of({4, 16384, 3}, cudaArrayLayered), cudaSuccess);
  EXPECT_EQ(code_of({4, 4, 0}, cudaArrayLayered), cudaErrorInvalidValue) << "no layers";
  EXPECT_EQ(code_of({1, 32768, 0}, cudaArraySurfaceLoadStore), cudaSuccess);
  EXPECT_EQ(code_of({1, 32769, 0}, cudaArraySurfaceLoadStore), cudaErrorInvalidValue);
  EXPECT_EQ(code_of({1, 16384, 0}, cudaArrayTextureGather), cudaSuccess);
  EXPECT_EQ(code_of({1, 16385, 0}, cudaArrayTextureGather), cudaErrorInvalidValue);
  EXPECT_EQ(code_of({4, 0, 0}, cudaArrayTextureGather), cudaErrorInvalidValue) << "of two dimensions only";
  EXPECT_EQ(code_of({4, 4, 2}, cudaArrayTextureGather | cudaArrayLayered), cudaErrorInvalidValue);
}

TEST_F(Arrays, of_other_kinds_are_refused_by_name) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(code_of({4, 4, 6}, cudaArrayCubemap), cudaErrorNotSupported);
  EXPECT_EQ(code_of({4, 4, 0}, cudaArraySparse), cudaErrorNotSupported);
  EXPECT_EQ(code_of({4, 4, 0}, cudaArrayDeferredMapping), cudaErrorNotSupported);
  EXPECT_EQ(code_of({4, 4, 0}, cudaArrayColorAttachment), cudaErrorNotSupported);
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, HasSubstr("arrays with cudaArrayCubemap are not supported"));
  EXPECT_THAT(told, HasSubstr("arrays with cudaArraySparse are not supported"));
  EXPECT_EQ(code_of({4, 4, 0}, 0x10), cudaErrorInvalidValue);
}

TEST_F(Arrays, that_cannot_be_made_are_refused_by_their_codes) {
  cudaArray_t made = nullptr;
  EXPECT_EQ(cudaMallocArray(nullptr, &kByte, 4, 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&made, nullptr, 4, 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&made, &kByte, 4, 4, cudaArrayLayered), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocArray(&made, &kByte, 65536, 65535, 0), cudaErrorMemoryAllocation) << "the device has 1.5 GB";
}

// 13 texels of 8 bytes are two blocks of 64 bytes, 11 rows two of 8.
TEST_F(Arrays, rows_go_there_and_back_by_their_pitches) {
  const cudaArray_t made = array(kFloat2, {13, 11, 0});
  const Bytes from = counted(11 * 120);
  Bytes back(11 * 110);
  ASSERT_EQ(cudaMemcpy2DToArray(made, 0, 0, from.data(), 120, 104, 11, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2DFromArray(back.data(), 110, made, 0, 0, 104, 11, cudaMemcpyDeviceToHost), cudaSuccess);
  for (std::size_t row = 0; row < 11; ++row)
    for (std::size_t x = 0; x < 110; ++x)
      ASSERT_EQ(back[row * 110 + x], x < 104 ? from[row * 120 + x] : 0) << row << ", " << x;
}

TEST_F(Arrays, part_of_an_array_is_copied_from_bytes_and_rows_on) {
  const cudaArray_t made = array(kByte, {100, 20, 0});
  const Bytes from = counted(70 * 3);
  Bytes part(2);
  cudaMemcpy2DToArrayAsync(made, 5, 7, from.data(), 70, 70, 3, cudaMemcpyHostToDevice, nullptr);
  const auto byte_at = [&](std::size_t x, std::size_t y) {
    EXPECT_EQ(cudaMemcpy2DFromArrayAsync(part.data(), 2, made, x, y, 1, 1, cudaMemcpyDefault, nullptr), cudaSuccess);
    return part[0];
  };
  EXPECT_EQ(byte_at(5, 7), from[0]);
  EXPECT_EQ(byte_at(74, 9), from[2 * 70 + 69]);
  EXPECT_EQ(byte_at(64, 8), from[70 + 59]) << "the first of a block";
  EXPECT_EQ(byte_at(4, 7) | byte_at(75, 9) | byte_at(5, 6) | byte_at(5, 10), 0) << "nothing around it";
}

TEST_F(Arrays, copies_end_where_the_array_does) {
  const cudaArray_t made = array(kByte, {10, 4, 0});
  Bytes host(64);
  const auto code = [&](std::size_t x, std::size_t y, std::size_t width, std::size_t height) {
    return cudaMemcpy2DToArray(made, x, y, host.data(), 16, width, height, cudaMemcpyHostToDevice);
  };
  EXPECT_EQ(code(2, 1, 8, 3), cudaSuccess);
  EXPECT_EQ(code(3, 1, 8, 3), cudaErrorInvalidValue);
  EXPECT_EQ(code(2, 2, 8, 3), cudaErrorInvalidValue);
  EXPECT_EQ(code(~std::size_t{0}, 0, 2, 1), cudaErrorInvalidValue);
  EXPECT_EQ(code(0, 0, 17, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(made, 0, 0, host.data(), 9, 10, 1, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2DToArray(made, 0, 0, host.data(), 0, 10, 1, cudaMemcpyHostToDevice), cudaSuccess) << "one row";
  EXPECT_EQ(code(0, 0, 0, 9), cudaSuccess) << "nothing to copy";
}

TEST_F(Arrays, copies_go_in_the_direction_that_is_named) {
  const cudaArray_t made = array(kByte, {10, 4, 0});
  Bytes host(64);
  EXPECT_EQ(cudaMemcpy2DToArray(made, 0, 0, host.data(), 16, 8, 1, cudaMemcpyDeviceToHost),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy2DFromArray(host.data(), 16, made, 0, 0, 8, 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy2DArrayToArray(made, 0, 1, made, 0, 0, 8, 1, cudaMemcpyHostToDevice),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy2DToArray(made, 0, 0, host.data(), 16, 8, 1, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue)
      << "the host's memory is not the device's";
}

TEST_F(Arrays, bytes_run_on_from_row_to_row) {
  const cudaArray_t made = array(kByte, {10, 4, 0}), other = array(kByte, {7, 9, 0});
  const Bytes from = counted(25);
  Bytes back(25), moved(25);
  EXPECT_EQ(cudaMemcpyToArray(made, 8, 0, from.data(), 25, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromArrayAsync(back.data(), made, 8, 0, 25, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  EXPECT_EQ(back, from);
  EXPECT_EQ(cudaMemcpyArrayToArray(other, 3, 1, made, 8, 0, 25, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyFromArray(moved.data(), other, 3, 1, 25, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(moved, from);
  EXPECT_EQ(cudaMemcpy2DFromArray(back.data(), 10, made, 0, 1, 10, 1, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back[0], 3) << "two bytes lie in the first row";
}

TEST_F(Arrays, runs_of_bytes_end_where_the_array_does) {
  const cudaArray_t made = array(kByte, {10, 4, 0});
  Bytes host(64);
  EXPECT_EQ(cudaMemcpyToArrayAsync(made, 1, 1, host.data(), 29, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToArray(made, 1, 1, host.data(), 30, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToArray(made, 10, 1, host.data(), 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyFromArray(host.data(), made, 0, 4, 1, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyFromArray(host.data(), made, 0, 0, 0, cudaMemcpyDeviceToHost), cudaSuccess);
}

TEST_F(Arrays, parts_go_from_array_to_array_whose_blocks_lie_otherwise) {
  const cudaArray_t from = array(kByte, {100, 20, 0}), to = array(kByte, {90, 30, 0});
  const Bytes bytes = counted(100 * 20);
  Bytes back(70 * 10);
  cudaMemcpy2DToArray(from, 0, 0, bytes.data(), 100, 100, 20, cudaMemcpyHostToDevice);
  ASSERT_EQ(cudaMemcpy2DArrayToArray(to, 11, 13, from, 23, 9, 70, 10, cudaMemcpyDeviceToDevice), cudaSuccess);
  cudaMemcpy2DFromArray(back.data(), 70, to, 11, 13, 70, 10, cudaMemcpyDeviceToHost);
  for (std::size_t row = 0; row < 10; ++row)
    for (std::size_t x = 0; x < 70; ++x) ASSERT_EQ(back[row * 70 + x], bytes[(9 + row) * 100 + 23 + x]);
}

// Extents and the array's position are in elements, the memory's position in bytes.
TEST_F(Arrays, boxes_are_in_elements_where_an_array_takes_part) {
  Bytes from = counted(40 * 3 * 4), texel(8);
  cudaMemcpy3DParms in = into(array(kFloat2, {9, 5, 6}), from, {4, 2, 2});
  in.srcPtr = {from.data(), 40, 40, 3};
  in.srcPos = {8, 1, 1};
  in.dstPos = {2, 3, 4};
  ASSERT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  cudaMemcpy3DParms out = out_of(in.dstArray, texel, {1, 1, 1});
  out.srcPos = {5, 4, 5};
  out.dstPtr.pitch = 8;
  ASSERT_EQ(cudaMemcpy3DAsync(&out, nullptr), cudaSuccess);
  EXPECT_EQ(texel[7], from[(2 * 3 + 2) * 40 + 8 + 4 * 8 - 1]) << "the last of the box";
}

TEST_F(Arrays, boxes_of_layers_begin_at_a_layer) {
  Bytes from = counted(30), back(30);
  const cudaArray_t layers = array(kByte, {10, 3, 5}, cudaArrayLayered);
  cudaMemcpy3DParms in = into(layers, from, {10, 3, 1}), out = out_of(layers, back, {10, 3, 1});
  in.dstPos.z = out.srcPos.z = 4;
  EXPECT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  EXPECT_EQ(cudaMemcpy3D(&out), cudaSuccess);
  EXPECT_EQ(back, from);
  out.srcPos.z = 5;
  EXPECT_EQ(cudaMemcpy3D(&out), cudaErrorInvalidValue);
  out.srcPos = {1, 0, 0};
  EXPECT_EQ(cudaMemcpy3D(&out), cudaErrorInvalidValue);
}

// cudaMemcpy3D "will disregard" what the kind says of an array's side.
TEST_F(Arrays, a_box_of_an_array_is_on_the_device_whatever_the_kind_says) {
  Bytes from = counted(8), back(8);
  const cudaArray_t made = array(kByte, {8, 0, 0});
  cudaMemcpy3DParms in = into(made, from, {8, 1, 1}), out = out_of(made, back, {8, 1, 1});
  in.kind = out.kind = cudaMemcpyHostToHost;
  EXPECT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  EXPECT_EQ(cudaMemcpy3D(&out), cudaSuccess);
  EXPECT_EQ(back, from);
  in.kind = static_cast<cudaMemcpyKind>(9);
  EXPECT_EQ(cudaMemcpy3D(&in), cudaErrorInvalidMemcpyDirection);
}

TEST_F(Arrays, boxes_have_one_source_and_one_target_of_equal_elements) {
  Bytes host(64);
  cudaMemcpy3DParms box{array(kByte, {8, 0, 0}), {}, {}, array(kFloat2, {8, 0, 0}), {}, {}, {1, 1, 1},
                        cudaMemcpyDeviceToDevice};
  EXPECT_EQ(cudaMemcpy3D(&box), cudaErrorInvalidValue) << "of 1 and 8 bytes";
  box.dstArray = array({8, 0, 0, 0, cudaChannelFormatKindSigned}, {8, 0, 0});
  EXPECT_EQ(cudaMemcpy3D(&box), cudaSuccess);
  box.srcPtr = {host.data(), 8, 8, 1};
  EXPECT_EQ(cudaMemcpy3D(&box), cudaErrorInvalidValue) << "two sources";
  box.srcPtr = {};
  box.extent.width = ~std::size_t{0} / 4;
  EXPECT_EQ(cudaMemcpy3D(&box), cudaErrorInvalidValue);
}

TEST_F(Arrays, copies_in_a_stream_that_is_captured_wait_for_the_graph) {
  const cudaArray_t made = array(kByte, {8, 0, 0});
  const Bytes from = counted(8);
  Bytes back(8);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyToArrayAsync(made, 0, 0, from.data(), 8, cudaMemcpyHostToDevice, stream);
  cudaMemcpyFromArrayAsync(back.data(), made, 0, 0, 8, cudaMemcpyDeviceToHost, stream);
  ASSERT_TRUE(cudaStreamEndCapture(stream, &graph) == cudaSuccess && back == Bytes(8)) << "nothing is done yet";
  cudaGraphInstantiate(&executable, graph, 0);
  EXPECT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  EXPECT_EQ(back, from);
}

}  // namespace api_arrays_test
}  // namespace warpfork::cuda
