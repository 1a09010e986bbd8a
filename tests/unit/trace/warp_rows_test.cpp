// What is drawn of a warp whose splits issue when the test says so: the worked figures of MULTIPATH, as they are told
// in tests/golden/explain, where the cycles come from. A step changes what is there from the next cycle on.
#include "trace/warp_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "divergence/registry.h"
#include "drawn.h"
#include "ptx/parser.h"
#include "simt/loaded_module.h"
#include "unit/test_folder.h"

namespace warpfork::trace {
namespace warp_rows_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// MULTIPATH Figure 2: A is pc 0-3, C pc 4-5, B pc 6-7, D pc 8-9.
constexpr const char* kDiamond =
    "mov.u32 %r1, %tid.x;\n and.b32 %r2, %r1, 1;\n setp.eq.u32 %p1, %r2, 0;\n @%p1 bra B;\n"
    "add.u32 %r3, %r1, 1;\n bra D;\n B: add.u32 %r3, %r1, 2;\n add.u32 %r3, %r3, 3;\n"
    "D: add.u32 %r4, %r3, 1;\n ret;\n";

/// A block of warps of four lanes.
class LedBlock {
 public:
  LedBlock(const std::string& body, const std::string& mechanism, unsigned threads)
      : loaded_(ptx::parse(".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry kernel() {\n"
                           ".reg .pred %p<10>; .reg .b32 %r<10>;\n" +
                               body + "}\n",
                           "kernel.ptx"),
                memory_),
        code_(loaded_.kernel("kernel")) {
    std::ofstream{file_};
    launch_.program = &loaded_.kernel("kernel");
    launch_.memory = &memory_;
    launch_.block = {threads, 1, 1};
    launch_.warp_size = 4;
    block_ = std::make_unique<gpu::ResidentBlock>(launch_, find_divergence_mechanism(mechanism).make({}));
    block_->start({0, 0, 0}, 0);
    writer_.emplace(file_);
    writer_->name_process(2, "core");
    for (unsigned warp = 0; warp < launch_.warps_per_block(); ++warp) {
      rows_.push_back(std::make_unique<WarpRows>(*writer_, code_, Track{2, 100 * (warp + 1)}, warp, 4));
      rows_.back()->begin(*block_, warp, {0, 0, 0}, 1);
    }
  }

  void issue(Cycle first, Cycle last, WarpId warp, std::uint64_t lanes) {
    for (Cycle cycle = first; cycle <= last; ++cycle) issue(cycle, warp, ActiveMask(lanes));
  }

  Drawn drawn() {
    writer_->flush();
    return Drawn::of_events(file_);
  }

 private:
  void issue(Cycle cycle, WarpId warp, ActiveMask lanes) {
    for (const SplitId id : block_->domain().runnable(warp)) {
      if (block_->domain().split(id).lanes != lanes) continue;
      const gpu::Step step = block_->execute(id, cycle);
      report::IssueEvent event;
      event.cycle = cycle;
      event.step = &step;
      rows_[warp]->issued(event);
      for (auto& rows : rows_)
        if (rows->is_open()) rows->changed(cycle + 1);
      return;
    }
    FAIL() << "warp " << warp << " cannot issue in cycle " << cycle << "\n" << block_->domain().describe(warp);
  }

