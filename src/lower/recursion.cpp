#include "lower/recursion.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "analysis/register_set.h"
#include "base/aligned.h"
#include "lower/activation_frames.h"
#include "lower/body_edit.h"
#include "lower/direct_passing.h"
#include "lower/expansion.h"
#include "lower/saved_registers.h"
#include "lower/stack_rooms.h"
#include "lower/stack_variable.h"
#include "lower/untyped.h"

namespace warpfork::lower {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::RegisterOperand;
using ptx::ScalarType;
using ptx::StateSpace;

/// Branches at the copies' ends, each behind the comparison that leads to it, and with the number of the branch to the
/// copy. What is written only for those where there are none is left out.
void link_returns(ptx::Function& function, const Recursion& recursion, const ActivationFrames& frames, BodyEdit& edit) {
  const std::vector<StackRoom> rooms = rooms_of(function, recursion);
  for (unsigned i = 0; i < recursion.calls.size(); ++i) {
    const Recursion::Call& call = recursion.calls[i];
    const Pc end = rooms[Recursion::room_of_copy(call.copy)].end;
    Pc behind = rooms[Recursion::room_of_call(i)].begin;
    while (function.body[behind++].opcode != Opcode::Bra) continue;
    function.body[behind - 1].call = i + 1;
    Expansion at_end(function, edit, end);
    const RegisterId is_it = at_end.fresh("%returns", ScalarType::Pred);
    edit.insert_after(end,
                      at_end.made(Opcode::Setp, {Modifier::Eq}, {ScalarType::U32},
                                  {RegisterOperand{is_it}, RegisterOperand{recursion.copies[call.copy].return_number},
                                   Expansion::number(call.number)}));
    ptx::Instruction back = at_end.made(Opcode::Bra, {}, {}, {ptx::LabelOperand{"behind call", behind}});
    back.guard = ptx::Guard{is_it};
    back.call = i + 1;
    edit.insert_after(end, std::move(back));
  }
  analysis::RegisterSet idle(function.registers.size());
  for (unsigned i = 0; i < recursion.copies.size(); ++i) {
    if (recursion.copies[i].calls == 0) idle.insert(recursion.copies[i].return_number);
    if (frames.bytes(i) == 0) idle.insert(recursion.copies[i].frame);
  }
  for (Pc pc = 0; pc < function.body.size(); ++pc) {
    const auto* to = result_of(function.body[pc]);
    if (to != nullptr && idle.contains(to->id)) edit.remove(pc);
  }
}

/// Stores before a call's room and loads behind it.
class CallRoom {
 public:
  CallRoom(ptx::Function& function, BodyEdit& edit, const StackRoom& room, RegisterId stack)
      : function_(function), edit_(edit), room_(room), stack_(stack), made_(function, edit, room.begin) {}

  /// Large ones first, so that each is aligned.
  void save(std::vector<RegisterId> registers) {
    std::ranges::stable_sort(registers, std::greater<>(), [&](RegisterId id) { return bytes_of(id); });
    for (const RegisterId id : registers) save(id);
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  bool is_predicate(RegisterId id) const { return function_.registers[id].type == ScalarType::Pred; }
  unsigned bytes_of(RegisterId id) const { return is_predicate(id) ? 4 : ptx::bytes_of(function_.registers[id].type); }

  void save(RegisterId id) {
    if (!is_predicate(id)) return keep(id, id);
    const RegisterId word = made_.fresh("%saved", ScalarType::B32);
    made_.add(made_.made(Opcode::Selp, {}, {ScalarType::B32},
                         {RegisterOperand{word}, Expansion::number(1), Expansion::number(0), RegisterOperand{id}}));
    keep(word, id);
    edit_.insert_after(room_.end, made_.made(Opcode::Setp, {Modifier::Ne}, {ScalarType::U32},
                                             {RegisterOperand{id}, RegisterOperand{word}, Expansion::number(0)}));
  }

  /// At the next place, which has the saved register's size.
  void keep(RegisterId value, RegisterId saved) {
    const ptx::AddressOperand place{stack_, static_cast<std::int64_t>(bytes_)};
    const ScalarType type = untyped(bytes_of(value));
    made_.add(access(Opcode::St, {place, RegisterOperand{value}}, type));
    edit_.insert_after(room_.end, access(Opcode::Ld, {RegisterOperand{value}, place}, type));
    bytes_ += bytes_of(saved);
  }

  ptx::Instruction access(Opcode opcode, std::vector<Operand> operands, ScalarType type) const {
    ptx::Instruction instruction = made_.made(opcode, {}, {type}, std::move(operands));
    instruction.space = StateSpace::Local;
    return instruction;
  }

  ptx::Function& function_;
  BodyEdit& edit_;
  StackRoom room_;
  RegisterId stack_;
  Expansion made_;
  std::uint64_t bytes_ = 0;
};

/// Puts a room's size where its number is; nobody moves the stack by nothing.
void set_size(ptx::Function& function, BodyEdit& edit, const StackRoom& room, std::uint64_t bytes) {
  for (const Pc pc : {room.begin, room.end}) {
    function.body[pc].operands[2] = Expansion::number(bytes);
    if (bytes == 0) edit.remove(pc);
  }
}

}  // namespace

void lay_out_stack(ptx::Function& function, Recursion recursion, std::uint32_t stack_bytes) {
  if (recursion.copies.empty()) return;
  pass_directly(function, recursion);
  ActivationFrames frames(function, recursion);
  BodyEdit linked(function);
  frames.rewrite(linked);
  link_returns(function, recursion, frames, linked);
  linked.apply();

  const std::vector<std::vector<RegisterId>> saved = find_saved_registers(function, recursion);
  const std::vector<StackRoom> rooms = rooms_of(function, recursion);
  BodyEdit edit(function);
  std::uint64_t used = 0;
  const auto take = [&](unsigned room, std::uint64_t bytes) {
    used += bytes;
    set_size(function, edit, rooms[room], aligned(bytes, frames.alignment()));
  };
  for (unsigned i = 0; i < recursion.copies.size(); ++i) take(Recursion::room_of_copy(i), frames.bytes(i));
  for (unsigned i = 0; i < recursion.calls.size(); ++i) {
    CallRoom call(function, edit, rooms[Recursion::room_of_call(i)], recursion.stack);
    call.save(saved[i]);
    take(Recursion::room_of_call(i), call.bytes());
  }
  if (used != 0) add_stack_variable(function, edit, recursion.stack, frames.alignment(), stack_bytes);
  edit.apply();
}

}  // namespace warpfork::lower
