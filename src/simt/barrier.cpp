#include "simt/barrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "simt/execution_error.h"

namespace warpfork::simt {

namespace {

std::uint32_t read(const WarpContext& warp, std::uint32_t row, unsigned lane) {
  std::uint32_t value;
  std::memcpy(&value, warp.registers + row + lane * sizeof value, sizeof value);
  return value;
}

/// A warp comes to a barrier as one, so its threads must agree (the ISA lets each wait for the others of its warp).
std::uint32_t common_value(const Instruction& instruction, const WarpContext& warp, RowLanes lanes, std::uint32_t row) {
  const std::uint32_t value = read(warp, row, lanes.lowest());
  lanes.for_each([&](unsigned lane) {
    if (const std::uint32_t other = read(warp, row, lane); other != value)
      fail(instruction, warp, lane, fmt::format("{} here, {} in another thread of its warp", other, value),
           "the threads of a warp must come to the same barrier with the same number of threads");
  });
  return value;
}

unsigned number_of(const Instruction& instruction, const WarpContext& warp, RowLanes lanes) {
  if (instruction.barrier != Instruction::kBarrierInRegister) return instruction.barrier;
  const std::uint32_t number = common_value(instruction, warp, lanes, instruction.operand[1]);
  if (number >= kBarriers)
    fail(instruction, warp, lanes.lowest(), fmt::format("there is no barrier {}", number),
         fmt::format("barriers 0 to {} are allowed", kBarriers - 1));
  return number;
}

unsigned threads_of(const Instruction& instruction, const WarpContext& warp, RowLanes lanes) {
  if (instruction.barrier_threads == 0) return 0;
  const std::uint32_t threads = instruction.barrier_threads == Instruction::kThreadsInRegister
                                    ? common_value(instruction, warp, lanes, instruction.operand[2])
                                    : instruction.barrier_threads;
  const Launch& launch = warp.block->launch();
  const unsigned in_block = launch.threads_per_block(), unit = std::max(launch.warp_size, kRowLanes);
  const unsigned most = (in_block + unit - 1) / unit * unit;
  if (threads == 0 || threads % unit != 0 || threads > most)
    fail(instruction, warp, lanes.lowest(), "a barrier for " + counted(threads, "thread"),
         fmt::format("a multiple of {} up to {} is allowed in a block of {}", unit, most, counted(in_block, "thread")));
  return threads >= in_block ? 0 : threads;
}

}  // namespace

BarrierArrival arrival_of(const Instruction& instruction, const WarpContext& warp, RowLanes lanes) {
  BarrierArrival arrival{number_of(instruction, warp, lanes), threads_of(instruction, warp, lanes), {}};
  if (is_reduction(instruction)) {
    const RowLanes asked(warp.predicates[instruction.operand[3]]);
    arrival.yes = instruction.immediate != 0 ? lanes - asked : lanes & asked;
  }
  return arrival;
}

void write_reduction(const Instruction& instruction, WarpContext& warp, RowLanes lanes, unsigned yes, unsigned voters) {
  if (instruction.barrier_form == BarrierForm::CountTrue) {
    const std::uint32_t count = yes;
    lanes.for_each([&](unsigned lane) {
      std::memcpy(warp.registers + instruction.operand[0] + lane * sizeof count, &count, sizeof count);
    });
    return;
  }
  const bool result = instruction.barrier_form == BarrierForm::AllTrue ? yes == voters : yes != 0;
  std::uint32_t& bits = warp.predicates[instruction.operand[0]];
  bits = result ? bits | lanes.bits() : bits & ~lanes.bits();
}

}  // namespace warpfork::simt