  const std::string file_ = test_folder() + "/events.json";
  simt::DeviceMemory memory_{1 << 20};
  simt::LoadedModule loaded_;
  CodeText code_;
  simt::Launch launch_;
  std::unique_ptr<gpu::ResidentBlock> block_;
  std::optional<EventWriter> writer_;
  std::vector<std::unique_ptr<WarpRows>> rows_;
};

/// Slices that are no instructions of one cycle.
std::vector<Slice> states(const Drawn& drawn, const std::string& track) {
  std::vector<Slice> found = drawn.slices("core", track);
  std::erase_if(found, [](const Slice& slice) {
    return slice.name.find("lanes") == slice.name.npos && slice.name.find("block") == slice.name.npos &&
           slice.name != "barrier";
  });
  return found;
}

TEST(WarpRows, draw_splits_that_take_turns_side_by_side) {
  LedBlock block(kDiamond, "multi-path", 4);
  block.issue(1, 4, 0, 0b1111);
  for (const Cycle turn : {5, 7}) {
    block.issue(turn, turn, 0, 0b0101);
    block.issue(turn + 1, turn + 1, 0, 0b1010);
  }
  block.issue(9, 10, 0, 0b1111);
  const Drawn drawn = block.drawn();
  EXPECT_EQ(drawn.fault(), "");
  EXPECT_THAT(states(drawn, "warp 0"), ElementsAre(Slice{"block 0,0,0 warp 0", 1, 11}, Slice{"4 lanes", 1, 5},
                                                   Slice{"2 lanes", 5, 8}, Slice{"4 lanes", 9, 11}));
  EXPECT_THAT(drawn.slices("core", "warp 0, split 2"),
              ElementsAre(Slice{"2 lanes", 5, 9}, Slice{"add.u32", 6, 7}, Slice{"bra", 8, 9}));
  EXPECT_THAT(drawn.instants("core", "warp 0"),
              ElementsAre(Slice{"divergence", 4, 4}, Slice{"reconvergence", 9, 9}, Slice{"exit", 10, 10}));
}

TEST(WarpRows, say_where_the_lanes_of_a_branch_went) {
  LedBlock block(kDiamond, "multi-path", 4);
  block.issue(1, 4, 0, 0b1111);
  const nlohmann::json parted = block.drawn().event("core", "warp 0", "divergence")["args"];
  EXPECT_EQ(parted["taken"], "0101");
  EXPECT_EQ(parted["target_pc"], 6);
  EXPECT_EQ(parted["not_taken"], "1010");
  EXPECT_EQ(parted["next_pc"], 4);
  EXPECT_EQ(parted["reconvergence_pc"], 8);
  const nlohmann::json branch = block.drawn().event("core", "warp 0", "bra")["args"];
  EXPECT_EQ(branch["pc"], 3);
  EXPECT_EQ(branch["lanes"], "1111");
  EXPECT_EQ(branch["executed"], "0101");
  EXPECT_EQ(branch["instruction"], "@%p1 bra B;");
}

TEST(WarpRows, draw_one_path_behind_the_other_where_there_is_a_stack) {
  LedBlock block(kDiamond, "pdom", 4);
  block.issue(1, 4, 0, 0b1111);
  block.issue(5, 5, 0, 0b0101);
  block.issue(7, 7, 0, 0b0101);
  block.issue(8, 8, 0, 0b1010);
  block.issue(10, 10, 0, 0b1010);
  block.issue(11, 12, 0, 0b1111);
  const Drawn drawn = block.drawn();
  EXPECT_EQ(drawn.fault(), "");
  EXPECT_THAT(states(drawn, "warp 0"),
              ElementsAre(Slice{"block 0,0,0 warp 0", 1, 13}, Slice{"4 lanes", 1, 5}, Slice{"2 lanes", 5, 8},
                          Slice{"2 lanes", 8, 11}, Slice{"4 lanes", 11, 13}));
  EXPECT_THAT(drawn.slices("core", "warp 0, split 2"), IsEmpty());
}

TEST(WarpRows, draw_the_time_at_a_barrier) {
  LedBlock block("mov.u32 %r1, %tid.x;\n bar.sync 0;\n setp.gt.u32 %p1, %r1, 5;\n @%p1 ret;\n bar.sync 0;\n ret;\n",
                 "pdom", 8);
  block.issue(1, 2, 0, 0b1111);
  block.issue(3, 4, 1, 0b1111);
  block.issue(5, 7, 0, 0b1111);
  block.issue(8, 9, 1, 0b1111);
  block.issue(10, 10, 1, 0b0011);
  block.issue(11, 11, 0, 0b1111);
  const Drawn drawn = block.drawn();
  EXPECT_THAT(drawn.slices("core", "warp 0"), Contains(Slice{"barrier", 3, 5}));
  EXPECT_THAT(drawn.slices("core", "warp 0"), Contains(Slice{"barrier", 8, 11}));
  EXPECT_THAT(drawn.slices("core", "warp 0"), Contains(Slice{"block 0,0,0 warp 0", 1, 12}));
  EXPECT_NE(drawn.fault(), "");  // warp 1 has not ended
}

}  // namespace warp_rows_test
}  // namespace warpfork::trace
