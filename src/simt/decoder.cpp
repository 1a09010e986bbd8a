#include "simt/decoder.h"

#include <cfenv>
#include <limits>

#include "analysis/cfg.h"
#include "analysis/liveness.h"
#include "analysis/postdominators.h"
#include "analysis/register_use.h"
#include "base/error.h"
#include "simt/address_map.h"
#include "simt/execution_error.h"
#include "simt/lanes/compare_mode.h"
#include "simt/operand_decoder.h"
#include "simt/operand_types.h"
#include "simt/timing_of.h"
#include "simt/understood_modifiers.h"

namespace warpfork::simt {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

MemorySpace memory_space(ptx::StateSpace space) {
  switch (space) {
    case ptx::StateSpace::Generic:
      return MemorySpace::Generic;
    case ptx::StateSpace::Global:
      return MemorySpace::Global;
    case ptx::StateSpace::Shared:
      return MemorySpace::Shared;
    case ptx::StateSpace::Local:
      return MemorySpace::Local;
    case ptx::StateSpace::Const:
      return MemorySpace::Const;
    case ptx::StateSpace::Param:
      return MemorySpace::Param;
    default:
      return MemorySpace::None;
  }
}

void do_nothing(const Instruction&, WarpContext&, ActiveMask) {}

void trap(const Instruction& instruction, WarpContext& warp, ActiveMask lanes) {
  if (lanes.any())
    fail(instruction, warp, lanes.lowest(), "the kernel executed a trap", "the program asked for this stop");
}

/// The modes that live in Instruction::immediate of arithmetic: the host's name for a directed rounding.
int host_rounding(const ptx::Instruction& source) {
  if (source.has(Modifier::Rz) || source.has(Modifier::Rzi)) return FE_TOWARDZERO;
  if (source.has(Modifier::Rm) || source.has(Modifier::Rmi)) return FE_DOWNWARD;
  return source.has(Modifier::Rp) || source.has(Modifier::Rpi) ? FE_UPWARD : FE_TONEAREST;
}

/// What `set` writes for true: one, or all ones of an integer.
std::uint64_t true_value(ScalarType type) {
  switch (type) {
    case ScalarType::F32:
      return 0x3f800000;
    case ScalarType::F16:
      return 0x3c00;
    case ScalarType::Bf16:
      return 0x3f80;
    default:
      return 0xffffffff;
  }
}

/// Decodes one instruction after another. One method for each way of decoding operands that operations.def names.
class Decoder {
 public:
  Decoder(const ptx::Module& module, const ptx::Function& function, const DeviceSymbols& device,
          const HandlerSet& handlers)
      : module_(module), function_(function), operands_(module, function, device), handlers_(handlers) {}

  Program run();

 private:
  void decode(const ptx::Instruction& source, Instruction& decoded);
  void arithmetic(const ptx::Instruction& source, Instruction& decoded);
  void lop3(const ptx::Instruction& source, Instruction& decoded);
  void compare(const ptx::Instruction& source, Instruction& decoded);
  void mov(const ptx::Instruction& source, Instruction& decoded);
  void mov_vector(const ptx::Instruction& source, Instruction& decoded);
  void convert(const ptx::Instruction& source, Instruction& decoded);
  void cvta(const ptx::Instruction& source, Instruction& decoded);
  void isspacep(const ptx::Instruction& source, Instruction& decoded);
  void load(const ptx::Instruction& source, Instruction& decoded);
  void store(const ptx::Instruction& source, Instruction& decoded);
  void atomic(const ptx::Instruction& source, Instruction& decoded);
  void vote(const ptx::Instruction& source, Instruction& decoded);
  void collective(const ptx::Instruction& source, Instruction& decoded);
  void branch(const ptx::Instruction& source, Instruction& decoded);
  void barrier(const ptx::Instruction& source, Instruction& decoded);
  void exit(const ptx::Instruction&, Instruction& decoded) { decoded.kind = InstructionKind::Exit; }
  void fence(const ptx::Instruction&, Instruction& decoded) { decoded.kind = InstructionKind::MemoryBarrier; }
  void trap(const ptx::Instruction&, Instruction& decoded) { decoded.handler = simt::trap; }
  void nothing(const ptx::Instruction&, Instruction& decoded) { decoded.handler = do_nothing; }

