#include "ptx/instruction_age.h"

#include <gtest/gtest.h>

#include "unit/ptx/sample.h"

namespace warpfork::ptx {
namespace instruction_age_test {

// PTX ISA, "Target ISA Notes" of each instruction.
TEST(InstructionAge, tells_what_came_with_sm_90) {
  for (const char* late : {"wgmma.fence.sync.aligned;", "cp.async.bulk.commit_group;", "elect.sync %r0|%p0, -1;",
                           "mbarrier.expect_tx.relaxed.cta.shared.b64 [%r0], 4;", "fence.proxy.async;"})
    EXPECT_TRUE(is_of_sm_90(parse_instruction(late))) << late;
  for (const char* early : {"cp.async.commit_group;", "mbarrier.init.shared.b64 [%r0], 4;", "add.s32 %r0, %r1, %r2;"})
    EXPECT_FALSE(is_of_sm_90(parse_instruction(early))) << early;
}

}  // namespace instruction_age_test
}  // namespace warpfork::ptx
