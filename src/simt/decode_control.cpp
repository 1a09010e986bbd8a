// Operands of branches and calls of the system, and of what does nothing here.
#include <fmt/format.h>

#include <cstring>

#include "base/text.h"
#include "ptx/call_parts.h"
#include "simt/decode_operands.h"
#include "simt/execution_error.h"
#include "simt/function_addresses.h"
#include "simt/system_calls.h"

namespace warpfork::simt::decode_operands {

namespace {

using ptx::ScalarType;

void do_nothing(const Instruction&, WarpContext&, RowLanes) {}

void stop(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  if (lanes.any())
    simt::fail(instruction, warp, lanes.lowest(), "the kernel executed a trap", "the program asked for this stop");
}

/// lower/synchronous_copies.h.
void stop_copy(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  if (lanes.any())
    simt::fail(instruction, warp, lanes.lowest(),
               "the size of a cp.async's source is no multiple of 4 and comes from a register, which is not supported",
               "let it be a multiple of 4, or a literal");
}

/// What a call through this pointer does not reach: "'f'", or "0x0, which is no function of the module".
std::string callee_text(const Program& program, std::uint64_t pointer) {
  for (const auto& [name, address] : function_addresses(*program.module, program.places->code))
    if (address == pointer) return fmt::format("'{}'", name);
  return fmt::format("{:#x}, which is no function of the module", pointer);
}

/// What lowering leaves of a call through a pointer: [0] the pointer, `immediate` its bytes.
void reach_nobody(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  if (lanes.none()) return;
  std::uint64_t pointer = 0;
  std::memcpy(&pointer, warp.registers + instruction.operand[0] + lanes.lowest() * instruction.immediate,
              instruction.immediate);
  simt::fail(instruction, warp, lanes.lowest(),
             fmt::format("the call cannot reach {}", callee_text(*warp.block->launch().program, pointer)),
             "a function of the program that takes and gives what is written here can be called");
}

}  // namespace

void branch(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  context.expect_operands(source, 1, 1);
  const auto* label = source.operands[0].as<ptx::LabelOperand>();
  if (!label) context.operands.fail("the target must be a label");
  decoded.kind = InstructionKind::Branch;
  decoded.comes_back = source.call != 0 && source.guard;
  decoded.target = label->target;
}

void exit(const ptx::Instruction&, DecodeContext&, Instruction& decoded) { decoded.kind = InstructionKind::Exit; }

void fence(const ptx::Instruction&, DecodeContext&, Instruction& decoded) {
  decoded.kind = InstructionKind::MemoryBarrier;
}

void call(const ptx::Instruction& source, DecodeContext& context, Instruction& decoded) {
  const ptx::CallParts call = parts_of(source);
  const ScalarType pointer = context.module.address_bits == 64 ? ScalarType::B64 : ScalarType::B32;
  decoded.immediate = context.module.address_bits / 8;
  if (!call.function) {
    decoded.handler = reach_nobody;
    decoded.operand[0] = context.operands.source(*call.callee, pointer);
    return;
  }
  const SystemCall* called = find_system_call(call.function->name);
  if (!called) context.unsupported(source);
  const std::vector<ptx::Variable>& declared = context.module.find_function(call.function->name)->parameters;
  if (call.arguments.size() != called->arguments.size() || call.results.size() > called->results.size())
    context.operands.fail(fmt::format("'{}' takes {} and gives {}", called->name,
                                      counted(called->arguments.size(), "argument"),
                                      counted(called->results.size(), "result")));
  const auto type_of = [&](char type) { return type == 'u' ? ScalarType::B32 : pointer; };
  decoded.handler = called->handler;
  std::size_t next = 0;
  for (const char type : called->results)
    decoded.operand[next++] = call.results.empty() ? context.operands.rows().sink()
                                                   : context.operands.destination(call.results[0], type_of(type));
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const bool is_array = i < declared.size() && declared[i].bytes > 8;  // of which the address is passed
    if (call.arguments[i].as<ptx::SymbolOperand>() || is_array != (called->arguments[i] == 'd'))
      context.operands.fail("an argument is not one number in one register");
    decoded.operand[next++] = context.operands.source(call.arguments[i], type_of(called->arguments[i]));
  }
}

void trap(const ptx::Instruction& source, DecodeContext&, Instruction& decoded) {
  decoded.handler = source.has(ptx::Modifier::Async) ? stop_copy : stop;
}

void nothing(const ptx::Instruction&, DecodeContext&, Instruction& decoded) { decoded.handler = do_nothing; }

}  // namespace warpfork::simt::decode_operands
