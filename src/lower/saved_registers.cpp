#include "lower/saved_registers.h"

#include <map>

#include "analysis/liveness.h"
#include "lower/body_edit.h"
#include "lower/expansion.h"
#include "lower/stack_rooms.h"

namespace warpfork::lower {

namespace {

using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::RegisterOperand;
using ptx::ScalarType;

class SavedRegisters {
 public:
  SavedRegisters(const ptx::Function& function, const Recursion& recursion)
      : function_(function), recursion_(recursion), rooms_(rooms_of(function, recursion)) {}

  /// By call, ascending.
  std::vector<std::vector<RegisterId>> find() const {
    const ptx::Function probe = with_calls_as_steps();
    const std::vector<StackRoom> rooms = rooms_of(probe, recursion_);
    const analysis::ControlFlowGraph graph(probe);
    const analysis::Liveness liveness(probe, graph);
    std::map<Pc, unsigned> calls;  // by where the probe restores
    for (unsigned i = 0; i < recursion_.calls.size(); ++i) calls[rooms[Recursion::room_of_call(i)].end + 1] = i;
    std::vector<std::vector<RegisterId>> saved(recursion_.calls.size());
    for (analysis::BlockId block = 0; block < graph.blocks().size(); ++block)
      liveness.for_each_backward(block, [&](Pc pc, const analysis::RegisterSet& live) {
        const auto call = calls.find(pc);
        if (call == calls.end()) return;
        for (const RegisterId id : liveness.uses(pc).writes)
          if (live.contains(id)) saved[call->second].push_back(id);
      });
    return saved;
  }

 private:
  /// The function as each call looks to its caller: it may go on behind the call at once, results and all that is alive
  /// there in its registers; and who comes back restores all registers that could have been written.
  ptx::Function with_calls_as_steps() const {
    ptx::Function probe = function_;
    BodyEdit edit(probe);
    const analysis::RegisterUses uses(function_);
    for (unsigned i = 0; i < recursion_.calls.size(); ++i) {
      const StackRoom& room = rooms_[Recursion::room_of_call(i)];
      Expansion before(probe, edit, room.begin);
      before.add(before.made(Opcode::Mov, {}, {}, {all_of(recursion_.calls[i].results)}));
      ptx::Instruction over = before.made(Opcode::Bra, {}, {}, {ptx::LabelOperand{"over", room.end + 1}});
      over.guard = ptx::Guard{before.fresh("%over", ScalarType::Pred)};
      before.add(std::move(over));
      edit.insert_after(room.end, before.made(Opcode::Mov, {}, {}, {all_of(restorable(i, uses))}));
    }
    edit.apply();
    return probe;
  }

  /// What the copy and the call itself write, other than the results. Whoever branches on from the copy saves likewise.
  std::vector<RegisterId> restorable(unsigned number, const analysis::RegisterUses& uses) const {
    const Recursion::Call& call = recursion_.calls[number];
    analysis::RegisterSet written(function_.registers.size());
    for (const unsigned room : {Recursion::room_of_copy(call.copy), Recursion::room_of_call(number)})
      for (Pc pc = rooms_[room].begin; pc <= rooms_[room].end; ++pc)
        for (const RegisterId id : uses[pc].writes) written.insert(id);
    written.erase(recursion_.stack);
    for (const RegisterId id : call.results) written.erase(id);
    std::vector<RegisterId> all;
    written.for_each([&](RegisterId id) { all.push_back(id); });
    return all;
  }

  static Operand all_of(const std::vector<RegisterId>& registers) {
    ptx::VectorOperand all;
    for (const RegisterId id : registers) all.elements.emplace_back(RegisterOperand{id});
    return all;
  }

  const ptx::Function& function_;
  const Recursion& recursion_;
  std::vector<StackRoom> rooms_;
};

}  // namespace

std::vector<std::vector<RegisterId>> find_saved_registers(const ptx::Function& function, const Recursion& recursion) {
  return SavedRegisters(function, recursion).find();
}

}  // namespace warpfork::lower
