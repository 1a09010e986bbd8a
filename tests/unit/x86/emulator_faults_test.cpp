// Bytes by hand after the SDM, volume 2, 2.3: C4, R X B map, W vvvv L pp, opcode, ModRM, SIB.
#include "x86/emulator_faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace warpfork::x86 {
namespace emulator_faults_test {

using Bytes = std::vector<std::uint8_t>;
using ::testing::IsEmpty;

TEST(EmulatorFaults, are_gathers_by_register_4) {
  EXPECT_EQ(emulator_fault(0x1000, Bytes{0xc4, 0xe2, 0x75, 0x90, 0x14, 0xa2}), "gathers without its indices, ymm4");
  EXPECT_EQ(emulator_fault(0x1000, Bytes{0xc4, 0xe2, 0xf1, 0x93, 0x14, 0xa2}), "gathers without its indices, xmm4");
}

TEST(EmulatorFaults, are_not_gathers_by_any_other_register) {
  for (const std::uint8_t index : {0, 1, 2, 3, 5, 6, 7}) {
    const auto sib = static_cast<std::uint8_t>(0x82 | index << 3);
    EXPECT_THAT(emulator_fault(0x1000, Bytes{0xc4, 0xe2, 0x75, 0x90, 0x14, sib}), IsEmpty()) << +index;
  }
  for (const std::uint8_t index : {0, 1, 2, 3, 4, 5, 6, 7}) {  // ymm8 to ymm15
    const auto sib = static_cast<std::uint8_t>(0x82 | index << 3);
    EXPECT_THAT(emulator_fault(0x1000, Bytes{0xc4, 0xa2, 0x75, 0x90, 0x14, sib}), IsEmpty()) << 8 + index;
  }
}

TEST(EmulatorFaults, are_not_addresses_without_an_index_nor_what_is_cut_off) {
  EXPECT_THAT(emulator_fault(0x1000, Bytes{0x8b, 0x04, 0x22}), IsEmpty());  // mov eax, [rdx]
  EXPECT_THAT(emulator_fault(0x1000, Bytes{0xc4, 0xe2, 0x75, 0x90, 0x14}), IsEmpty());
}

}  // namespace emulator_faults_test
}  // namespace warpfork::x86
