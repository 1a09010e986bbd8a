#include "reference/execute.h"

#include "base/error.h"
#include "ptx/signature.h"
#include "reference/float_operands.h"

namespace warpfork::reference {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

/// A cluster is one block.
void wait_for_cluster(Thread& thread) {
  if (!thread.instruction().has(Modifier::Wait)) thread.reject("this form of barrier is not supported");
  thread.barrier = Thread::kClusterBarrier;
  thread.barrier_threads = 0;
  thread.state = Thread::State::AtBarrier;
}

/// bar, barrier: the operands a {, b}, which stand behind the result of a reduction. The block does the rest.
void come_to_barrier(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  if (instruction.has(Modifier::Cluster)) return wait_for_cluster(thread);
  const bool reduces = instruction.has(Modifier::Red), arrives = instruction.has(Modifier::Arrive);
  const std::size_t first = reduces ? 1 : 0;
  const bool counted = instruction.operands.size() > (reduces ? 3u : 1u);
  if (arrives && !counted) thread.reject("bar.arrive without a number of threads");
  const std::uint64_t number = thread.read(first, ScalarType::U32);
  const std::uint64_t threads = counted ? thread.read(first + 1, ScalarType::U32) : 0;
  const std::uint64_t block = thread.block().block.count();
  if (number > 15) thread.reject("there is no such barrier");
  if (counted && (threads == 0 || threads % 32 != 0 || threads >= block + 32))
    thread.reject("a barrier cannot wait for so many threads");
  thread.barrier = static_cast<unsigned>(number);
  thread.barrier_threads = threads >= block ? 0 : static_cast<unsigned>(threads);
  thread.state = Thread::State::AtBarrier;
}

void branch(Thread& thread) {
  const auto* label = thread.operand(0).as<ptx::LabelOperand>();
  if (label == nullptr) thread.reject("the operand is no label");
  thread.jump(label->target);
}

/// brx.idx: to the label of that index in a `.branchtargets` table.
void branch_indexed(Thread& thread) {
  const auto* name = thread.operand(1).as<ptx::SymbolOperand>();
  const auto table = thread.function().branch_targets.find(name != nullptr ? name->name : "");
  if (table == thread.function().branch_targets.end()) thread.reject("the operand is no table of branch targets");
  const std::uint64_t index = thread.read(0, ScalarType::U32);
  if (index >= table->second.size()) thread.reject("the index is beyond the table of branch targets");
  thread.jump(table->second[index].target);
}

/// All are read before one is written.
void move_elements(Thread& thread) {
  const ptx::ScalarType type = thread.instruction().types.at(0);
  std::vector<std::uint64_t> values;
  for (const ptx::Operand& element : thread.elements(1)) values.push_back(thread.read(element, type));
  for (std::size_t i = 0; i < values.size(); ++i) thread.write(thread.elements(0)[i], values[i], type);
}

void arithmetic(Thread& thread) {
  return float_type(thread.instruction().types.at(0)) ? execute_floating(thread) : execute_integer(thread);
}

}  // namespace

void execute(Thread& thread) {
  const Instruction& instruction = thread.instruction();
  switch (instruction.opcode) {
    case Opcode::Bra:
      return branch(thread);
    case Opcode::Brx:
      return branch_indexed(thread);
    case Opcode::Call:
      return thread.call();
    case Opcode::Ret:
      return thread.leave();
    case Opcode::Exit:
      thread.state = Thread::State::Exited;
      return;
    case Opcode::Trap:
      thread.reject("trap");
    case Opcode::Bar:
    case Opcode::Barrier:
      if (instruction.has(Modifier::Cluster) && instruction.has(Modifier::Arrive)) break;
      if (!instruction.has(Modifier::Warp)) return come_to_barrier(thread);
      thread.state = Thread::State::AtCollective;
      return;
    case Opcode::Vote:
    case Opcode::Shfl:
    case Opcode::Match:
    case Opcode::Redux:
    case Opcode::Elect:
    case Opcode::Activemask:
    case Opcode::Wmma:
    case Opcode::Mma:
    case Opcode::Ldmatrix:
    case Opcode::Stmatrix:
    case Opcode::Movmatrix:
      thread.state = Thread::State::AtCollective;
      return;
    case Opcode::Membar:
    case Opcode::Fence:
    case Opcode::Prefetch:
    case Opcode::Prefetchu:
    case Opcode::Nanosleep:
      break;
    case Opcode::Mov:
      if (instruction.vector_width > 1)
        move_elements(thread);
      else
        thread.write(0, thread.read(1, instruction.types.at(0)), instruction.types.at(0));
      break;
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Mad:
    case Opcode::Div:
    case Opcode::Abs:
    case Opcode::Neg:
    case Opcode::Min:
    case Opcode::Max:
      arithmetic(thread);
      break;
    case Opcode::Addc:
    case Opcode::Subc:
    case Opcode::Madc:
    case Opcode::Mul24:
    case Opcode::Mad24:
    case Opcode::Sad:
    case Opcode::Rem:
    case Opcode::Dp4a:
    case Opcode::Dp2a:
      execute_integer(thread);
      break;
    case Opcode::Fma:
    case Opcode::Copysign:
      execute_floating(thread);
      break;
    case Opcode::Rcp:
    case Opcode::Sqrt:
    case Opcode::Rsqrt:
    case Opcode::Sin:
    case Opcode::Cos:
    case Opcode::Lg2:
    case Opcode::Ex2:
    case Opcode::Tanh:
      execute_special_function(thread);
      break;
    case Opcode::Testp:
    case Opcode::Set:
    case Opcode::Setp:
    case Opcode::Selp:
    case Opcode::Slct:
      execute_comparison(thread);
      break;
    case Opcode::Cvt:
      execute_conversion(thread);
      break;
    case Opcode::Ld:
    case Opcode::Ldu:
    case Opcode::St:
    case Opcode::Atom:
    case Opcode::Red:
    case Opcode::Cp:
    case Opcode::Mbarrier:
    case Opcode::Cvta:
    case Opcode::Isspacep:
      execute_memory(thread);
      break;
    case Opcode::Tex:
    case Opcode::Tld4:
    case Opcode::Suld:
    case Opcode::Sust:
      execute_image(thread);
      break;
    default:
      if (ptx::is_video(instruction.opcode))
        execute_video(thread);
      else
        execute_bits(thread);
  }
  thread.advance();
}

}  // namespace warpfork::reference
