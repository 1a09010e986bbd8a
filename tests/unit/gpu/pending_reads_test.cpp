// Write-after-read hazards between allocated registers.
#include "gpu/pending_reads.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "simt/loaded_module.h"

namespace warpfork::gpu {
namespace pending_reads_test {

/// The kernel's places, as registers take the lowest in the order of the text: %rd1 in 0 and 1, %r1 in 0, %r2 in 1,
/// %r3 in 2.
constexpr const char* kKernel =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b32 %r<9>;\n"
    ".reg .b64 %rd<9>;\n"
    "ld.param.u64 %rd1, [p];\n"
    "ld.global.u32 %r1, [%rd1];\n"  // 1: reads 0 and 1, writes 0
    "mov.u32 %r2, 5;\n"             // 2: writes 1
    "mov.u32 %r3, 6;\n"             // 3: writes 2
    "add.u32 %r1, %r1, %r2;\n"      // 4: reads 0 and 1, writes 0
    "add.u32 %r1, %r1, %r3;\n"      // 5: reads 0 and 2, writes 0
    "st.global.u32 [64], %r1;\n"    // 6: reads 0
    "ret;\n}\n";

class PendingReadsTest : public testing::Test {
 protected:
  PendingReadsTest() : module_(ptx::parse(kKernel, "k.ptx"), memory_, simt::host_instruction_set(), allocated()) {
    reads_.begin_kernel(table_);
  }
  static simt::CodeOptions allocated() {
    simt::CodeOptions code;
    code.registers.allocate = true;
    code.registers.of_core = 32768;
    code.registers.threads = 1536;  // with so many registers nothing is moved
    return code;
  }
  const simt::Program& program() { return module_.kernel("k"); }

  std::uint64_t overwritten(Pc pc) const { return table_.use(pc).overwritten; }

  simt::DeviceMemory memory_{1 << 20};
  simt::LoadedModule module_;
  HazardTable table_{{}, program()};
  PendingReads reads_{2, true};
  const ActiveMask low_{0xffff}, high_{0xffff0000};
};

TEST_F(PendingReadsTest, hold_up_who_writes_either_half_of_a_pair_until_it_has_been_read) {
  reads_.add(0, 1, low_);
  EXPECT_TRUE(reads_.may_hold_up(0, overwritten(4)));
  EXPECT_FALSE(reads_.may_hold_up(0, overwritten(3)));
  EXPECT_TRUE(reads_.hold_up(0, 4, low_));
  EXPECT_TRUE(reads_.hold_up(0, 2, low_));
  EXPECT_EQ(reads_.remove(0, 1, low_), 0b11u);
  EXPECT_FALSE(reads_.may_hold_up(0, overwritten(4)));
  EXPECT_FALSE(reads_.hold_up(0, 2, low_));
}

TEST_F(PendingReadsTest, hold_up_neither_readers_nor_who_writes_elsewhere) {
  reads_.add(0, 4, low_);
  EXPECT_FALSE(reads_.hold_up(0, 6, low_));
  EXPECT_FALSE(reads_.hold_up(0, 3, low_));
  EXPECT_TRUE(reads_.hold_up(0, 2, low_));
  EXPECT_TRUE(reads_.hold_up(0, 5, low_));
}

TEST_F(PendingReadsTest, are_a_warps_and_where_masks_tell_lanes_apart_its_lanes) {
  reads_.add(0, 1, low_);
  EXPECT_FALSE(reads_.hold_up(1, 2, low_));
  EXPECT_FALSE(reads_.hold_up(0, 2, high_));
  PendingReads without_masks(2, false);
  without_masks.begin_kernel(table_);
  without_masks.add(0, 1, low_);
  EXPECT_TRUE(without_masks.hold_up(0, 2, high_));
}

TEST_F(PendingReadsTest, of_one_instruction_issued_twice_are_two) {
  reads_.add(0, 1, low_);
  reads_.add(0, 1, low_);
  EXPECT_EQ(reads_.remove(0, 1, low_), 0b11u);
  EXPECT_TRUE(reads_.hold_up(0, 2, low_));
  EXPECT_EQ(reads_.remove(0, 1, low_), 0b11u);
  EXPECT_EQ(reads_.remove(0, 1, low_), 0u);
}

}  // namespace pending_reads_test
}  // namespace warpfork::gpu
