#include <gtest/gtest.h>

#include <string>

#include "archive/checksum.h"
#include "archive/compression.h"

namespace warpfork::archive {
namespace archive_test {

using Bytes = std::vector<std::uint8_t>;

TEST(Checksum, is_that_of_the_xz_format) {  // the check value of CRC-64/XZ
  const std::string digits = "123456789";
  EXPECT_EQ(checksum({reinterpret_cast<const std::uint8_t*>(digits.data()), digits.size()}), 0x995dc9bbdf1939fau);
}

TEST(Compression, gives_bytes_back) {
  const Bytes bytes(1000, 7);
  const Bytes compressed = compress(bytes);
  Bytes back(1000);
  EXPECT_LT(compressed.size(), 100u);
  EXPECT_TRUE(Decompressor().decompress(compressed, back));
  EXPECT_EQ(back, bytes);
}

TEST(Compression, refuses_what_has_another_length_or_is_cut_off) {
  Bytes compressed = compress(Bytes(1000, 7));
  Bytes shorter(999), longer(1001), exact(1000);
  EXPECT_FALSE(Decompressor().decompress(compressed, shorter));
  EXPECT_FALSE(Decompressor().decompress(compressed, longer));
  compressed.pop_back();
  EXPECT_FALSE(Decompressor().decompress(compressed, exact));
}

// Asked for as many as there is no memory for, it does not try to get it.
TEST(Compression, takes_memory_for_no_more_bytes_than_it_will_give) {
  const Bytes bytes(1000, 7), compressed = compress(bytes);
  EXPECT_EQ(decompressed(compressed, 1000), bytes);
  EXPECT_EQ(decompressed(compressed, std::uint64_t{1} << 62), std::nullopt);
  EXPECT_EQ(decompressed({}, 1000), std::nullopt);
}

}  // namespace archive_test
}  // namespace warpfork::archive
