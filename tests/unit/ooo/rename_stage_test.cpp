// The rename stage: how much it takes in a cycle, what stops it, and what a flush leaves.
#include "ooo/rename_stage.h"

#include <gtest/gtest.h>

#include "unit/ooo/driven_front.h"

namespace warpfork::ooo {
namespace rename_stage_test {

MachineSpec one_warp_of_one_thread() {
  MachineSpec machine;
  machine.warps = machine.threads = 1;
  return machine;
}

/// Eight additions, or loads, of which all are fetched and decoded.
struct Renaming8 {
  explicit Renaming8(MachineSpec spec = one_warp_of_one_thread(), bool loads = false) : machine(std::move(spec)) {
    std::vector<std::uint64_t> pcs;
    for (x86::RegisterId i = 0; i < 8; ++i) {
      pcs.push_back(program.here());
      loads ? program.load(i, 8) : program.alu(i, 8);
    }
    threads.emplace_back(std::make_unique<SteppedStream>(program.follow(pcs)));
    fronts.push_back(
        std::make_unique<WarpFront>(FrontSpec{.queue = 64, .depth = 0}, threads, 0, code, predictors, gate));
    load_store_queue.add_warp(fronts[0]->in_flight().addresses());
    stage = std::make_unique<RenameStage>(machine, WidthUnit::Decoded, fronts, free, buffer, issue_queue,
                                          load_store_queue, listeners);
    for (Cycle now = 0; now < 8; ++now) fronts[0]->fetch(now, 1);
  }
  /// Instructions that are renamed after so many cycles.
  std::uint64_t after(unsigned cycles) {
    while (cycles-- != 0) stage->cycle(10, WarpSet::single(0), Turns(1));
    return fronts[0]->in_flight().next();
  }

  MachineSpec machine;
  SpmdProgram program;
  std::vector<ThreadWindow> threads;
  x86::Code code;
  Predictors predictors;
  Gate gate;
  std::vector<std::unique_ptr<WarpFront>> fronts;
  FreeList free{168, 168, 64};
  ReorderBuffer buffer{1, machine.pipeline.reorder_buffer, 1};
  IssueQueue issue_queue{machine.pipeline.issue_queue, free.registers(), 1, buffer};
  LoadStoreQueue load_store_queue{machine.pipeline.load_store_queue, Disambiguation::Perfect, buffer, issue_queue};
  CoreListeners listeners;
  std::unique_ptr<RenameStage> stage;
};

TEST(RenameStage, renames_its_width_in_a_cycle) {
  Renaming8 renaming;
  EXPECT_EQ(renaming.after(1), 4u);
  EXPECT_EQ(renaming.after(1), 8u);
  EXPECT_FALSE(renaming.stage->cycle(11, WarpSet::single(0), Turns(1)));
}

TEST(RenameStage, stops_where_a_queue_is_full) {
  for (unsigned PipelineSpec::*const queue : {&PipelineSpec::reorder_buffer, &PipelineSpec::issue_queue}) {
    MachineSpec machine = one_warp_of_one_thread();
    machine.pipeline.*queue = 3;
    EXPECT_EQ(Renaming8(machine).after(4), 3u);
  }
}

TEST(RenameStage, stops_at_a_load_for_which_there_is_no_entry) {
  MachineSpec machine = one_warp_of_one_thread();
  machine.pipeline.load_store_queue = 3;
  EXPECT_EQ(Renaming8(machine, true).after(4), 3u);
  EXPECT_EQ(Renaming8(machine, false).after(4), 8u);
}

TEST(RenameStage, gives_registers_back_when_uops_are_flushed) {
  Renaming8 renaming;
  const unsigned registers = renaming.free.available();
  renaming.after(2);
  EXPECT_LT(renaming.free.available(), registers);
  for (std::uint64_t instruction = 8; instruction-- != 0;) {
    renaming.stage->restart(0, instruction);
    renaming.stage->flush(renaming.buffer.youngest(0));
    renaming.buffer.drop_youngest(0);
    renaming.fronts[0]->resolution().undo();
  }
  EXPECT_EQ(renaming.free.available(), registers);
}

}  // namespace rename_stage_test
}  // namespace warpfork::ooo
