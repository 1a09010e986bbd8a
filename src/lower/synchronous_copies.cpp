#include "lower/synchronous_copies.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "analysis/register_use.h"
#include "lower/body_edit.h"
#include "lower/movable.h"

namespace warpfork::lower {

namespace {

using ptx::ImmediateOperand;
using ptx::Modifier;
using ptx::Opcode;
using ptx::RegisterId;
using ptx::RegisterOperand;
using ptx::ScalarType;
using ptx::StateSpace;

constexpr unsigned kWordBytes = 4;

bool has_only(const ptx::Instruction& instruction, std::initializer_list<Modifier> words) {
  return std::ranges::all_of(instruction.modifiers,
                             [&](Modifier word) { return std::ranges::find(words, word) != words.end(); });
}

const ImmediateOperand* literal(const ptx::Instruction& instruction, std::size_t index) {
  return index < instruction.operands.size() ? instruction.operands[index].as<ImmediateOperand>() : nullptr;
}

bool is_copy(const ptx::Instruction& instruction) {
  if (instruction.opcode != Opcode::Cp || instruction.space != StateSpace::Shared) return false;
  const ImmediateOperand* const bytes = literal(instruction, 2);
  return has_only(instruction, {Modifier::Async, Modifier::Ca, Modifier::Cg, Modifier::SharedCta, Modifier::Global,
                                Modifier::L264B, Modifier::L2128B, Modifier::L2256B, Modifier::L2CacheHint}) &&
         instruction.has(Modifier::Async) && instruction.has(Modifier::Global) && bytes != nullptr &&
         (bytes->bits == 4 || bytes->bits == 8 || bytes->bits == 16) &&
         (literal(instruction, 3) == nullptr || literal(instruction, 3)->bits % kWordBytes == 0);
}

bool commits_or_waits(const ptx::Instruction& instruction) {
  return instruction.opcode == Opcode::Cp && instruction.has(Modifier::Async) &&
         has_only(instruction, {Modifier::Async, Modifier::CommitGroup, Modifier::WaitGroup, Modifier::WaitAll});
}

class Copies {
 public:
  explicit Copies(ptx::Function& function) : function_(function), edit_(function) {
    for (const ptx::Instruction& instruction : function.body)
      for (const ptx::Operand& operand : instruction.operands)
        if (const auto* label = operand.as<ptx::LabelOperand>()) labels_.insert(label->target);
  }

  void run() {
    const auto size = static_cast<Pc>(function_.body.size());
    for (Pc pc = 0; pc < size; ++pc) {
      const ptx::Instruction instruction = function_.body[pc];
      if (labels_.contains(pc) || !may_precede_stores(instruction)) store(pc);
      if (is_copy(instruction)) copy(pc, instruction);
      if (is_copy(instruction) || commits_or_waits(instruction)) edit_.remove(pc);
    }
    store(size);
    edit_.apply();
  }

 private:
  bool may_precede_stores(const ptx::Instruction& instruction) const {
    if (is_copy(instruction)) return true;
    return is_pure(instruction) && std::ranges::none_of(analysis::registers_of(instruction).writes,
                                                        [&](RegisterId id) { return kept_.contains(id); });
  }

  /// The stores that wait come behind the instruction before this one.
  void store(Pc pc) {
    for (ptx::Instruction& instruction : stores_) edit_.insert_after(pc - 1, std::move(instruction));
    stores_.clear();
    kept_.clear();
  }

  /// What is left out of the source is zero.
  void copy(Pc pc, const ptx::Instruction& source) {
    pc_ = pc;
    source_ = &source;
    const auto bytes = static_cast<unsigned>(literal(source, 2)->bits);
    const std::size_t operands = source.operands.size() - (source.has(Modifier::L2CacheHint) ? 1 : 0);
    std::vector<RegisterId> words;
    for (unsigned at = 0; at < bytes; at += kWordBytes) words.push_back(fresh("%copied", ScalarType::B32));
    if (operands < 4) {
      load(words, 0, source.guard);
    } else if (const ImmediateOperand* const size = literal(source, 3)) {
      copy_part(words, size->bits);
    } else {
      copy_some(words, source.operands[3]);
    }
    ptx::Instruction instruction = made(Opcode::St, {}, {ScalarType::B32}, {source.operands[0], data(words)});
    instruction.space = StateSpace::Shared;
    instruction.vector_width = static_cast<std::uint8_t>(words.size());
    instruction.guard = source.guard;
    const std::vector<RegisterId> reads = analysis::registers_of(instruction).reads;
    kept_.insert(reads.begin(), reads.end());
    stores_.push_back(std::move(instruction));
  }

  void copy_part(const std::vector<RegisterId>& words, std::uint64_t bytes) {
    const auto whole = std::min<std::size_t>(words.size(), bytes / kWordBytes);
    for (std::size_t i = whole; i < words.size(); ++i) zero(words[i]);
    for (std::size_t i = 0; whole != words.size() && i < whole; ++i) load({words[i]}, i, source_->guard);
    if (whole == words.size()) load(words, 0, source_->guard);
  }