  void expect_operands(const ptx::Instruction& source, std::size_t least, std::size_t most) const;
  void access(const ptx::Instruction& source, Instruction& decoded);
  void guard(const ptx::Instruction& source, Instruction& decoded);
  void register_lists(const ptx::Instruction& source, Instruction& decoded);
  void control_flow(Program& program) const;
  void select(const Operation& operation, Instruction& decoded);
  [[noreturn]] void unsupported(const ptx::Instruction& source) const;

  const ptx::Module& module_;
  const ptx::Function& function_;
  OperandDecoder operands_;
  const HandlerSet& handlers_;
};

void Decoder::unsupported(const ptx::Instruction& source) const {
  throw Error("{}: error: instruction '{}' is not supported", place_of(module_, source), mnemonic(source));
}

void Decoder::select(const Operation& operation, Instruction& decoded) {
  decoded.handler = select_handler(handlers_, operation);
  if (!decoded.handler) unsupported(operation.instruction);
}

void Decoder::expect_operands(const ptx::Instruction& source, std::size_t least, std::size_t most) const {
  const std::size_t count = source.operands.size();
  if (count < least || count > most)
    operands_.fail(fmt::format("{} operands where {} to {} are allowed", count, least, most));
}

void Decoder::arithmetic(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, decoded.operand.size());
  if (source.types.empty()) unsupported(source);
  decoded.immediate = static_cast<std::uint64_t>(host_rounding(source));
  // Flags, not a rounding, for the carry chain.
  if (source.has(Modifier::Cc) || source.opcode == Opcode::Addc || source.opcode == Opcode::Subc ||
      source.opcode == Opcode::Madc)
    decoded.immediate = operands_.rows().carry_predicate();
  decoded.operand[0] = operands_.destination(source.operands[0], result_type(source));
  for (std::size_t i = 1; i < source.operands.size(); ++i) {
    if (source_type(source, i) == ScalarType::Pred) {
      bool negated = false;
      decoded.operand[i] = operands_.predicate_source(source.operands[i], negated);
      decoded.immediate |= std::uint64_t{negated} << i;
    } else {
      decoded.operand[i] = operands_.source(source.operands[i], source_type(source, i));
    }
  }
  select({.instruction = source}, decoded);
}

void Decoder::lop3(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 5, 5);
  decoded.operand[0] = operands_.destination(source.operands[0], ScalarType::B32);
  for (std::size_t i = 1; i < 4; ++i) decoded.operand[i] = operands_.source(source.operands[i], ScalarType::B32);
  decoded.immediate = operands_.literal(source.operands[4], "the look-up table must be a literal");
  if (decoded.immediate > 0xff) operands_.fail("the look-up table must be 0 to 255");
  select({.instruction = source}, decoded);
}

void Decoder::compare(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 3, 4);
  if (source.types.empty()) unsupported(source);
  const bool writes_predicate = source.opcode == Opcode::Setp;
  const ScalarType type = source.types.back();
  decoded.operand[4] = operands_.rows().sink_predicate();
  if (const auto* pair = source.operands[0].as<ptx::PairOperand>()) {
    if (!writes_predicate || pair->elements.size() != 2) unsupported(source);
    decoded.operand[0] = operands_.predicate_destination(pair->elements[0]);
    decoded.operand[4] = operands_.predicate_destination(pair->elements[1]);
  } else {
    decoded.operand[0] =
        operands_.destination(source.operands[0], writes_predicate ? ScalarType::Pred : source.types.front());
  }
  for (std::size_t i = 1; i < 3; ++i) decoded.operand[i] = operands_.source(source.operands[i], type);
  if (!writes_predicate) decoded.immediate |= true_value(source.types.front()) << CompareMode::kTrueShift;
  if (source.operands.size() == 4) {
    bool negated = false;
    decoded.operand[3] = operands_.predicate_source(source.operands[3], negated);
    decoded.immediate |= negated ? CompareMode::kNegated : 0;
    decoded.immediate |= source.has(Modifier::And)  ? CompareMode::kAnd
                         : source.has(Modifier::Or) ? CompareMode::kOr
                                                    : CompareMode::kXor;
  }
  select({.instruction = source}, decoded);
}

