#include "cuda/image/fat_binary.h"

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"

// The images are put together by hand from the fields that nvcc 13 writes: see Image.
namespace warpfork::cuda {
namespace fat_binary_test {

constexpr std::uint16_t kPtx = 1, kMachineCode = 2;
constexpr std::uint64_t kLz4 = 0x2000, kZstd = 0x8000;

/// A fat binary under construction.
class Image {
 public:
  Image& add(std::uint16_t kind, std::uint32_t architecture, const std::string& payload, std::uint64_t flags = 0,
             std::uint64_t plain_bytes = 0) {
    const std::uint64_t padded = (payload.size() + 7) / 8 * 8;
    const std::size_t at = body_.size();
    body_.resize(at + 80 + padded);
    put<std::uint16_t>(at, kind);
    put<std::uint16_t>(at + 2, 0x101);
    put<std::uint32_t>(at + 4, 80);
    put<std::uint64_t>(at + 8, padded);
    put<std::uint32_t>(at + 16, flags ? static_cast<std::uint32_t>(payload.size()) : 0);
    put<std::uint32_t>(at + 28, architecture);
    put<std::uint64_t>(at + 40, flags);
    put<std::uint64_t>(at + 56, plain_bytes);
    std::memcpy(body_.data() + at + 80, payload.data(), payload.size());
    return *this;
  }

  std::vector<std::byte> bytes() const {
    std::vector<std::byte> image(16 + body_.size());
    const std::uint32_t magic = 0xBA55ED50;
    const std::uint16_t version = 1, header = 16;
    const std::uint64_t size = body_.size();
    std::memcpy(image.data(), &magic, 4);
    std::memcpy(image.data() + 4, &version, 2);
    std::memcpy(image.data() + 6, &header, 2);
    std::memcpy(image.data() + 8, &size, 8);
    std::copy(body_.begin(), body_.end(), image.begin() + 16);
    return image;
  }

 private:
  template <typename Number>
  void put(std::size_t offset, Number value) {
    std::memcpy(body_.data() + offset, &value, sizeof value);
  }
  std::vector<std::byte> body_;
};

std::string text() {
  std::string ptx = ".version 9.0\n.target sm_75\n.address_size 64\n";
  for (int i = 0; i < 100; ++i) ptx += "// a comment to make it worth compressing\n";
  return ptx;
}

std::string zstd(const std::string& plain) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 3));
  return packed;
}

std::string lz4(const std::string& plain) {
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(plain.size()))), '\0');
  packed.resize(static_cast<std::size_t>(LZ4_compress_default(
      plain.data(), packed.data(), static_cast<int>(plain.size()), static_cast<int>(packed.size()))));
  return packed;
}

std::string error_of(const std::vector<std::byte>& image) {
  try {
    FatBinary(image).best_ptx();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(FatBinary, reads_plain_ptx_up_to_its_terminator) {
  const auto image = Image().add(kPtx, 75, text() + std::string(3, '\0')).bytes();
  EXPECT_EQ(FatBinary(image).best_ptx(), text());
}

TEST(FatBinary, reads_ptx_compressed_by_zstd) {
  const auto image = Image().add(kPtx, 75, zstd(text()), kZstd | 0x11, text().size()).bytes();
  EXPECT_EQ(FatBinary(image).best_ptx(), text());
}

TEST(FatBinary, reads_ptx_compressed_by_lz4) {
  const auto image = Image().add(kPtx, 75, lz4(text()), kLz4 | 0x11, text().size()).bytes();
  EXPECT_EQ(FatBinary(image).best_ptx(), text());
}

TEST(FatBinary, chooses_the_ptx_of_the_highest_architecture) {
  const auto image = Image().add(kPtx, 52, "old").add(kPtx, 90, "new").add(kMachineCode, 100, "code").bytes();
  EXPECT_EQ(FatBinary(image).best_ptx(), "new");
}

TEST(FatBinary, chooses_none_above_an_architecture_if_asked) {
  const auto image = Image().add(kPtx, 75, "old").add(kPtx, 90, "new").add(kPtx, 80, "other").bytes();
  EXPECT_EQ(FatBinary(image).best_ptx(89), "other");
  EXPECT_EQ(FatBinary(image).best_ptx(90), "new");
  EXPECT_EQ(FatBinary(image).best(74), nullptr);
  EXPECT_EQ(FatBinary(image).ptx_architectures(), (std::set<std::uint32_t>{75, 80, 90}));
}

TEST(FatBinary, tells_how_to_rebuild_a_program_that_has_machine_code_only) {
  const auto image = Image().add(kMachineCode, 75, "code").bytes();
  EXPECT_EQ(error_of(image),
            "the program holds machine code for sm_75 but no PTX, and only PTX can be simulated: rebuild it with "
            "-arch=sm_75 or add code=compute_75 to -gencode");
}

TEST(FatBinary, refuses_another_magic_number) {
  auto image = Image().add(kPtx, 75, text()).bytes();
  image[0] = std::byte{0};
  EXPECT_EQ(error_of(image), "fat binary: starts with 0xba55ed00, not 0xba55ed50");
}

TEST(FatBinary, refuses_every_truncation) {
  const auto image = Image().add(kPtx, 75, zstd(text()), kZstd, text().size()).bytes();
  for (std::size_t bytes = 0; bytes < image.size(); ++bytes)
    EXPECT_THROW(FatBinary({image.data(), bytes}).best_ptx(), Error) << bytes << " bytes";
}

TEST(FatBinary, refuses_an_entry_that_states_more_than_there_is) {
  auto image = Image().add(kPtx, 75, text()).bytes();
  image[16 + 8 + 7] = std::byte{0xff};  // highest byte of the payload's size
  EXPECT_NE(error_of(image).find("entry 0 is cut off"), std::string::npos) << error_of(image);
}

TEST(FatBinary, refuses_damaged_compressed_text) {
  std::string packed = zstd(text());
  packed[packed.size() / 2] ^= 0x55;
  EXPECT_NE(error_of(Image().add(kPtx, 75, packed, kZstd, text().size() + 1).bytes()).find("does not decompress"),
            std::string::npos);
  EXPECT_NE(error_of(Image().add(kPtx, 75, "not lz4", kLz4, 1000).bytes()).find("does not decompress"),
            std::string::npos);
}

TEST(FatBinary, refuses_an_absurd_size_without_allocating_it) {
  const auto image = Image().add(kPtx, 75, zstd(text()), kZstd, std::uint64_t{1} << 60).bytes();
  EXPECT_NE(error_of(image).find("the most is"), std::string::npos);
}

TEST(FatBinary, reads_what_wrap_ptx_writes) {
  const auto image = wrap_ptx(text(), 70);
  EXPECT_EQ(FatBinary(image).best_ptx(), text());
  EXPECT_EQ(FatBinary(image).entries().at(0).architecture, 70u);
}

}  // namespace fat_binary_test
}  // namespace warpfork::cuda
