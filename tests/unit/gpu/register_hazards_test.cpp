#include "gpu/register_hazards.h"

#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "exchange.h"
#include "kernel.h"
#include "registers.h"

namespace warpfork::gpu {
namespace register_hazards_test {

/// Two warps; instruction 0 writes register 1, which instruction 1 reads, and instruction 2 has nothing to do with it.
struct Hazards {
  Kernel kernel{"ret;", {1, 1, 1}, {64, 1, 1}};
  BlockSlots blocks{2};
  simt::Program program;
  CoreSpec spec;
  std::optional<KernelTables> tables;
  std::unique_ptr<RegisterHazards> of;

  explicit Hazards(bool regroups, unsigned entries = 0, bool lane_masks = true, const std::string& lanes = "simt") {
    spec.warps = 2;
    spec.lanes.organisation = lanes;
    spec.scoreboard_entries = entries;
    program.register_numbers.resize(5);
    program.code = {with_registers({1}, {}), with_registers({2}, {1}), with_registers({4}, {3})};
    const auto exchange = []() -> std::unique_ptr<DivergenceDomain> { return std::make_unique<Exchange>(); };
    blocks.begin_kernel(kernel.launch(), 1, regroups ? exchange : find_divergence_mechanism("pdom").of_core({}));
    blocks.start({0, 0, 0}, 0);
    of = std::make_unique<RegisterHazards>(spec, lane_masks, regroups, blocks);
    of->begin_kernel(tables.emplace(spec, program));
    for (unsigned warp = 0; warp < 2; ++warp) of->homes().note(warp, blocks.block(0).domain().runnable(warp));
  }
  /// Instruction 0 of the split in warp slot 0.
  InFlight write() {
    InFlight record;
    record.instruction = &program.code[0];
    record.pc = 0;
    record.lanes = ActiveMask(~0u);
    const auto homes = blocks.block(0).domain().split(0).homes;
    record.home_count = static_cast<std::uint8_t>(homes.size());
    record.extra->homes.assign(homes.begin(), homes.end());
    return record;
  }
  /// Of the split in the warp's place, were it at this instruction.
  Scoreboard::Hazard at(Pc pc, unsigned warp) {
    WarpSplit split = blocks.block(0).domain().split(warp * kMaxWarpSize);
    split.pc = pc;
    return of->hazard(warp, split);
  }
};

/// Allocated: instruction 0 moves place 0 to place 1, instruction 1 writes place 0, instruction 2 place 2; or as many
/// places behind these.
struct AllocatedHazards : Hazards {
  ptx::Function function;