void Decoder::mov(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, 2);
  if (source.types.empty()) unsupported(source);
  if (source.operands[0].as<ptx::VectorOperand>() || source.operands[1].as<ptx::VectorOperand>())
    return mov_vector(source, decoded);
  const ScalarType type = source.types.front();
  decoded.operand[0] = operands_.destination(source.operands[0], type);
  if (const auto* special = source.operands[1].as<ptx::SpecialRegisterOperand>()) {
    const bool upper =
        special->name == ptx::SpecialRegister::ClockHi || special->name == ptx::SpecialRegister::GlobaltimerHi;
    decoded.immediate = upper ? 32 : 0;  // how far to shift a clock
  }
  bool negated = false;
  decoded.operand[1] = type == ScalarType::Pred ? operands_.predicate_source(source.operands[1], negated)
                                                : operands_.source(source.operands[1], type);
  decoded.immediate |= negated;
  select({.instruction = source}, decoded);
}

void Decoder::mov_vector(const ptx::Instruction& source, Instruction& decoded) {
  const auto* parts = source.operands[0].as<ptx::VectorOperand>();
  const bool packs = !parts;
  if (packs) parts = source.operands[1].as<ptx::VectorOperand>();
  const ScalarType type = source.types.front();
  const std::size_t count = parts->elements.size();
  if (count != 2 && count != 4) unsupported(source);
  const unsigned part_bits = ptx::bits_of(type) / static_cast<unsigned>(count);
  const ScalarType part = part_bits == 32 ? ScalarType::B32 : part_bits == 16 ? ScalarType::B16 : ScalarType::B8;
  decoded.operand[0] =
      packs ? operands_.destination(source.operands[0], type) : operands_.source(source.operands[1], type);
  for (std::size_t i = 0; i < count; ++i)
    decoded.operand[1 + i] =
        packs ? operands_.source(parts->elements[i], part) : operands_.destination(parts->elements[i], part);
  select({.instruction = source}, decoded);
}

void Decoder::convert(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, 3);
  if (source.types.size() != 2) unsupported(source);
  Operation operation{.instruction = source};
  decoded.immediate = static_cast<std::uint64_t>(host_rounding(source));
  decoded.operand[0] = operands_.loose_destination(source.operands[0], source.types[0], operation.wide_destination);
  decoded.operand[1] = operands_.loose_source(source.operands[1], source.types[1], operation.wide_source);
  if (source.operands.size() == 3) decoded.operand[2] = operands_.source(source.operands[2], source.types[1]);
  if (ptx::bits_of(source.types[1]) == 64 && !operation.wide_source) operands_.fail("the operand has only 32 bits");
  select(operation, decoded);
}

void Decoder::cvta(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, 2);
  if (source.types.empty()) unsupported(source);
  decoded.operand[0] = operands_.destination(source.operands[0], source.types[0]);
  decoded.operand[1] = operands_.source(source.operands[1], source.types[0]);
  const std::uint64_t window = SymbolTable::generic_address({memory_space(source.space), 0});
  decoded.immediate = source.has(Modifier::To) ? 0 - window : window;
  select({.instruction = source}, decoded);
}

