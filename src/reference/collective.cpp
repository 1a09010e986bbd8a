// PTX ISA, "Parallel Synchronization and Communication Instructions" within a warp: vote, shfl, match, redux,
// activemask, bar.warp.sync.
#include <algorithm>
#include <functional>
#include <map>

#include "reference/execute.h"
#include "reference/float_extreme.h"
#include "reference/float_operands.h"

namespace warpfork::reference {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;
using Threads = std::vector<Thread*>;

std::uint32_t lanes_where(const Threads& threads, const std::function<bool(const Thread&)>& holds) {
  std::uint32_t mask = 0;
  for (const Thread* thread : threads)
    if (holds(*thread)) mask |= std::uint32_t{1} << thread->lane();
  return mask;
}

void vote(const Threads& threads, const Instruction& instruction) {
  const std::uint32_t all = lanes_where(threads, [](const Thread&) { return true; });
  const std::uint32_t yes = lanes_where(threads, [](const Thread& t) { return t.read(1, ScalarType::Pred) != 0; });
  for (Thread* thread : threads) {
    if (instruction.has(Modifier::Ballot)) {
      thread->write(0, yes, ScalarType::B32);
      continue;
    }
    const bool result = instruction.has(Modifier::All)   ? yes == all
                        : instruction.has(Modifier::Any) ? yes != 0
                                                         : yes == all || yes == 0;
    thread->write(0, result ? 1 : 0, ScalarType::Pred);
  }
}

struct ShuffleSource {
  unsigned lane;
  bool in_range;
};

/// The pseudo-code of the ISA's page on shfl.
ShuffleSource shuffle_source(const Thread& thread) {
  const Instruction& instruction = thread.instruction();
  const auto b = static_cast<int>(thread.read(2, ScalarType::B32) & 31);
  const auto c = static_cast<int>(thread.read(3, ScalarType::B32));
  const int clamp = c & 31, segment = (c >> 8) & 31, lane = static_cast<int>(thread.lane());
  const int highest = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
  int source = 0;
  bool in_range = false;
  if (instruction.has(Modifier::Up)) {
    source = lane - b;
    in_range = source >= highest;
  } else {
    source = instruction.has(Modifier::Down)   ? lane + b
             : instruction.has(Modifier::Bfly) ? lane ^ b
                                               : lowest | (b & ~segment);
    in_range = source <= highest;
  }
  return {static_cast<unsigned>(in_range ? source : lane), in_range};
}

/// What a lane reads that is not there is undefined by the ISA; here it is 0, as hardware is reported to give.
void shuffle(const Threads& threads) {
  std::map<unsigned, std::uint64_t> values;
  for (const Thread* thread : threads) values[thread->lane()] = thread->read(1, ScalarType::B32);
  for (Thread* thread : threads) {
    const ShuffleSource source = shuffle_source(*thread);
    const auto value = values.find(source.lane);
    const std::uint64_t result = value != values.end() ? value->second : 0;
    const auto* pair = thread->operand(0).as<ptx::PairOperand>();
    if (pair != nullptr) thread->write(pair->elements[1], source.in_range ? 1 : 0, ScalarType::Pred);
    thread->write(pair != nullptr ? pair->elements[0] : thread->operand(0), result, ScalarType::B32);
  }
}

void match(const Threads& threads, const Instruction& instruction) {
  const ScalarType type = instruction.types.at(0);
  std::vector<std::uint32_t> same;  // before anything is written: the destination may be the source
  for (const Thread* thread : threads)
    same.push_back(lanes_where(threads, [&](const Thread& t) { return t.read(1, type) == thread->read(1, type); }));
  const std::uint32_t everyone = lanes_where(threads, [](const Thread&) { return true; });
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const bool equal = same[i] == everyone;
    const std::uint32_t result = instruction.has(Modifier::Any) ? same[i] : equal ? everyone : 0;
    const auto* pair = threads[i]->operand(0).as<ptx::PairOperand>();
    if (pair != nullptr) threads[i]->write(pair->elements[1], equal ? 1 : 0, ScalarType::Pred);
    threads[i]->write(pair != nullptr ? pair->elements[0] : threads[i]->operand(0), result, ScalarType::B32);
  }
}

std::uint64_t reduced(const Thread& thread, std::uint64_t a, std::uint64_t b) {
  const Instruction& instruction = thread.instruction();
  const ScalarType type = instruction.types.at(0);
  if (const auto floats = float_type(type)) return float_extreme(instruction, floats->format, a, b);
  const bool less = ptx::is_signed(type) ? sign_extend(a, 32) < sign_extend(b, 32) : a < b;
  if (instruction.has(Modifier::Add)) return truncate(a + b, 32);
  if (instruction.has(Modifier::Min)) return less ? a : b;
  if (instruction.has(Modifier::Max)) return less ? b : a;
  if (instruction.has(Modifier::And)) return a & b;
  if (instruction.has(Modifier::Or)) return a | b;
  if (instruction.has(Modifier::Xor)) return a ^ b;
  thread.reject("not supported");
}

void reduce(const Threads& threads, const Instruction& instruction) {
  const ScalarType type = instruction.types.at(0);
  std::uint64_t result = threads.front()->read(1, type);
  if (const auto floats = float_type(type)) result = float_extreme(instruction, floats->format, result, result);
  for (std::size_t i = 1; i < threads.size(); ++i) result = reduced(*threads[i], result, threads[i]->read(1, type));
  for (Thread* thread : threads) thread->write(0, result, type);
}

/// The leader is the lowest lane: the ISA wants one, always the same for the same mask.
void elect(const Threads& threads) {
  for (Thread* thread : threads) {
    const auto* pair = thread->operand(0).as<ptx::PairOperand>();
    if (pair == nullptr) thread->reject("elect needs two destinations");
    thread->write(pair->elements[0], threads.front()->lane(), ScalarType::B32);
    thread->write(pair->elements[1], thread == threads.front() ? 1 : 0, ScalarType::Pred);
  }
}

}  // namespace

void execute_collective(const Threads& threads) {
  const Instruction& instruction = threads.front()->instruction();
  switch (instruction.opcode) {
    case Opcode::Vote:
      vote(threads, instruction);
      break;
    case Opcode::Shfl:
      shuffle(threads);
      break;
    case Opcode::Match:
      match(threads, instruction);
      break;
    case Opcode::Redux:
      reduce(threads, instruction);
      break;
    case Opcode::Elect:
      elect(threads);
      break;
    case Opcode::Bar:  // bar.warp.sync: to meet is all
      break;
    case Opcode::Wmma:
    case Opcode::Mma:
    case Opcode::Ldmatrix:
    case Opcode::Stmatrix:
    case Opcode::Movmatrix:
      execute_matrix(threads);
      break;
    default:  // activemask
      for (Thread* thread : threads)
        thread->write(0, lanes_where(threads, [](const Thread&) { return true; }), ScalarType::B32);
  }
  for (Thread* thread : threads) {
    thread->advance();
    thread->state = Thread::State::Running;
  }
}

}  // namespace warpfork::reference
