#include "lower/synchronous_copies.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/movable.h"
#include "analysis/register_use.h"
#include "lower/body_edit.h"
#include "lower/expansion.h"

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
         (bytes->bits == 4 || bytes->bits == 8 || bytes->bits == 16);
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
      const ptx::Instruction& instruction = function_.body[pc];
      if (labels_.contains(pc) || !may_precede_stores(instruction)) store(pc);
      if (is_copy(instruction)) copy(pc);
      if (is_copy(instruction) || commits_or_waits(instruction)) edit_.remove(pc);
    }
    store(size);
    edit_.apply();
  }

 private:
  bool may_precede_stores(const ptx::Instruction& instruction) const {
    if (is_copy(instruction)) return true;
    return analysis::is_pure(instruction) && std::ranges::none_of(analysis::registers_of(instruction).writes,
                                                                  [&](RegisterId id) { return kept_.contains(id); });
  }

  /// The stores that wait come behind the instruction before this one.
  void store(Pc pc) {
    for (ptx::Instruction& instruction : stores_) edit_.insert_after(pc - 1, std::move(instruction));
    stores_.clear();
    kept_.clear();
  }

  /// What is left out of the source is zero.
  void copy(Pc pc) {
    Expansion out(function_, edit_, pc);
    const auto bytes = static_cast<unsigned>(literal(out.source, 2)->bits);
    const std::size_t operands = out.source.operands.size() - (out.source.has(Modifier::L2CacheHint) ? 1 : 0);
    std::vector<RegisterId> words;
    for (unsigned at = 0; at < bytes; at += kWordBytes) words.push_back(out.fresh("%copied", ScalarType::B32));
    if (operands < 4) {
      load(out, words, 0, out.source.guard);
    } else if (const ImmediateOperand* const size = literal(out.source, 3)) {
      copy_part(out, words, size->bits);
    } else {
      copy_some(out, words);
    }
    ptx::Instruction store = out.made(Opcode::St, {}, {ScalarType::B32}, {out.source.operands[0], data(words)});
    store.space = StateSpace::Shared;
    store.vector_width = static_cast<std::uint8_t>(words.size());
    store.guard = out.source.guard;
    const std::vector<RegisterId> reads = analysis::registers_of(store).reads;
    kept_.insert(reads.begin(), reads.end());
    stores_.push_back(std::move(store));
  }

  static void copy_part(Expansion& out, const std::vector<RegisterId>& words, std::uint64_t bytes) {
    const auto whole = std::min<std::size_t>(words.size(), bytes / kWordBytes);
    for (std::size_t i = whole; i < words.size(); ++i) zero(out, words[i]);
    for (std::size_t i = 0; whole != words.size() && i < whole; ++i) load(out, {words[i]}, i, out.source.guard);
    if (whole == words.size()) return load(out, words, 0, out.source.guard);
    if (bytes % kWordBytes != 0) load_bytes(out, words[whole], whole, bytes % kWordBytes);
  }

  /// One, two or three of a word.
  static void load_bytes(Expansion& out, RegisterId word, std::size_t number, std::uint64_t bytes) {
    const std::size_t begin = kWordBytes * number;
    load_at(out, {word}, bytes == 1 ? ScalarType::U8 : ScalarType::U16, begin, out.source.guard);
    if (bytes != 3) return;
    const RegisterId third = out.fresh("%part", ScalarType::B32);
    zero(out, third);
    load_at(out, {third}, ScalarType::U8, begin + 2, out.source.guard);
    const RegisterId above =
        out.computed(Opcode::Shl, {}, ScalarType::B32, RegisterOperand{third}, Expansion::number(16));
    out.add_guarded(out.made(Opcode::Or, {}, {ScalarType::B32},
                             {RegisterOperand{word}, RegisterOperand{word}, RegisterOperand{above}}));
  }

  /// By a register: a size, or a predicate that says that nothing of the source is copied.
  void copy_some(Expansion& out, const std::vector<RegisterId>& words) const {
    ptx::Operand size = out.source.operands[3];
    const auto* const given = size.as<RegisterOperand>();
    const bool ignores = given != nullptr && function_.registers[given->id].type == ScalarType::Pred;
    const std::uint64_t bytes = kWordBytes * words.size();
    const std::optional<ptx::Guard>& guard = out.source.guard;
    const auto holds = [&](Modifier relation, std::uint64_t limit, const std::optional<ptx::Guard>& where) {
      return ptx::Guard{out.compared(relation, ScalarType::U32, size, Expansion::number(limit), where), false};
    };
    if (ignores) {
      const RegisterId chosen = out.fresh("%part", ScalarType::B32);
      const std::uint64_t if_set = given->negated ? bytes : 0, if_not = given->negated ? 0 : bytes;
      out.add(out.made(
          Opcode::Selp, {}, {ScalarType::B32},
          {RegisterOperand{chosen}, Expansion::number(if_set), Expansion::number(if_not), RegisterOperand{given->id}}));
      size = RegisterOperand{chosen};
    }
    for (const RegisterId word : words) zero(out, word);
    load(out, words, 0, holds(Modifier::Ge, bytes, guard));
    if (ignores) return;
    if (words.size() > 1) {
      const ptx::Guard is_less = holds(Modifier::Lt, bytes, guard);
      for (std::size_t i = 0; i + 1 < words.size(); ++i)
        load(out, {words[i]}, i, holds(Modifier::Ge, kWordBytes * (i + 1), is_less));
    }
    const RegisterId rest = out.computed(Opcode::And, {}, ScalarType::B32, size, Expansion::number(kWordBytes - 1));
    ptx::Instruction trap = out.made(Opcode::Trap, {Modifier::Async}, {}, {});  // not the program's
    trap.guard = ptx::Guard{
        out.compared(Modifier::Gt, ScalarType::U32, RegisterOperand{rest}, Expansion::number(0), guard), false};
    out.add(std::move(trap));
  }

  static void zero(Expansion& out, RegisterId word) {
    out.add(out.made(Opcode::Mov, {}, {ScalarType::B32}, {RegisterOperand{word}, Expansion::number(0)}));
  }

  /// Words of the source from the one of that number on.
  static void load(Expansion& out, const std::vector<RegisterId>& words, std::size_t first,
                   const std::optional<ptx::Guard>& guard) {
    load_at(out, words, ScalarType::B32, kWordBytes * first, guard);
  }

  static void load_at(Expansion& out, const std::vector<RegisterId>& words, ScalarType type, std::size_t offset,
                      const std::optional<ptx::Guard>& guard) {
    ptx::Operand from = out.source.operands[1];
    if (auto* const address = std::get_if<ptx::AddressOperand>(&from))
      address->offset += static_cast<std::int64_t>(offset);
    ptx::Instruction instruction = out.made(Opcode::Ld, {}, {type}, {data(words), std::move(from)});
    instruction.space = StateSpace::Global;
    instruction.vector_width = static_cast<std::uint8_t>(words.size());
    instruction.guard = guard;
    if (out.source.has(Modifier::Cg)) instruction.modifiers.push_back(Modifier::Cg);
    out.add(std::move(instruction));
  }

  static ptx::Operand data(const std::vector<RegisterId>& words) {
    if (words.size() == 1) return RegisterOperand{words[0]};
    ptx::VectorOperand vector;
    for (const RegisterId word : words) vector.elements.emplace_back(RegisterOperand{word});
    return vector;
  }

  ptx::Function& function_;
  BodyEdit edit_;
  std::set<Pc> labels_;
  std::vector<ptx::Instruction> stores_;  // of copies whose loads stand already
  std::set<RegisterId> kept_;             // what these read
};

}  // namespace

void make_copies_synchronous(ptx::Function& function) {
  const bool any = std::ranges::any_of(function.body, [](const ptx::Instruction& instruction) {
    return is_copy(instruction) || commits_or_waits(instruction);
  });
  if (any) Copies(function).run();
}

}  // namespace warpfork::lower