void Decoder::isspacep(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, 2);
  Operation operation{.instruction = source};
  decoded.operand[0] = operands_.predicate_destination(source.operands[0]);
  decoded.operand[1] = operands_.loose_source(source.operands[1], ScalarType::U64, operation.wide_source);
  switch (source.space) {
    case ptx::StateSpace::Shared:
      decoded.immediate = kSharedWindow | kSharedWindowEnd << 32;
      break;
    case ptx::StateSpace::Local:
      decoded.immediate = kLocalWindow | kLocalWindowEnd << 32;
      break;
    case ptx::StateSpace::Param:
      decoded.immediate = kParamWindow | kParamWindowEnd << 32;
      break;
    case ptx::StateSpace::Global:
      decoded.immediate = DeviceMemory::kBase;
      break;
    default:
      unsupported(source);  // .const shares the device's address range here
  }
  select(operation, decoded);
}

void Decoder::access(const ptx::Instruction& source, Instruction& decoded) {
  if (source.types.empty()) unsupported(source);
  const unsigned bytes = ptx::bytes_of(source.types.front()) * source.vector_width;
  decoded.space = memory_space(source.space);
  decoded.access_bytes = static_cast<std::uint8_t>(bytes);
  if (source.vector_width > 4 || bytes > 32 || decoded.space == MemorySpace::None) unsupported(source);
}

void Decoder::load(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, 3);  // the third is a cache policy
  decoded.kind = InstructionKind::Load;
  access(source, decoded);
  operands_.address(source.operands[1], decoded);
  Operation operation{.instruction = source, .space = decoded.space};
  const ScalarType type = source.types.front();
  const auto* elements = source.operands[0].as<ptx::VectorOperand>();
  const std::size_t count = elements ? elements->elements.size() : 1;
  if (count != source.vector_width) operands_.fail("the vector has another number of elements than the instruction");
  for (std::size_t i = 0; i < count; ++i) {
    const ptx::Operand& element = elements ? elements->elements[i] : source.operands[0];
    bool wide = false;
    decoded.operand[1 + i] = operands_.loose_destination(element, type, wide);
    // A sink has room for either width.
    if (!element.as<ptx::SinkOperand>()) operation.wide_destination |= wide;
  }
  if (ptx::bits_of(type) == 64) operation.wide_destination = true;
  if (elements)
    for (const ptx::Operand& element : elements->elements)
      if (const auto* reg = element.as<ptx::RegisterOperand>();
          reg && operands_.rows().is_wide(reg->id) != operation.wide_destination)
        operands_.fail("the registers of a vector must be of one width");
  select(operation, decoded);
}

void Decoder::store(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, 3);
  decoded.kind = InstructionKind::Store;
  access(source, decoded);
  operands_.address(source.operands[0], decoded);
  Operation operation{.instruction = source, .space = decoded.space};
  const auto* elements = source.operands[1].as<ptx::VectorOperand>();
  const std::size_t count = elements ? elements->elements.size() : 1;
  if (count != source.vector_width) operands_.fail("the vector has another number of elements than the instruction");
  const auto element = [&](std::size_t i) -> const ptx::Operand& {
    return elements ? elements->elements[i] : source.operands[1];
  };
  ScalarType type = source.types.front();
  for (std::size_t i = 0; i < count; ++i)
    if (const auto* reg = element(i).as<ptx::RegisterOperand>())
      operation.wide_source |= operands_.rows().is_wide(reg->id);
  if (ptx::bits_of(type) == 64) operation.wide_source = true;
  for (std::size_t i = 0; i < count; ++i) {
    bool wide = false;
    // Literals beside wide registers need wide rows.
    const bool widen = operation.wide_source && ptx::bits_of(type) < 64 && element(i).as<ptx::ImmediateOperand>();
    decoded.operand[1 + i] = operands_.loose_source(element(i), widen ? ScalarType::B64 : type, wide);
    if (wide != operation.wide_source) operands_.fail("the registers of a vector must be of one width");
  }
  select(operation, decoded);
}

