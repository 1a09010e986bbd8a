#include "lower/mbarriers.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "lower/body_edit.h"
#include "lower/expansion.h"
#include "lower/mbarrier_word.h"

namespace warpfork::lower {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::RegisterOperand;
using ptx::ScalarType;

/// What it does, if we know it and all its other words: those of memory order and of convergence change nothing.
std::optional<Modifier> deed(const ptx::Instruction& instruction) {
  if (instruction.opcode == Opcode::Cp && instruction.has(Modifier::Mbarrier) && instruction.has(Modifier::Arrive) &&
      !instruction.has(Modifier::Bulk))
    return Modifier::Mbarrier;
  if (instruction.opcode != Opcode::Mbarrier) return std::nullopt;
  std::optional<Modifier> found;
  for (const Modifier word : instruction.modifiers) {
    switch (word) {
      case Modifier::CompleteTx:
      case Modifier::Init:
      case Modifier::Inval:
      case Modifier::Arrive:
      case Modifier::ArriveDrop:
      case Modifier::TestWait:
      case Modifier::TryWait:
      case Modifier::PendingCount:
        if (found) return std::nullopt;
        found = word;
        break;
      case Modifier::ExpectTx:
      case Modifier::SharedCta:
      case Modifier::Parity:
      case Modifier::NoComplete:
      case Modifier::Release:
      case Modifier::Acquire:
      case Modifier::Relaxed:
      case Modifier::Cta:
      case Modifier::Cluster:
        break;
      default:
        return std::nullopt;  // in another block's memory
    }
  }
  const bool expects = instruction.has(Modifier::ExpectTx);
  if (!found && expects) found = Modifier::ExpectTx;
  if (!found) return std::nullopt;
  const bool arrives = *found == Modifier::Arrive || *found == Modifier::ArriveDrop;
  if (expects && !arrives && found != Modifier::ExpectTx) return std::nullopt;
  return found;
}

class Mbarrier {
 public:
  Mbarrier(ptx::Function& function, BodyEdit& edit, Pc pc) : out_(function, edit, pc) {}

  void write(Modifier deed) {
    switch (deed) {
      case Modifier::Init:
        return init();
      case Modifier::Arrive:
      case Modifier::ArriveDrop:
        return arrive(deed == Modifier::ArriveDrop);
      case Modifier::ExpectTx:
      case Modifier::CompleteTx:
        return transact(deed == Modifier::ExpectTx ? MbarrierWord::kByte : 0 - MbarrierWord::kByte);
      case Modifier::TestWait:
      case Modifier::TryWait:
        return ask();
      case Modifier::PendingCount:
        return count();
      case Modifier::Mbarrier:  // of copies, which are there already: it adds one and takes it off, or takes one off
        if (out_.source.has(Modifier::Noinc)) change(operand(0), times(Expansion::number(1), 0 - MbarrierWord::kOne));
        return;
      default:  // inval
        return;
    }
  }

 private:
  const Operand& operand(std::size_t index) const { return out_.source.operands.at(index); }

  RegisterId computed(Opcode opcode, Operand a, Operand b) {
    const bool multiplies = opcode == Opcode::Mul;
    const ScalarType type = opcode == Opcode::And ? ScalarType::B64 : ScalarType::U64;
    return out_.computed(opcode, multiplies ? ptx::ModifierList{Modifier::Lo} : ptx::ModifierList{}, type, std::move(a),
                         std::move(b));
  }
  RegisterId shifted(Operand value, unsigned by) {
    return computed(Opcode::Shr, std::move(value), Expansion::number(by));
  }

  /// A 32-bit operand in 64 bits.
  Operand wide(const Operand& narrow) {
    if (narrow.as<ptx::ImmediateOperand>() != nullptr) return narrow;
    const RegisterId result = out_.fresh("%part", ScalarType::U64);
    out_.add(out_.made(Opcode::Cvt, {}, {ScalarType::U64, ScalarType::U32}, {RegisterOperand{result}, narrow}));
    return RegisterOperand{result};
  }

