#include "memory/address_mapping.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "machines.h"

namespace warpfork::memory {
namespace address_mapping_test {

// gtx480.md "Address mapping", by hand. 0xc0000000 >> 8 = 0xc00000 = 6 × 0x200000: channel 0, r = 0x20000000.
TEST(AddressMapping, sends_consecutive_pieces_round_the_channels_and_pairs_of_rounds_to_both_slices) {
  const AddressMapping mapping(testing::gtx480().mapping);
  for (unsigned piece = 0; piece < 6; ++piece) {
    EXPECT_EQ(mapping.locate(0xc0000000 + piece * 256).slice, 2 * piece);
    EXPECT_EQ(mapping.locate(0xc0000000 + (6 + piece) * 256).slice, 2 * piece + 1);
  }
  EXPECT_EQ(mapping.locate(0xc0000000 + 12 * 256).slice, 0u);
}

// The slice bit (r bit 8) is squeezed out: pieces 0 and 12 are neighbours within slice 0.
TEST(AddressMapping, numbers_the_lines_of_a_slice_without_gaps) {
  const AddressMapping mapping(testing::gtx480().mapping);
  const std::uint64_t first = mapping.locate(0xc0000000).line;
  EXPECT_EQ(mapping.locate(0xc0000080).line, first + 1);
  EXPECT_EQ(mapping.locate(0xc0000000 + 12 * 256).line, first + 2);
}

// r = 0x2000 is bank bit 13, the second bank bit; r = 0x10000 the first row bit; r = 0x200 a column bit.
TEST(AddressMapping, takes_bank_and_row_from_their_bits) {
  const AddressMapping mapping(testing::gtx480().mapping);
  const auto at = [&](std::uint64_t r) { return mapping.dram(mapping.locate((r >> 8) * 6 * 256)); };
  EXPECT_EQ(at(0x2000).bank, 2u);
  EXPECT_EQ(at(0x2100).bank, 3u);
  EXPECT_EQ(at(0x8000).bank, 8u);
  EXPECT_EQ(at(0x200).bank, 0u);
  EXPECT_EQ(at(0x10000).row, 1u);
  EXPECT_EQ(at(0x8000000).row, 0x800u);
  EXPECT_EQ(at(0x10000000).row, 0u);
}

TEST(AddressMapping, loses_nothing) {
  for (const AddressMappingSpec& spec : {testing::gtx480().mapping, testing::tesla30().mapping}) {
    const AddressMapping mapping(spec);
    for (std::uint64_t address = 0xc0000000; address < 0xc0000000 + 128 * 5000; address += 128)
      EXPECT_EQ(mapping.address(mapping.locate(address)), address);
  }
}

// With eight channels the modulo is address bits 8 to 10.
TEST(AddressMapping, serves_a_power_of_two_of_channels) {
  const AddressMapping mapping(testing::tesla30().mapping);
  EXPECT_EQ(mapping.slices(), 8u);
  EXPECT_EQ(mapping.locate(0x500).slice, 5u);
  EXPECT_EQ(mapping.dram(mapping.locate(0x1000 * 8)).bank, 1u);
  EXPECT_EQ(mapping.dram(mapping.locate(0x8000 * 8)).row, 1u);
}

TEST(AddressMapping, refuses_contradictions) {
  AddressMappingSpec spec;
  spec.interleave_bytes = 64;
  EXPECT_THROW(AddressMapping{spec}, Error);
  spec = {};
  spec.slices_per_channel = 3;
  EXPECT_THROW(AddressMapping{spec}, Error);
  spec = {};
  spec.row_mask |= spec.bank_mask;
  EXPECT_THROW(AddressMapping{spec}, Error);
}

// A row is a number of 32 bits: with another bit two rows would be taken for one.
TEST(AddressMapping, refuses_more_rows_than_it_can_number) {
  AddressMappingSpec spec;
  spec.row_mask = 0xffffffffull << 15;
  EXPECT_NO_THROW(AddressMapping{spec});
  spec.row_mask = 0x1ffffffffull << 15;
  EXPECT_THROW(AddressMapping{spec}, Error);
}

}  // namespace address_mapping_test
}  // namespace warpfork::memory