void Decoder::atomic(const ptx::Instruction& source, Instruction& decoded) {
  const bool has_result = source.opcode == Opcode::Atom;
  expect_operands(source, has_result ? 3 : 2, 5);
  decoded.kind = InstructionKind::Atomic;
  access(source, decoded);
  const std::size_t first = has_result ? 1 : 0;
  const ScalarType type = source.types.front();
  decoded.operand[1] = has_result ? operands_.destination(source.operands[0], type) : operands_.rows().sink();
  operands_.address(source.operands[first], decoded);
  decoded.operand[2] = operands_.source(source.operands[first + 1], type);
  decoded.operand[3] =
      source.has(Modifier::Cas) ? operands_.source(source.operands.at(first + 2), type) : decoded.operand[2];
  select({.instruction = source, .space = decoded.space}, decoded);
}

void Decoder::vote(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 2, 3);  // the third is the member mask
  bool negated = false;
  decoded.operand[0] = source.has(Modifier::Ballot) ? operands_.destination(source.operands[0], ScalarType::B32)
                                                    : operands_.predicate_destination(source.operands[0]);
  decoded.operand[1] = operands_.predicate_source(source.operands[1], negated);
  decoded.immediate = negated;
  select({.instruction = source}, decoded);
}

void Decoder::collective(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 1, 5);
  const ScalarType type = source.types.empty() ? ScalarType::B32 : source.types.front();
  const auto* pair = source.operands[0].as<ptx::PairOperand>();
  // match has a mask as its result whatever it compares; the others have results of their type.
  const ScalarType result = source.opcode == Opcode::Match ? ScalarType::B32 : type;
  decoded.operand[0] = operands_.destination(pair ? pair->elements.at(0) : source.operands[0], result);
  decoded.operand[4] = pair ? operands_.predicate_destination(pair->elements.at(1)) : operands_.rows().sink_predicate();
  const bool reads_mask_only = source.opcode == Opcode::Elect || source.opcode == Opcode::Activemask;
  const std::size_t sources = source.opcode == Opcode::Shfl ? 3 : reads_mask_only ? 0 : 1;
  expect_operands(source, 1 + sources, 2 + sources);
  for (std::size_t i = 1; i <= sources; ++i)
    decoded.operand[i] = operands_.source(source.operands[i], i == 1 ? type : ScalarType::B32);
  select({.instruction = source}, decoded);
}

void Decoder::branch(const ptx::Instruction& source, Instruction& decoded) {
  expect_operands(source, 1, 1);
  const auto* label = source.operands[0].as<ptx::LabelOperand>();
  if (!label) operands_.fail("the target must be a label");
  decoded.kind = InstructionKind::Branch;
  decoded.target = label->target;
}

void Decoder::barrier(const ptx::Instruction& source, Instruction& decoded) {
  // Lanes of a split run in step, so there is nothing to wait for within it.
  if (source.has(Modifier::Warp)) return nothing(source, decoded);
  constexpr std::uint64_t kBarriers = 16;
  if (source.has(Modifier::Red) || source.has(Modifier::Arrive) || source.has(Modifier::Cluster)) unsupported(source);
  expect_operands(source, 1, 2);
  decoded.kind = InstructionKind::Barrier;
  const std::uint64_t number = operands_.literal(source.operands[0], "the barrier must be a literal");
  if (number >= kBarriers) operands_.fail(fmt::format("barrier {} where 0 to {} are allowed", number, kBarriers - 1));
  decoded.barrier = static_cast<std::uint8_t>(number);
  if (source.operands.size() < 2) return;
  const std::uint64_t threads = operands_.literal(source.operands[1], "the number of threads must be a literal");
  if (threads == 0 || threads % kMaxWarpSize != 0 || threads > 1024)
    operands_.fail(fmt::format("{} threads where a multiple of {} up to 1024 is allowed", threads, kMaxWarpSize));
  decoded.barrier_threads = static_cast<std::uint32_t>(threads);
}

