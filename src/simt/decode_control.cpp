// Operands of warp-wide instructions, branches, barriers and of what does nothing here.
#include <fmt/format.h>

#include "ptx/call_parts.h"
#include "simt/barrier.h"
#include "simt/execution_error.h"
#include "simt/instruction_decoder.h"
#include "simt/members.h"
#include "simt/system_calls.h"

namespace warpfork::simt {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

void do_nothing(const Instruction&, WarpContext&, ActiveMask) {}

/// bar.warp.sync: lanes of a split run in step, and for those of another split nobody waits.
void meet(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  while (lanes.any()) lanes -= together_with_lowest(instruction, warp, lanes);
}

void stop(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  if (lanes.any())
    simt::fail(instruction, warp, lanes.lowest(), "the kernel executed a trap", "the program asked for this stop");
}

}  // namespace

void InstructionDecoder::vote(const ptx::Instruction& source, Instruction& decoded) {
  member_mask(source, 2, decoded);
  bool negated = false;
  decoded.operand[0] = source.has(Modifier::Ballot) ? operands_.destination(source.operands[0], ScalarType::B32)
                                                    : operands_.predicate_destination(source.operands[0]);
  decoded.operand[1] = operands_.predicate_source(source.operands[1], negated);
  decoded.immediate = negated;
  select({.instruction = source}, decoded);
}

/// The last operand of a .sync instruction, behind so many others.
void InstructionDecoder::member_mask(const ptx::Instruction& source, std::size_t others, Instruction& decoded) {
  const bool sync = source.has(Modifier::Sync);
  const std::size_t operands = others + (sync ? 1 : 0);
  expect_operands(source, operands, operands);
  if (sync) decoded.members = operands_.source(source.operands.back(), ScalarType::B32);
}

void InstructionDecoder::collective(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 1, 5);
  const ScalarType type = source.types.empty() ? ScalarType::B32 : source.types.front();
  const auto* pair = source.operands[0].as<ptx::PairOperand>();
  // match has a mask as its result whatever it compares; the others have results of their type.
  const ScalarType result = source.opcode == Opcode::Match ? ScalarType::B32 : type;
  decoded.operand[0] = operands_.destination(pair ? pair->elements.at(0) : source.operands[0], result);
  decoded.operand[4] = pair ? operands_.predicate_destination(pair->elements.at(1)) : operands_.rows().sink_predicate();
  const bool reads_mask_only = source.opcode == Opcode::Elect || source.opcode == Opcode::Activemask;
  const std::size_t sources = source.opcode == Opcode::Shfl ? 3 : reads_mask_only ? 0 : 1;
  member_mask(source, 1 + sources, decoded);
  for (std::size_t i = 1; i <= sources; ++i)
    decoded.operand[i] = operands_.source(source.operands[i], i == 1 ? type : ScalarType::B32);
  select({.instruction = source}, decoded);
}

void InstructionDecoder::branch(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 1, 1);
  const auto* label = source.operands[0].as<ptx::LabelOperand>();
  if (!label) operands_.fail("the target must be a label");
  decoded.kind = InstructionKind::Branch;
  decoded.target = label->target;
}

void InstructionDecoder::barrier(const ptx::Instruction& source, Instruction& decoded) {
  if (source.has(Modifier::Warp)) return warp_barrier(source, decoded);
  decoded.kind = InstructionKind::Barrier;
  const bool reduces = source.has(Modifier::Red);
  const bool names_reduction = source.has(Modifier::Popc) || source.has(Modifier::And) || source.has(Modifier::Or);
  if (!reduces && (names_reduction || !source.types.empty())) unsupported(source);
  const std::size_t first = reduces ? 1 : 0, least = reduces ? 3 : 1;  // first of the operands a {, b}
  expect_operands(source, least, least + 1);
  const bool names_threads = source.operands.size() > least;
  if (reduces) reduction(source, decoded);
  if (source.has(Modifier::Arrive)) {
    decoded.barrier_form = BarrierForm::Arrive;
    if (!names_threads) operands_.fail("the number of threads that take part is missing");
  }
  barrier_number(source.operands[first], decoded);
  if (names_threads) barrier_threads(source.operands[first + 1], decoded);
}

