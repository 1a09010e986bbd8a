// Operands of barriers: of a block, and of the lanes of a warp.
#include <fmt/format.h>

#include "base/text.h"
#include "simt/barrier.h"
#include "simt/decode_operands.h"
#include "simt/members.h"

namespace warpfork::simt::decode_operands {

namespace {

using ptx::Modifier;
using ptx::ScalarType;

/// bar.warp.sync: lanes of a split run in step, and for those of another split nobody waits.
void meet(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  while (lanes.any()) lanes -= together_with_lowest(instruction, warp, lanes);
}

void warp_barrier(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  if (!source.has(Modifier::Sync) || source.modifiers.size() != 2) context.unsupported(source);
  context.member_mask(source, 0, decoded);
  decoded.handler = meet;
}

void reduction(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  decoded.barrier_form = source.has(Modifier::Popc)  ? BarrierForm::CountTrue
                         : source.has(Modifier::And) ? BarrierForm::AllTrue
                         : source.has(Modifier::Or)  ? BarrierForm::AnyTrue
                                                     : BarrierForm::Sync;
  if (decoded.barrier_form == BarrierForm::Sync) context.unsupported(source);
  decoded.operand[0] = decoded.barrier_form == BarrierForm::CountTrue
                           ? context.operands.destination(source.operands[0], ScalarType::U32)
                           : context.operands.predicate_destination(source.operands[0]);
  bool negated = false;
  decoded.operand[3] = context.operands.predicate_source(source.operands.back(), negated);
  decoded.immediate = negated;
}

void barrier_number(const ptx::Operand& operand, DecodeContext& context, Instruction& decoded) {
  if (!operand.as<ptx::ImmediateOperand>()) {
    decoded.barrier = Instruction::kBarrierInRegister;
    decoded.operand[1] = context.operands.source(operand, ScalarType::U32);
    return;
  }
  const std::uint64_t number = context.operands.literal(operand, "the barrier must be an integer");
  if (number >= kBarriers)
    context.operands.fail(fmt::format("barrier {} where 0 to {} are allowed", number, kBarriers - 1));
  decoded.barrier = static_cast<std::uint8_t>(number);
}

void barrier_threads(const ptx::Operand& operand, DecodeContext& context, Instruction& decoded) {
  if (!operand.as<ptx::ImmediateOperand>()) {
    decoded.barrier_threads = Instruction::kThreadsInRegister;
    decoded.operand[2] = context.operands.source(operand, ScalarType::U32);
    return;
  }
  const std::uint64_t threads = context.operands.literal(operand, "the number of threads must be an integer");
  if (threads == 0 || threads % kRowLanes != 0 || threads > 1024)
    context.operands.fail(
        fmt::format("{} where a multiple of {} up to 1024 is allowed", counted(threads, "thread"), kRowLanes));
  decoded.barrier_threads = static_cast<std::uint32_t>(threads);
}

/// barrier.cluster.wait; what arrives was left out by room lower.
void cluster_barrier(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  for (const Modifier word : source.modifiers)
    if (word != Modifier::Cluster && word != Modifier::Wait && word != Modifier::Acquire && word != Modifier::Aligned)
      context.unsupported(source);
  if (!source.has(Modifier::Wait) || !source.types.empty()) context.unsupported(source);
  context.expect_operands(source, 0, 0);
  decoded.barrier = static_cast<std::uint8_t>(kClusterBarrier);
}

bool has_words_of_clusters(const ptx::Instruction& source) {
  return source.has(Modifier::Wait) || source.has(Modifier::Acquire) || source.has(Modifier::Release) ||
         source.has(Modifier::Relaxed);
}

}  // namespace

void barrier(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  if (source.has(Modifier::Warp)) return warp_barrier(source, context, decoded);
  decoded.kind = InstructionKind::Barrier;
  if (source.has(Modifier::Cluster)) return cluster_barrier(source, context, decoded);
  if (has_words_of_clusters(source)) context.unsupported(source);
  const bool reduces = source.has(Modifier::Red);
  const bool names_reduction = source.has(Modifier::Popc) || source.has(Modifier::And) || source.has(Modifier::Or);
  if (!reduces && (names_reduction || !source.types.empty())) context.unsupported(source);
  const std::size_t first = reduces ? 1 : 0, least = reduces ? 3 : 1;  // first of the operands a {, b}
  context.expect_operands(source, least, least + 1);
  const bool names_threads = source.operands.size() > least;
  if (reduces) reduction(source, context, decoded);
  if (source.has(Modifier::Arrive)) {
    decoded.barrier_form = BarrierForm::Arrive;
    if (!names_threads) context.operands.fail("the number of threads that take part is missing");
  }
  barrier_number(source.operands[first], context, decoded);
  if (names_threads) barrier_threads(source.operands[first + 1], context, decoded);
}

}  // namespace warpfork::simt::decode_operands