  /// An access to the object.
  void access(Opcode opcode, const ptx::ModifierList& modifiers, std::vector<Operand> operands,
              const std::optional<ptx::Guard>& guard) {
    ptx::Instruction instruction = out_.made(opcode, modifiers, {ScalarType::U64}, std::move(operands));
    instruction.space = out_.source.space;
    instruction.guard = guard;
    out_.add(std::move(instruction));
  }

  /// The word of memory order that the instruction has, or what it is without one (PTX ISA, "mbarrier"): who looks for
  /// races asks it.
  Modifier order(Modifier otherwise) const {
    return out_.source.has(Modifier::Relaxed) ? Modifier::Relaxed : otherwise;
  }

  RegisterId times(const Operand& narrow, std::uint64_t factor) {
    return computed(Opcode::Mul, wide(narrow), Expansion::number(factor));
  }
  RegisterId sum(RegisterId a, Operand b) { return computed(Opcode::Add, RegisterOperand{a}, std::move(b)); }

  void init() {
    const RegisterId all = sum(times(operand(1), MbarrierWord::kArrival), Expansion::number(MbarrierWord::kNoBytes));
    access(Opcode::St, {}, {operand(0), RegisterOperand{all}}, out_.source.guard);
  }

  void arrive(bool drops) {
    const bool expects = out_.source.has(Modifier::ExpectTx);
    const Operand arrivals = expects || out_.source.operands.size() < 3 ? Expansion::number(1) : operand(2);
    RegisterId difference = times(arrivals, 0 - (drops ? MbarrierWord::kArrival : MbarrierWord::kOne));
    if (expects) difference = sum(difference, RegisterOperand{times(operand(2), MbarrierWord::kByte)});
    if (operand(0).as<ptx::SinkOperand>() != nullptr) return change(operand(1), difference);
    access(Opcode::Atom, {order(Modifier::Release), Modifier::Mbarrier},
           {operand(0), operand(1), RegisterOperand{difference}}, out_.source.guard);
  }

  void transact(std::uint64_t byte) { change(operand(0), times(operand(1), byte)); }

  void change(const Operand& object, RegisterId difference) {
    access(Opcode::Red, {order(Modifier::Release), Modifier::Mbarrier}, {object, RegisterOperand{difference}},
           out_.source.guard);
  }

  /// Whether the phase of a state, or the last one of a parity, is over.
  void ask() {
    const RegisterId now = out_.fresh("%part", ScalarType::U64);
    access(Opcode::Ld, {order(Modifier::Acquire)}, {RegisterOperand{now}, operand(1)}, out_.source.guard);
    RegisterId phase = shifted(RegisterOperand{now}, MbarrierWord::kPhaseShift);
    Operand then;
    if (out_.source.has(Modifier::Parity)) {
      phase = computed(Opcode::And, RegisterOperand{phase}, Expansion::number(1));
      then = wide(operand(2));
    } else {
      then = RegisterOperand{shifted(operand(2), MbarrierWord::kPhaseShift)};
    }
    out_.add_guarded(out_.made(Opcode::Setp, {Modifier::Ne}, {ScalarType::U64},
                               {operand(0), RegisterOperand{phase}, std::move(then)}));
  }

  void count() {
    const RegisterId missing = computed(Opcode::And, operand(1), Expansion::number(MbarrierWord::kCount));
    out_.add_guarded(
        out_.made(Opcode::Cvt, {}, {ScalarType::U32, ScalarType::U64}, {operand(0), RegisterOperand{missing}}));
  }

  Expansion out_;
};

}  // namespace

void spell_out_mbarriers(ptx::Function& function) {
  if (std::ranges::none_of(function.body,
                           [](const ptx::Instruction& instruction) { return deed(instruction).has_value(); }))
    return;
  BodyEdit edit(function);
  const auto size = static_cast<Pc>(function.body.size());
  for (Pc pc = 0; pc < size; ++pc)
    if (const std::optional<Modifier> what = deed(function.body[pc])) {
      Mbarrier(function, edit, pc).write(*what);
      edit.remove(pc);
    }
  edit.apply();
}

}  // namespace warpfork::lower