void Decoder::guard(const ptx::Instruction& source, Instruction& decoded) {
  if (!source.guard) return;
  decoded.guard = static_cast<std::uint16_t>(operands_.rows().place(source.guard->predicate));
  decoded.guard_negated = source.guard->negated;
  decoded.guard_register = static_cast<std::uint16_t>(source.guard->predicate);
}

void Decoder::register_lists(const ptx::Instruction& source, Instruction& decoded) {
  ptx::Instruction unguarded = source;
  unguarded.guard.reset();
  const analysis::RegisterUse use = analysis::registers_of(unguarded);
  if (use.reads.size() > Instruction::kMaxSources || use.writes.size() > Instruction::kMaxDestinations)
    unsupported(source);
  for (const ptx::RegisterId id : use.reads) decoded.sources[decoded.source_count++] = static_cast<std::uint16_t>(id);
  for (const ptx::RegisterId id : use.writes)
    decoded.destinations[decoded.destination_count++] = static_cast<std::uint16_t>(id);
}

void Decoder::decode(const ptx::Instruction& source, Instruction& decoded) {
  operands_.set_instruction(source);
  for (const Modifier modifier : source.modifiers)
    if (!is_understood(modifier)) unsupported(source);
  switch (source.opcode) {
#define OPERATION(opcode, decode, family, integer, f32, f64) \
  case Opcode::opcode:                                       \
    decode(source, decoded);                                 \
    break;
#include "simt/operations.def"
#undef OPERATION
    default:
      unsupported(source);
  }
  decoded.timing = timing_of(source);
  guard(source, decoded);
  register_lists(source, decoded);
}

void Decoder::control_flow(Program& program) const {
  const analysis::ControlFlowGraph graph(function_);
  const analysis::Postdominators postdominators(graph);
  for (Pc pc = 0; pc < program.code.size(); ++pc) {
    Instruction& instruction = program.code[pc];
    instruction.reconvergence = postdominators.reconvergence_pc(pc);
    instruction.ends_block = pc + 1 == graph.blocks()[graph.block_of(pc)].last ||
                             instruction.kind == InstructionKind::Branch || instruction.kind == InstructionKind::Exit;
  }
  program.live_registers = analysis::max_live_registers(function_, graph);
}

/// The digits of a register's name: 12 for %rd12.
std::uint16_t digits_of(const std::string& name) {
  std::uint32_t number = 0;
  for (const char c : name)
    if (c >= '0' && c <= '9') number = number * 10 + static_cast<std::uint32_t>(c - '0');
  return static_cast<std::uint16_t>(number);
}

Program Decoder::run() {
  if (function_.registers.size() >= Instruction::kNoPredicate)
    throw Error("{}: error: kernel '{}' declares {} registers; {} are supported", module_.name, function_.name,
                function_.registers.size(), Instruction::kNoPredicate - 1);
  Program program;
  program.name = function_.name;
  program.function = &function_;
  program.module = &module_;
  program.code.resize(function_.body.size());
  for (Pc pc = 0; pc < program.code.size(); ++pc) decode(function_.body[pc], program.code[pc]);
  control_flow(program);
  for (const ptx::Register& declared : function_.registers)
    program.register_numbers.push_back(digits_of(declared.name));
  operands_.rows().finish(program);
  program.static_shared_bytes = operands_.symbols().static_shared_bytes();
  program.local_bytes = operands_.symbols().local_bytes();
  program.parameter_bytes = static_cast<std::uint32_t>(function_.parameter_bytes());
  return program;
}

}  // namespace

Program decode(const ptx::Module& module, const ptx::Function& function, const DeviceSymbols& device,
               HostInstructionSet set) {
  return Decoder(module, function, device, handler_set(set)).run();
}

}  // namespace warpfork::simt