  explicit AllocatedHazards(bool regroups, const std::string& lanes, bool lane_masks = true, std::uint16_t behind = 0)
      : Hazards(regroups, 0, lane_masks, lanes) {
    program.allocation.emplace().vector_registers = behind + 3;
    for (std::uint16_t number = 0; number < 3; ++number) {
      function.registers.push_back({"%r", ptx::ScalarType::B32});
      program.allocation->places.push_back({lower::RegisterFile::Vector, static_cast<std::uint16_t>(behind + number)});
    }
    write(1, ptx::RegisterOperand{0});
    write(0, ptx::ImmediateOperand{});
    write(2, ptx::ImmediateOperand{});
    program.function = &function;
    program.code = {with_registers({1}, {0}), with_registers({0}, {}), with_registers({2}, {})};
    of->begin_kernel(tables.emplace(spec, program));
  }
  using Hazards::write;
  void write(ptx::RegisterId to, const ptx::Operand& from) {
    ptx::Instruction move;
    move.opcode = ptx::Opcode::Mov;
    move.operands = {ptx::RegisterOperand{to}, from};
    function.body.push_back(move);
  }
};

TEST(RegisterHazards, have_signs_that_tell_all_where_lanes_are_not_told_apart) {
  for (const bool lane_masks : {false, true}) {
    Hazards hazards(false, 0, lane_masks);
    hazards.of->reserve(hazards.write());
    EXPECT_EQ(hazards.of->signs(0, 1), Scoreboard::kPending);
    EXPECT_EQ(hazards.of->signs(0, 2), 0u);
    EXPECT_EQ(hazards.of->tell_all(Scoreboard::kPending), !lane_masks);
    EXPECT_TRUE(hazards.of->tell_all(0));
  }
}

TEST(RegisterHazards, have_signs_that_tell_all_of_reading_up_to_64_places) {
  AllocatedHazards up_to_64(false, "simt", false, 61), up_to_65(false, "simt", false, 62);
  for (AllocatedHazards* hazards : {&up_to_64, &up_to_65}) {
    hazards->of->reserve(hazards->write());
    EXPECT_EQ(hazards->of->signs(0, 1), RegisterHazards::kToBeRead);
    EXPECT_EQ(hazards->of->signs(0, 2), 0u);
  }
  EXPECT_TRUE(up_to_64.of->tell_all(RegisterHazards::kToBeRead));
  EXPECT_FALSE(up_to_65.of->tell_all(RegisterHazards::kToBeRead));
}

TEST(RegisterHazards, hold_up_who_would_write_what_an_earlier_instruction_has_yet_to_read) {
  AllocatedHazards hazards(false, "simt");
  hazards.of->reserve(hazards.write());
  EXPECT_EQ(hazards.at(1, 0), Scoreboard::Hazard::Read);
  EXPECT_EQ(hazards.at(2, 0), Scoreboard::Hazard::None);
  EXPECT_EQ(hazards.at(1, 1), Scoreboard::Hazard::None);  // another warp
  const std::uint64_t read = hazards.of->operands_read(hazards.write());
  EXPECT_TRUE(hazards.of->may_go_on_behind(read, 1));
  EXPECT_FALSE(hazards.of->may_go_on_behind(read, 2));
  EXPECT_EQ(hazards.of->operands_read(hazards.write()), 0u) << "it has read them once";
  EXPECT_EQ(hazards.at(1, 0), Scoreboard::Hazard::None);
}

TEST(RegisterHazards, of_reading_lie_in_a_compacted_splits_home_warps) {
  AllocatedHazards hazards(true, "simt");
  hazards.of->reserve(hazards.write());
  EXPECT_EQ(hazards.at(1, 0), Scoreboard::Hazard::Read);
  EXPECT_EQ(hazards.at(1, 1), Scoreboard::Hazard::None);  // these are other lanes of both
  EXPECT_NE(hazards.of->operands_read(hazards.write()), 0u);
  EXPECT_EQ(hazards.of->users_of(hazards.write()), WarpSlots(0b11));
  EXPECT_EQ(hazards.at(1, 0), Scoreboard::Hazard::None);
}

TEST(RegisterHazards, of_reading_are_none_where_lanes_read_in_the_order_of_issue) {
  AllocatedHazards hazards(false, "tsimt");
  hazards.of->reserve(hazards.write());
  EXPECT_EQ(hazards.at(1, 0), Scoreboard::Hazard::None);
}

TEST(RegisterHazards, hold_up_the_warp_alone_that_writes) {
  Hazards hazards(false);
  hazards.of->reserve(hazards.write());
  EXPECT_EQ(hazards.at(1, 0), Scoreboard::Hazard::Register);
  EXPECT_EQ(hazards.at(1, 1), Scoreboard::Hazard::None);
  EXPECT_EQ(hazards.at(2, 0), Scoreboard::Hazard::None);
}

TEST(RegisterHazards, of_a_compacted_split_lie_in_its_home_warps) {
  Hazards hazards(true);
  hazards.of->reserve(hazards.write());  // even lanes of warp 0, odd ones of warp 1
  EXPECT_TRUE(hazards.of->scoreboard().pending(0));
  EXPECT_TRUE(hazards.of->scoreboard().pending(1));
  EXPECT_EQ(hazards.at(1, 0), Scoreboard::Hazard::Register);
  EXPECT_EQ(hazards.at(1, 1), Scoreboard::Hazard::None);  // these are other lanes of both
}

TEST(RegisterHazards, say_who_may_go_on_when_registers_are_written) {
  Hazards hazards(true);
  hazards.of->reserve(hazards.write());
  const RegisterHazards::Release release = hazards.of->release(hazards.write());
  EXPECT_EQ(release.places, WarpSlots(0b11));
  EXPECT_TRUE(hazards.of->may_go_on(1, release));
  EXPECT_FALSE(hazards.of->may_go_on(2, release));
  EXPECT_FALSE(hazards.of->scoreboard().pending(0));
}

TEST(RegisterHazards, let_everybody_try_again_when_a_full_scoreboard_has_room) {
  Hazards hazards(false, 1);
  hazards.of->reserve(hazards.write());
  EXPECT_EQ(hazards.at(2, 0), Scoreboard::Hazard::Full);
  const RegisterHazards::Release release = hazards.of->release(hazards.write());
  EXPECT_TRUE(hazards.of->may_go_on(2, release));
  EXPECT_EQ(hazards.at(2, 0), Scoreboard::Hazard::None);
}

TEST(RegisterHazards, hold_up_other_places_only_where_lanes_are_not_told_apart) {
  Hazards apart(true);
  EXPECT_TRUE(apart.of->held_up_by(apart.write()).none());
  Hazards together(true, 0, false);
  EXPECT_EQ(together.of->held_up_by(together.write()), WarpSlots(0b11));
  Hazards alone(false, 0, false);
  EXPECT_TRUE(alone.of->held_up_by(alone.write()).none());
}

}  // namespace register_hazards_test
}  // namespace warpfork::gpu