void InstructionDecoder::warp_barrier(const ptx::Instruction& source, Instruction& decoded) {
  if (!source.has(Modifier::Sync) || source.modifiers.size() != 2) unsupported(source);
  member_mask(source, 0, decoded);
  decoded.handler = meet;
}

void InstructionDecoder::reduction(const ptx::Instruction& source, Instruction& decoded) {
  decoded.barrier_form = source.has(Modifier::Popc)  ? BarrierForm::CountTrue
                         : source.has(Modifier::And) ? BarrierForm::AllTrue
                         : source.has(Modifier::Or)  ? BarrierForm::AnyTrue
                                                     : BarrierForm::Sync;
  if (decoded.barrier_form == BarrierForm::Sync) unsupported(source);
  decoded.operand[0] = decoded.barrier_form == BarrierForm::CountTrue
                           ? operands_.destination(source.operands[0], ScalarType::U32)
                           : operands_.predicate_destination(source.operands[0]);
  bool negated = false;
  decoded.operand[3] = operands_.predicate_source(source.operands.back(), negated);
  decoded.immediate = negated;
}

void InstructionDecoder::barrier_number(const ptx::Operand& operand, Instruction& decoded) {
  if (!operand.as<ptx::ImmediateOperand>()) {
    decoded.barrier = Instruction::kBarrierInRegister;
    decoded.operand[1] = operands_.source(operand, ScalarType::U32);
    return;
  }
  const std::uint64_t number = operands_.literal(operand, "the barrier must be an integer");
  if (number >= kBarriers) operands_.fail(fmt::format("barrier {} where 0 to {} are allowed", number, kBarriers - 1));
  decoded.barrier = static_cast<std::uint8_t>(number);
}

void InstructionDecoder::barrier_threads(const ptx::Operand& operand, Instruction& decoded) {
  if (!operand.as<ptx::ImmediateOperand>()) {
    decoded.barrier_threads = Instruction::kThreadsInRegister;
    decoded.operand[2] = operands_.source(operand, ScalarType::U32);
    return;
  }
  const std::uint64_t threads = operands_.literal(operand, "the number of threads must be an integer");
  if (threads == 0 || threads % kMaxWarpSize != 0 || threads > 1024)
    operands_.fail(fmt::format("{} threads where a multiple of {} up to 1024 is allowed", threads, kMaxWarpSize));
  decoded.barrier_threads = static_cast<std::uint32_t>(threads);
}

void InstructionDecoder::exit(const ptx::Instruction&, Instruction& decoded) { decoded.kind = InstructionKind::Exit; }

void InstructionDecoder::fence(const ptx::Instruction&, Instruction& decoded) {
  decoded.kind = InstructionKind::MemoryBarrier;
}

void InstructionDecoder::system_call(const ptx::Instruction& source, Instruction& decoded) {
  const ptx::CallParts call = parts_of(source);
  const SystemCall* called = call.function ? find_system_call(call.function->name) : nullptr;
  if (!called) unsupported(source);
  if (call.arguments.size() != called->arguments.size() || call.results.size() > called->has_result)
    operands_.fail(fmt::format("'{}' takes {} arguments and gives {} results", called->name, called->arguments.size(),
                               called->has_result ? 1 : 0));
  decoded.handler = called->handler;
  decoded.immediate = module_.address_bits / 8;
  std::size_t next = 0;
  if (called->has_result)
    decoded.operand[next++] =
        call.results.empty() ? operands_.rows().sink() : operands_.destination(call.results[0], ScalarType::B32);
  const ScalarType pointer = module_.address_bits == 64 ? ScalarType::B64 : ScalarType::B32;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (call.arguments[i].as<ptx::SymbolOperand>()) operands_.fail("an argument is not one number in one register");
    decoded.operand[next++] =
        operands_.source(call.arguments[i], called->arguments[i] == 'p' ? pointer : ScalarType::B32);
  }
}

void InstructionDecoder::trap(const ptx::Instruction&, Instruction& decoded) { decoded.handler = stop; }

void InstructionDecoder::nothing(const ptx::Instruction&, Instruction& decoded) { decoded.handler = do_nothing; }

}  // namespace warpfork::simt
