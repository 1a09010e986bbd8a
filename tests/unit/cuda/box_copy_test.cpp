#include "cuda/runtime/box_copy.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "cuda/runtime/cuda_arrays.h"

namespace warpfork::cuda {
namespace box_copy_test {

constexpr std::uint64_t kCapacity = 1 << 20;

/// An array of 100 bytes by 10 rows: two blocks of 64 bytes by 8 rows beside each other, and two below them.
class BoxCopy : public testing::Test {
 protected:
  BoxCopy() { std::iota(host_.begin(), host_.end(), 0); }

  const CudaArray& array() const { return arrays_.find(handle_); }
  void copy_in(const cudaPos& at, const cudaExtent& box) {
    copy_box(memory_, {array(), at}, {cudaPitchedPtr{host_.data(), 100, 100, 10}, {0, 0, 0}}, box,
             cudaMemcpyHostToDevice);
  }

  std::vector<std::pair<std::uint64_t, std::uint64_t>> told_;
  simt::DeviceMemory device_{kCapacity};
  MemorySpace memory_{device_, kCapacity, [this](std::uint64_t a, std::uint64_t n) { told_.emplace_back(a, n); }};
  CudaArrays arrays_{memory_};
  cudaArray_t handle_ = arrays_.create({8, 0, 0, 0, cudaChannelFormatKindUnsigned}, {100, 10, 0}, 0);
  std::array<unsigned char, 1000> host_{};
};

// Rows of a block lie 64 bytes apart: byte 70 of row 9 is byte 6 of row 1 of the fourth block of 512 bytes.
TEST_F(BoxCopy, bytes_lie_in_blocks) {
  copy_in({0, 0, 0}, {100, 10, 1});
  const auto byte_at = [&](std::uint64_t offset) {
    return std::to_integer<int>(*device_.find(array().address + offset, 1));
  };
  EXPECT_EQ(byte_at(63), 63);
  EXPECT_EQ(byte_at(64), 100) << "row 1";
  EXPECT_EQ(byte_at(512), 64) << "the block to the right";
  EXPECT_EQ(byte_at(3 * 512 + 64 + 6), (9 * 100 + 70) % 256);
}

TEST_F(BoxCopy, what_comes_from_the_host_is_told_piece_by_piece) {
  copy_in({60, 7, 0}, {10, 2, 1});
  const std::uint64_t begin = array().address;
  const decltype(told_) pieces{
      {begin + 7 * 64 + 60, 4}, {begin + 512 + 7 * 64, 6}, {begin + 1024 + 60, 4}, {begin + 1536, 6}};
  EXPECT_EQ(told_, pieces);
  told_.clear();
  copy_box(memory_, {array(), {0, 0, 0}}, {array(), {0, 4, 0}}, {100, 4, 1}, cudaMemcpyDeviceToDevice);
  EXPECT_TRUE(told_.empty());
}

TEST_F(BoxCopy, what_was_written_is_known_where_memory_is_watched) {
  device_.watch();
  handle_ = arrays_.create({8, 0, 0, 0, cudaChannelFormatKindUnsigned}, {100, 0, 0}, 0);
  const auto written = [&] {
    return simt::first_unwritten(device_.watched()->written_from(array().address), array().bytes());
  };
  EXPECT_EQ(written(), 0u);
  copy_in({0, 0, 0}, {90, 1, 1});
  EXPECT_EQ(written(), 90u);
  copy_run(memory_, {array(), {90, 0, 0}}, BoxEnd(host_.data()), 10, cudaMemcpyHostToDevice);
  EXPECT_EQ(written(), 100u) << "what fills up the last 64 bytes is nobody's";
}

TEST_F(BoxCopy, an_array_of_one_row_has_no_room_for_others) {
  EXPECT_EQ(arrays_.find(arrays_.create({8, 0, 0, 0, cudaChannelFormatKindUnsigned}, {100, 0, 0}, 0)).bytes(), 128u);
  EXPECT_EQ(array().bytes(), 4u * 512);
}

}  // namespace box_copy_test
}  // namespace warpfork::cuda
