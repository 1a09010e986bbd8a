#include "lower/narrowing.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "analysis/register_use.h"

namespace warpfork::lower {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::RegisterId;
using ptx::ScalarType;
using ptx::StateSpace;

namespace {

bool is_wide(ScalarType type) { return type == ScalarType::B64 || type == ScalarType::S64 || type == ScalarType::U64; }

bool is_integer(ScalarType type) { return !ptx::is_float(type) && type != ScalarType::Pred; }

ScalarType half_of(ScalarType type) {
  switch (type) {
    case ScalarType::B64:
      return ScalarType::B32;
    case ScalarType::S64:
      return ScalarType::S32;
    case ScalarType::U64:
      return ScalarType::U32;
    default:
      return type;
  }
}

/// What an instruction makes of 64-bit registers.
enum class Form : std::uint8_t {
  Other,     // their high halves matter
  Together,  // low halves of the operands give that of the result: all are narrow, or none is
  Product,   // widening multiplication: a 64-bit addend and the result go together
  Cast,      // between integers of two widths
  Access,    // addresses, and data
};

Form form_of(const Instruction& instruction) {
  const bool plain = std::ranges::all_of(instruction.operands, [](const ptx::Operand& operand) {
    return operand.as<ptx::RegisterOperand>() || operand.as<ptx::ImmediateOperand>() ||
           operand.as<ptx::SymbolOperand>();
  });
  const auto only = [&](Modifier allowed) {
    return plain && std::ranges::all_of(instruction.modifiers, [=](Modifier given) { return given == allowed; });
  };
  const auto& types = instruction.types;
  switch (instruction.opcode) {
    case Opcode::Ld:
    case Opcode::St:
    case Opcode::Atom:
    case Opcode::Red:
      return Form::Access;
    case Opcode::Cvt:
      return plain && instruction.modifiers.empty() && types.size() == 2 && std::ranges::all_of(types, is_integer)
                 ? Form::Cast
                 : Form::Other;
    case Opcode::Mul:
    case Opcode::Mad:
      if (only(Modifier::Wide) && ptx::bits_of(types[0]) == 32) return Form::Product;
      return only(Modifier::Lo) && is_wide(types[0]) ? Form::Together : Form::Other;
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Neg:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Not:
    case Opcode::Shl:
    case Opcode::Mov:
    case Opcode::Selp:
      return plain && instruction.modifiers.empty() && is_wide(types[0]) ? Form::Together : Form::Other;
    default:
      return Form::Other;
  }
}

bool is_narrow_space(StateSpace space) { return space == StateSpace::Shared || space == StateSpace::Local; }

/// Registers in groups that are narrow or wide together.
class WidthGroups {
 public:
  explicit WidthGroups(const ptx::Function& function) : function_(function), leader_(function.registers.size()) {
    std::iota(leader_.begin(), leader_.end(), RegisterId{0});
    for (const ptx::Register& reg : function.registers) stays_.push_back(!is_wide(reg.type));
    const analysis::RegisterUses uses(function);
    for (Pc pc = 0; pc < function.body.size(); ++pc) note(function.body[pc], uses[pc]);
  }

  bool is_narrowed(RegisterId id) { return is_wide(function_.registers[id].type) && !stays_[leader_of(id)]; }

 private:
  void note(const Instruction& instruction, const analysis::RegisterUses::Use& use) {
    std::vector<RegisterId> mentioned;
    for (const std::span<const RegisterId> list : {use.writes, use.reads})
      std::ranges::copy_if(list, std::back_inserter(mentioned),
                           [&](RegisterId id) { return ptx::bits_of(function_.registers[id].type) == 64; });
    if (mentioned.empty()) return;
    switch (form_of(instruction)) {
      case Form::Other:
        return keep_all(mentioned);
      case Form::Together:
      case Form::Product:
        for (const RegisterId id : mentioned) join(mentioned[0], id);
        return;
      case Form::Cast:
        return note_cast(instruction, mentioned);
      case Form::Access:
        return note_access(instruction, mentioned);
    }
  }

