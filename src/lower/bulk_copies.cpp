#include "lower/bulk_copies.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "lower/body_edit.h"
#include "lower/expansion.h"

namespace warpfork::lower {

namespace {

using ptx::AddressOperand;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::RegisterOperand;
using ptx::ScalarType;
using ptx::StateSpace;

/// What a thread copies by one load, and how many loads are under way together.
constexpr unsigned kQuadBytes = 16, kQuadWords = 4, kQuadsAtOnce = 4;
/// The parts that a copy becomes: what stands before its loop, the loop, what comes behind.
constexpr Pc kPartsOfCopy = 3;

bool is_of_bulk(const ptx::Instruction& instruction, std::initializer_list<Modifier> words) {
  return instruction.opcode == Opcode::Cp && instruction.has(Modifier::Async) && instruction.has(Modifier::Bulk) &&
         std::ranges::all_of(instruction.modifiers, [&](Modifier word) {
           return word == Modifier::Async || word == Modifier::Bulk || word == Modifier::L2CacheHint ||
                  std::ranges::find(words, word) != words.end();
         });
}

bool has_operands(const ptx::Instruction& instruction, std::size_t least) {
  const std::vector<Operand>& operands = instruction.operands;
  if (operands.size() < least) return false;
  const auto* const bytes = operands[2].as<ptx::ImmediateOperand>();
  return operands[0].as<AddressOperand>() != nullptr && operands[1].as<AddressOperand>() != nullptr &&
         (bytes != nullptr ? bytes->bits % kQuadBytes == 0 : operands[2].as<RegisterOperand>() != nullptr);
}

bool is_bulk_load(const ptx::Instruction& instruction) {
  return instruction.space == StateSpace::Shared && has_operands(instruction, 4) &&
         is_of_bulk(instruction, {Modifier::SharedCta, Modifier::SharedCluster, Modifier::Global,
                                  Modifier::MbarrierCompleteTxBytes}) &&
         instruction.has(Modifier::Global) && instruction.has(Modifier::MbarrierCompleteTxBytes);
}

bool is_bulk_store(const ptx::Instruction& instruction) {
  return instruction.space == StateSpace::Global && has_operands(instruction, 3) &&
         is_of_bulk(instruction, {Modifier::SharedCta, Modifier::BulkGroup}) && instruction.has(Modifier::SharedCta) &&
         instruction.has(Modifier::BulkGroup);
}

bool is_bulk_copy(const ptx::Instruction& instruction) {
  return is_bulk_load(instruction) || is_bulk_store(instruction);
}

bool copies_nothing(const ptx::Instruction& instruction) {
  const bool commits = instruction.has(Modifier::CommitGroup), waits = instruction.has(Modifier::WaitGroup);
  return (commits && is_of_bulk(instruction, {Modifier::CommitGroup})) ||
         (waits && is_of_bulk(instruction, {Modifier::WaitGroup, Modifier::Read})) ||
         (instruction.has(Modifier::Prefetch) && is_of_bulk(instruction, {Modifier::Prefetch, Modifier::L2}));
}

/// One copy, whose three parts have the places from `pc` on.
class BulkCopy {
 public:
  BulkCopy(ptx::Function& function, BodyEdit& edit, Pc pc)
      : function_(function),
        pc_(pc),
        before_(function, edit, pc),
        loop_(function, edit, pc + 1),
        behind_(function, edit, pc + 2),
        left_(before_.fresh("%left", ScalarType::U32)) {}

  void write() {
    Operand to = start(before_.source.operands[0]);
    const Operand from = start(before_.source.operands[1]);
    const Operand& bytes = before_.source.operands[2];
    copy(before_, left_, ScalarType::U32, bytes);
    require_whole_quads(bytes, to);
    const RegisterId any = left_behind(before_, 0, before_.source.guard);
    branch(before_, ptx::Guard{any, true}, pc_ + 2);
    quads(to, from);
    if (before_.source.has(Modifier::MbarrierCompleteTxBytes)) complete(bytes);
  }

 private:
  static void copy(Expansion& out, RegisterId to, ScalarType type, Operand from) {
    out.add(out.made(Opcode::Mov, {}, {type}, {RegisterOperand{to}, std::move(from)}));
  }

  static void branch(Expansion& out, ptx::Guard guard, Pc target) {
    ptx::Instruction instruction = out.made(Opcode::Bra, {}, {}, {ptx::LabelOperand{"bulk copy", target}});
    instruction.guard = guard;
    out.add(std::move(instruction));
  }

  /// The address in a register of its own, which the loop moves on.
  Operand start(const Operand& given) {
    AddressOperand address = *given.as<AddressOperand>();
    const auto* const base = std::get_if<RegisterId>(&address.base);
    const bool is_narrow = base != nullptr && ptx::bits_of(function_.registers[*base].type) == 32;
    const ScalarType type = is_narrow ? ScalarType::U32 : ScalarType::U64;
    const RegisterId moving = before_.fresh("%moving", type);
    if (base != nullptr)
      copy(before_, moving, type, RegisterOperand{*base});
    else if (const auto* const symbol = std::get_if<ptx::SymbolOperand>(&address.base))
      copy(before_, moving, type, *symbol);
    else
      copy(before_, moving, type, Expansion::number(std::get<std::uint64_t>(address.base)));
    address.base = moving;
    return address;
  }

