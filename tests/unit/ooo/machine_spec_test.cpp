#include "ooo/machine_spec.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "ooo/cores.h"

namespace warpfork::ooo {
namespace machine_spec_test {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string fault(const MachineSpec& machine, bool renames = true) {
  try {
    check_machine(machine, renames);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CpuMachine, of_table_1_can_be_built) { EXPECT_EQ(fault({}), ""); }

std::string fault_of_ranges(const MachineSpec& machine) {
  try {
    check_ranges(machine);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CpuMachine, without_units_or_queues_is_refused) {
  MachineSpec machine;
  machine.pipeline.branch_units = 0;
  EXPECT_EQ(fault_of_ranges(machine), "pipeline.branch_units is 0; 1 to 64 are supported");
  machine = {};
  machine.pipeline.front_end_depth = machine.pipeline.path_entries = 0;  // no stage, and as many as there are threads
  EXPECT_EQ(fault_of_ranges(machine), "");
}

// 4,194,304 KB are 2^32 bytes, which were taken for none; two billion units or entries had memory and time of their
// own.
TEST(CpuMachine, whose_sizes_no_simulation_has_room_for_is_refused) {
  MachineSpec machine;
  machine.memory.l1_kilobytes = (4u << 20) + 32;
  EXPECT_EQ(fault_of_ranges(machine), "memory.l1_kilobytes is 4194336; 1 to 1048576 are supported");
  machine = {};
  machine.memory.store_buffer = 1u << 31;
  EXPECT_EQ(fault_of_ranges(machine), "memory.store_buffer is 2147483648; 0 to 4096 are supported");
  machine = {};
  machine.pipeline.memory_ports = 1u << 31;
  EXPECT_EQ(fault_of_ranges(machine), "pipeline.memory_ports is 2147483648; 1 to 64 are supported");
}

TEST(CpuMachine, with_a_choice_that_is_not_there_is_refused_on_every_core) {
  for (const bool renames : {false, true}) {
    MachineSpec machine;
    machine.rename = "pirate";
    EXPECT_THAT(fault(machine, renames), AllOf(HasSubstr("pirate"), HasSubstr("pirat-rewrite")));
    machine.rename = "rat";
    machine.disambiguation = "prefect";
    EXPECT_THAT(fault(machine, renames), AllOf(HasSubstr("prefect"), HasSubstr("addresses")));
    machine.disambiguation = "perfect";
    machine.issue_order = "wrap";
    EXPECT_THAT(fault(machine, renames), AllOf(HasSubstr("wrap"), HasSubstr("thread, warp")));
    machine.issue_order = "warp";
    machine.widths = "muops";
    EXPECT_THAT(fault(machine, renames), AllOf(HasSubstr("muops"), HasSubstr("decoded, instructions, uops")));
    machine.widths = "uops";
    machine.reorder_buffer_sharing = "parted";
    EXPECT_THAT(fault(machine, renames), AllOf(HasSubstr("parted"), HasSubstr("shared, partitioned")));
  }
}

TEST(CpuMachine, with_too_small_a_part_of_the_reorder_buffer_is_refused) {
  MachineSpec machine;
  machine.warps = 4;
  machine.reorder_buffer_sharing = "partitioned";
  machine.pipeline.reorder_buffer = 32;
  EXPECT_EQ(fault(machine), "");
  --machine.pipeline.reorder_buffer;
  EXPECT_THAT(fault(machine), AllOf(HasSubstr("pipeline.reorder_buffer is 31"), HasSubstr("at least 32, 8 for each")));
  EXPECT_EQ(fault(machine, false), "");  // an in-order core has none
}

TEST(CpuMachine, with_too_few_loads_and_stores_for_all_warps_branches_is_refused) {
  MachineSpec machine;
  machine.warps = 4;
  machine.pipeline.load_store_queue = 5;
  EXPECT_EQ(fault(machine), "");
  --machine.pipeline.load_store_queue;
  EXPECT_EQ(
      fault(machine),
      "error: pipeline.load_store_queue is 4\n  it must be at least 5: one for each of 4 warps, and one more, or a "
      "branch may not fit");
  EXPECT_EQ(fault(machine, false), "");  // an in-order core has none
}

// 17 integer registers: rax to r15 and the control words. A warp may hold two of each, but for one thread's whose
// branches nobody thinks divergent.
TEST(CpuMachine, with_too_few_registers_is_refused) {
  struct Case {
    const char* rename;
    unsigned threads, least;
    bool predicts = true;
  };
  for (const Case& each : {Case{"pirat", 1, 4 * 17 + 2, false},
                           {"pirat", 1, 4 * 2 * 17 + 8},
                           {"pirat", 4, 4 * 2 * 17 + 8},
                           {"rat", 4, 4 * 17 + 4}}) {
    MachineSpec machine;
    machine.warps = 4;
    machine.threads = each.threads;
    machine.divergence_prediction = each.predicts;
    machine.rename = each.rename;
    machine.pipeline.integer_registers = each.least;
    EXPECT_EQ(fault(machine), "");
    --machine.pipeline.integer_registers;
    EXPECT_THAT(fault(machine), AllOf(HasSubstr(fmt::format("pipeline.integer_registers is {}", each.least - 1)),
                                      HasSubstr(fmt::format("at least {}", each.least))));
    EXPECT_EQ(fault(machine, false), "");  // an in-order core has none
  }
  MachineSpec machine;
  machine.warps = machine.threads = machine.pipeline.integer_registers = 1;
  machine.divergence_prediction = false;
  EXPECT_THAT(fault(machine), HasSubstr("17 for each of 1 thread, and"));
}

// smt adds 17 for each of 60 threads beyond four, simt-x 34 for each of 28 warps beyond four.
TEST(CpuMachine, with_too_few_registers_is_refused_by_those_that_were_set) {
  MachineSpec machine;
  machine.warps = 32;
  machine.threads = 2;
  machine.pipeline.integer_registers = 20;
  EXPECT_EQ(
      fault(find_core("smt").adapt(machine)),
      "error: pipeline.integer_registers is 20\n  it must be at least 70: 17 for each of 64 threads, and 2 to rename "
      "with, less 1020 that the core adds");
  EXPECT_THAT(fault(find_core("simt-x").adapt(machine)),
              AllOf(HasSubstr("pipeline.integer_registers is 20\n  it must be at least 144: 34 for each of 32 warps"),
                    HasSubstr("less 952 that the core adds")));
  machine.pipeline.integer_registers = 70;
  EXPECT_EQ(fault(find_core("smt").adapt(machine)), "");
}

// 16 vectors and the x87 stack twice, two temporaries once.
TEST(CpuMachine, of_section_4_4_has_80_registers) {
  MachineSpec machine;
  machine.pipeline.integer_registers = machine.pipeline.vector_registers = 2 * (2 * 17 + 2) + 8;
  EXPECT_EQ(fault(machine), "");
  --machine.pipeline.vector_registers;
  EXPECT_THAT(fault(machine), HasSubstr("pipeline.vector_registers is 79\n  it must be at least 80"));
}

TEST(CpuMachine, with_lines_that_addresses_cannot_be_cut_into_is_refused) {
  for (const unsigned bytes : {48u, 100u}) {
    MachineSpec machine;
    machine.memory.line_bytes = bytes;
    EXPECT_THAT(fault(machine), HasSubstr("memory.line_bytes")) << bytes;
  }
}

}  // namespace machine_spec_test
}  // namespace warpfork::ooo