  /// By a register: a size, or a predicate that says that nothing of the source is copied.
  void copy_some(const std::vector<RegisterId>& words, const ptx::Operand& operand) {
    const auto* const given = operand.as<RegisterOperand>();
    const bool ignores = given != nullptr && function_.registers[given->id].type == ScalarType::Pred;
    const auto bytes = static_cast<std::uint64_t>(kWordBytes * words.size());
    ptx::Operand size = operand;
    if (ignores) {
      const RegisterId chosen = fresh("%copies", ScalarType::B32);
      const std::uint64_t if_set = given->negated ? bytes : 0, if_not = given->negated ? 0 : bytes;
      add(made(Opcode::Selp, {}, {ScalarType::B32},
               {RegisterOperand{chosen}, number(if_set), number(if_not), RegisterOperand{given->id}}));
      size = RegisterOperand{chosen};
    }
    for (const RegisterId word : words) zero(word);
    load(words, 0, ptx::Guard{compared(Modifier::Ge, size, bytes, source_->guard), false});
    if (ignores) return;
    if (words.size() > 1) {
      const ptx::Guard is_less{compared(Modifier::Lt, size, bytes, source_->guard), false};
      for (std::size_t i = 0; i + 1 < words.size(); ++i)
        load({words[i]}, i, ptx::Guard{compared(Modifier::Ge, size, kWordBytes * (i + 1), is_less), false});
    }
    refuse_parts_of_words(size);
  }

  void refuse_parts_of_words(const ptx::Operand& size) {
    const RegisterId rest = fresh("%copies", ScalarType::B32);
    add(made(Opcode::And, {}, {ScalarType::B32}, {RegisterOperand{rest}, size, number(kWordBytes - 1)}));
    ptx::Instruction trap = made(Opcode::Trap, {}, {}, {});
    trap.guard = ptx::Guard{compared(Modifier::Gt, RegisterOperand{rest}, 0, source_->guard), false};
    add(std::move(trap));
  }

  /// Whether the value is so, in threads for which the guard holds.
  RegisterId compared(Modifier relation, const ptx::Operand& value, std::uint64_t with,
                      std::optional<ptx::Guard> guard) {
    const RegisterId result = fresh("%copies", ScalarType::Pred);
    ptx::Instruction instruction =
        made(Opcode::Setp, {relation}, {ScalarType::U32}, {RegisterOperand{result}, value, number(with)});
    if (guard) {
      instruction.modifiers.push_back(Modifier::And);
      instruction.operands.push_back(RegisterOperand{guard->predicate, guard->negated});
    }
    add(std::move(instruction));
    return result;
  }

  void zero(RegisterId word) { add(made(Opcode::Mov, {}, {ScalarType::B32}, {RegisterOperand{word}, number(0)})); }

  /// Words of the source from the one of that number on.
  void load(const std::vector<RegisterId>& words, std::size_t first, std::optional<ptx::Guard> guard) {
    ptx::Operand from = source_->operands[1];
    if (auto* const address = std::get_if<ptx::AddressOperand>(&from))
      address->offset += static_cast<std::int64_t>(kWordBytes * first);
    ptx::Instruction instruction = made(Opcode::Ld, {}, {ScalarType::B32}, {data(words), std::move(from)});
    instruction.space = StateSpace::Global;
    instruction.vector_width = static_cast<std::uint8_t>(words.size());
    instruction.guard = guard;
    if (source_->has(Modifier::Cg)) instruction.modifiers.push_back(Modifier::Cg);
    add(std::move(instruction));
  }

  static ptx::Operand data(const std::vector<RegisterId>& words) {
    if (words.size() == 1) return RegisterOperand{words[0]};
    ptx::VectorOperand vector;
    for (const RegisterId word : words) vector.elements.emplace_back(RegisterOperand{word});
    return vector;
  }

  static ptx::Operand number(std::uint64_t value) { return ImmediateOperand{ImmediateOperand::Kind::Integer, value}; }

  ptx::Instruction made(Opcode opcode, std::vector<Modifier> modifiers, std::vector<ScalarType> types,
                        std::vector<ptx::Operand> operands) const {
    ptx::Instruction instruction;
    instruction.opcode = opcode;
    instruction.modifiers = std::move(modifiers);
    instruction.types = std::move(types);
    instruction.operands = std::move(operands);
    instruction.location = source_->location;
    return instruction;
  }

  void add(ptx::Instruction instruction) { edit_.insert_before(pc_, std::move(instruction)); }

  RegisterId fresh(const std::string& name, ScalarType type) {
    function_.registers.push_back({name + std::to_string(function_.registers.size()), type});
    return static_cast<RegisterId>(function_.registers.size() - 1);
  }

  ptx::Function& function_;
  BodyEdit edit_;
  std::set<Pc> labels_;
  std::vector<ptx::Instruction> stores_;  // of copies whose loads stand already
  std::set<RegisterId> kept_;             // what these read
  Pc pc_ = 0;                             // of the copy that is made now
  const ptx::Instruction* source_ = nullptr;
};

}  // namespace

void make_copies_synchronous(ptx::Function& function) {
  const bool any = std::ranges::any_of(function.body, [](const ptx::Instruction& instruction) {
    return is_copy(instruction) || commits_or_waits(instruction);
  });
  if (any) Copies(function).run();
}

}  // namespace warpfork::lower
