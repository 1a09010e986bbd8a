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

TEST(InstructionAge, knows_what_no_sm_80_has_by_its_name_alone) {
  for (const Opcode late :
       {Opcode::Mapa, Opcode::Getctarank, Opcode::Tensormap, Opcode::Multimem, Opcode::Griddepcontrol,
        Opcode::Clusterlaunchcontrol, Opcode::Stmatrix, Opcode::Tcgen05, Opcode::Setmaxnreg}) {
    Instruction instruction;
    instruction.opcode = late;
    EXPECT_TRUE(is_of_sm_90(instruction)) << to_string(late);
  }
}

// "cp.async" of sm_80 and "cp.async.bulk" of sm_90 share two words.
TEST(InstructionAge, tells_copies_that_are_asynchronous_from_those_in_bulk) {
  EXPECT_FALSE(is_of_sm_90(parse_instruction("cp.async.ca.shared.global [%r0], [%rd0], 16;")));
  EXPECT_TRUE(is_of_sm_90(parse_instruction("cp.async.bulk.wait_group 0;")));
}

TEST(InstructionAge, has_a_remedy_for_what_is_late_alone) {
  EXPECT_NE(remedy_for_age(parse_instruction("wgmma.fence.sync.aligned;")).find("code=compute_80"),
            std::string_view::npos);
  EXPECT_EQ(remedy_for_age(parse_instruction("cp.async.commit_group;")), "");
}

}  // namespace instruction_age_test
}  // namespace warpfork::ptx