  /// Sets the bits of an address that a size in a register has beyond whole quads, so that the first access is
  /// misaligned. A trap would do, but where a thread may leave, others do not wait for it behind the branch to here.
  void require_whole_quads(const Operand& bytes, Operand& to) {
    if (bytes.as<RegisterOperand>() == nullptr) return;
    AddressOperand address = *to.as<AddressOperand>();
    const RegisterOperand moving{std::get<RegisterId>(address.base)};
    RegisterOperand rest{before_.computed(Opcode::And, {}, ScalarType::B32, bytes, Expansion::number(kQuadBytes - 1))};
    const ScalarType type = function_.registers[moving.id].type;
    if (type == ScalarType::U64) {
      const RegisterOperand wide{before_.fresh("%part", type)};
      before_.add(before_.made(Opcode::Cvt, {}, {type, ScalarType::U32}, {wide, rest}));
      rest = wide;
    }
    if (address.offset != 0) {  // which could make up for a bit that the register has, too
      const Operand offset = Expansion::number(static_cast<std::uint64_t>(address.offset));
      before_.add(before_.made(Opcode::Add, {}, {type}, {moving, moving, offset}));
    }
    const ScalarType bits = type == ScalarType::U64 ? ScalarType::B64 : ScalarType::B32;
    before_.add(before_.made(Opcode::Or, {}, {bits}, {moving, moving, rest}));
    address.offset = 0;
    to = address;
  }

  /// Whether more than so many bytes are left.
  RegisterId left_behind(Expansion& out, std::uint64_t bytes, const std::optional<ptx::Guard>& guard) const {
    return out.compared(Modifier::Gt, ScalarType::U32, RegisterOperand{left_}, Expansion::number(bytes), guard);
  }

  void quads(const Operand& to, const Operand& from) {
    std::vector<ptx::Instruction> stores;
    for (unsigned quad = 0; quad < kQuadsAtOnce; ++quad) {
      ptx::VectorOperand words;
      for (unsigned word = 0; word < kQuadWords; ++word)
        words.elements.emplace_back(RegisterOperand{loop_.fresh("%copied", ScalarType::B32)});
      std::optional<ptx::Guard> guard;
      if (quad > 0) guard = ptx::Guard{left_behind(loop_, quad * kQuadBytes, {}), false};
      const bool is_load = before_.source.space == StateSpace::Shared;
      loop_.add(access(Opcode::Ld, is_load ? StateSpace::Global : StateSpace::Shared, {words, at(from, quad)}, guard));
      stores.push_back(access(Opcode::St, before_.source.space, {at(to, quad), words}, guard));
    }
    for (ptx::Instruction& store : stores) loop_.add(std::move(store));
    for (const Operand* address : {&to, &from}) {
      const RegisterId moving = std::get<RegisterId>(address->as<AddressOperand>()->base);
      add(moving, function_.registers[moving].type, kQuadsAtOnce * kQuadBytes);
    }
    const RegisterId more = left_behind(loop_, kQuadsAtOnce * kQuadBytes, {});
    add(left_, ScalarType::U32, 0 - std::uint64_t{kQuadsAtOnce * kQuadBytes});
    branch(loop_, ptx::Guard{more, false}, pc_ + 1);
  }

  ptx::Instruction access(Opcode opcode, StateSpace space, std::vector<Operand> operands,
                          const std::optional<ptx::Guard>& guard) const {
    ptx::Instruction instruction = loop_.made(opcode, {}, {ScalarType::B32}, std::move(operands));
    instruction.space = space;
    instruction.vector_width = kQuadWords;
    instruction.guard = guard;
    return instruction;
  }

  static Operand at(const Operand& start, unsigned quad) {
    AddressOperand address = *start.as<AddressOperand>();
    address.offset += quad * kQuadBytes;
    return address;
  }

  void add(RegisterId to, ScalarType type, std::uint64_t number) {
    loop_.add(
        loop_.made(Opcode::Add, {}, {type}, {RegisterOperand{to}, RegisterOperand{to}, Expansion::number(number)}));
  }

  void complete(const Operand& bytes) {
    ptx::Instruction instruction =
        behind_.made(Opcode::Mbarrier, {Modifier::CompleteTx}, {ScalarType::B64}, {before_.source.operands[3], bytes});
    instruction.space = StateSpace::Shared;
    instruction.guard = before_.source.guard;
    behind_.add(std::move(instruction));
  }

  ptx::Function& function_;
  Pc pc_;
  Expansion before_, loop_, behind_;
  RegisterId left_;  // bytes
};

/// Gives each copy the places of its parts.
void make_room(ptx::Function& function) {
  BodyEdit edit(function);
  for (Pc pc = 0; pc < function.body.size(); ++pc)
    if (is_bulk_copy(function.body[pc]))
      for (Pc part = 1; part < kPartsOfCopy; ++part) edit.insert_after(pc, function.body[pc]);
  if (!edit.empty()) edit.apply();
}

}  // namespace

void spell_out_bulk_copies(ptx::Function& function) {
  if (std::ranges::none_of(function.body, [](const ptx::Instruction& instruction) {
        return is_bulk_copy(instruction) || copies_nothing(instruction);
      }))
    return;
  make_room(function);
  BodyEdit edit(function);
  const auto size = static_cast<Pc>(function.body.size());
  for (Pc pc = 0; pc < size; ++pc) {
    if (copies_nothing(function.body[pc])) edit.remove(pc);
    if (!is_bulk_copy(function.body[pc])) continue;
    BulkCopy(function, edit, pc).write();
    for (Pc part = 0; part < kPartsOfCopy; ++part) edit.remove(pc + part);
    pc += kPartsOfCopy - 1;
  }
  edit.apply();
}

}  // namespace warpfork::lower