  /// A cast between two 64-bit registers, or to a narrower type in one, is not worth its case.
  void note_cast(const Instruction& instruction, const std::vector<RegisterId>& mentioned) {
    const bool same_width = is_wide(instruction.types[0]) == is_wide(instruction.types[1]);
    if (same_width || mentioned.size() > 1) keep_all(mentioned);
  }

  void note_access(const Instruction& instruction, const std::vector<RegisterId>& mentioned) {
    const auto is_base = [&](RegisterId id) {
      return std::ranges::any_of(instruction.operands, [&](const ptx::Operand& operand) {
        const auto* address = operand.as<ptx::AddressOperand>();
        const auto* base = address ? std::get_if<RegisterId>(&address->base) : nullptr;
        return base && *base == id;
      });
    };
    const bool moves_words = (instruction.opcode == Opcode::Ld || instruction.opcode == Opcode::St) &&
                             is_integer(instruction.types[0]) && ptx::bits_of(instruction.types[0]) <= 32;
    for (const RegisterId id : mentioned) {
      const bool is_address = is_base(id);
      const bool is_data = !is_address || std::ranges::count(mentioned, id) > 1;
      if ((is_address && !is_narrow_space(instruction.space)) || (is_data && !moves_words)) keep(id);
    }
    for (const ptx::Operand& operand : instruction.operands) note_vector(operand);
  }

  /// Registers of a vector are of one width.
  void note_vector(const ptx::Operand& operand) {
    const auto* const vector = operand.as<ptx::VectorOperand>();
    if (vector == nullptr) return;
    const ptx::RegisterOperand* first = nullptr;
    for (const ptx::Operand& element : vector->elements) {
      const auto* const reg = element.as<ptx::RegisterOperand>();
      if (reg != nullptr && first != nullptr) join(first->id, reg->id);
      if (first == nullptr) first = reg;
    }
  }

  RegisterId leader_of(RegisterId id) {
    while (leader_[id] != id) id = leader_[id] = leader_[leader_[id]];
    return id;
  }
  void keep_all(const std::vector<RegisterId>& list) {
    for (const RegisterId id : list) keep(id);
  }
  void keep(RegisterId id) { stays_[leader_of(id)] = true; }
  void join(RegisterId a, RegisterId b) {
    a = leader_of(a), b = leader_of(b);
    leader_[b] = a;
    if (stays_[b]) stays_[a] = true;
  }

  const ptx::Function& function_;
  std::vector<RegisterId> leader_;
  std::vector<bool> stays_;  // by leader; what is no integer of 64 bits stays as it is
};

/// The same in 32 bits.
void narrow(Instruction& instruction) {
  switch (form_of(instruction)) {
    case Form::Product:
      instruction.modifiers = {Modifier::Lo};
      return;
    case Form::Together:
      instruction.types[0] = half_of(instruction.types[0]);
      for (ptx::Operand& operand : instruction.operands)
        if (auto* literal = std::get_if<ptx::ImmediateOperand>(&operand))
          literal->bits = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(literal->bits)});
      return;
    case Form::Cast:
      std::ranges::transform(instruction.types, instruction.types.begin(), half_of);
      if (ptx::bits_of(instruction.types[0]) != ptx::bits_of(instruction.types[1])) return;
      instruction.opcode = Opcode::Mov;
      instruction.types = {ScalarType::B32};
      return;
    default:
      return;
  }
}

}  // namespace

void narrow_registers(ptx::Function& function) {
  WidthGroups groups(function);
  std::vector<bool> narrowed;
  for (RegisterId id = 0; id < function.registers.size(); ++id) narrowed.push_back(groups.is_narrowed(id));
  for (Instruction& instruction : function.body) {
    const analysis::RegisterUse use = analysis::registers_of(instruction);
    const auto is_narrowed = [&](RegisterId id) { return narrowed[id]; };
    if (std::ranges::any_of(use.writes, is_narrowed) || std::ranges::any_of(use.reads, is_narrowed))
      narrow(instruction);
  }
  for (RegisterId id = 0; id < narrowed.size(); ++id)
    if (narrowed[id]) function.registers[id].type = half_of(function.registers[id].type);
}

}  // namespace warpfork::lower
