#include "unit/ooo/spmd_program.h"

#include <initializer_list>
#include <utility>

namespace warpfork::ooo {

using x86::BranchKind;
using x86::kStackPointer;
using x86::RegisterId;
using x86::StaticInstruction;
using x86::UopKind;

namespace {

x86::Uop uop(UopKind kind, std::initializer_list<RegisterId> sources, std::initializer_list<RegisterId> destinations) {
  x86::Uop made;
  made.kind = kind;
  for (const RegisterId source : sources) made.sources[made.source_count++] = source;
  for (const RegisterId destination : destinations) made.destinations[made.destination_count++] = destination;
  made.address_count = kind == UopKind::Load || kind == UopKind::Store ? 1 : 0;
  return made;
}

std::uint64_t mix(std::uint64_t value) {
  value = (value ^ value >> 31) * 0x7fb5d329728ea185;
  value = (value ^ value >> 27) * 0x81dadef4bc2dd44d;
  return value ^ value >> 33;
}

}  // namespace

StaticInstruction& SpmdProgram::add(std::vector<x86::Uop> uops, std::vector<x86::MemoryAccess> accesses) {
  const std::uint64_t pc = here();
  Instruction& entry = instructions_.emplace_back();
  entry.uops = std::move(uops);
  entry.accesses = std::move(accesses);
  entry.events = std::exchange(events_, {});
  entry.instruction.pc = pc;
  entry.instruction.length = 4;
  entry.instruction.uops = entry.uops;
  entry.instruction.accesses = entry.accesses;
  return entry.instruction;
}

StaticInstruction& SpmdProgram::alu(RegisterId to, RegisterId from) {
  return add({uop(UopKind::IntegerAlu, {to, from}, {to, x86::kFlags})});
}

StaticInstruction& SpmdProgram::load(RegisterId to, RegisterId base) {
  return add({uop(UopKind::Load, {base}, {to})}, {{.store = false, .masked = false, .bytes = 8}});
}

StaticInstruction& SpmdProgram::store(RegisterId data, RegisterId base) {
  return add({uop(UopKind::Store, {base, data}, {})}, {{.store = true, .masked = false, .bytes = 8}});
}

StaticInstruction& SpmdProgram::vector(x86::UopWidth width) {
  x86::Uop operation = uop(UopKind::FloatAdd, {x86::kVector, x86::kVector + 1}, {x86::kVector});
  operation.width = width;
  return add({operation});
}

StaticInstruction& SpmdProgram::branch(Choice choice) {
  StaticInstruction& made = add({uop(UopKind::Branch, {x86::kFlags}, {})});
  made.branch = BranchKind::Conditional;
  instructions_.back().choice = choice;
  return made;
}

StaticInstruction& SpmdProgram::jump(BranchKind kind) {
  StaticInstruction& made = add({uop(UopKind::Branch, {}, {})});
  made.branch = kind;
  return made;
}

StaticInstruction& SpmdProgram::return_from_function() {
  StaticInstruction& made =
      add({uop(UopKind::IntegerAlu, {kStackPointer}, {kStackPointer}), uop(UopKind::Branch, {kStackPointer}, {})});
  made.branch = BranchKind::Return;
  return made;
}

void SpmdProgram::end() { add({uop(UopKind::Serialize, {}, {})}).system_call = true; }

SpmdProgram SpmdProgram::random(unsigned seed, unsigned times) {
  std::mt19937 random(seed);
  SpmdProgram program;
  std::vector<std::uint64_t> calls;
  program.statements(random, 3, calls);
  if (times > 1) program.branch({.percent = 0, .alike = true, .turns = times - 1, .more = 0}).target = kBase;
  program.finish(random, calls);
  return program;
}

SpmdProgram SpmdProgram::random_synchronised(unsigned seed) {
  constexpr unsigned kBarriers = 4;
  std::mt19937 random(seed);
  SpmdProgram program;
  program.synchronised_ = true;
  std::vector<std::uint64_t> calls;
  const std::uint64_t top = program.here();
  for (unsigned part = 0; part < kBarriers; ++part) {
    program.statements(random, 2, calls);
    const std::uint64_t barrier = 0xb0 + random() % 2;
    program.event(x86::SyncKind::Barrier, false, barrier);
    program.alu(0, 1);
    program.event(x86::SyncKind::Barrier, true, barrier);
    program.alu(1, 0);
  }
  program.branch({.percent = 0, .alike = true, .turns = 1, .more = 0}).target = top;
  program.finish(random, calls);
  return program;
}

/// The end, and behind it the functions. What they call in turn ends the thread, but not where others may wait for it.
void SpmdProgram::finish(std::mt19937& random, const std::vector<std::uint64_t>& calls) {
  end();
  const auto function = [&](std::uint64_t call, unsigned depth, std::vector<std::uint64_t>& further) {
    instructions_[(call - kBase) / 4].instruction.target = here();
    statements(random, depth, further);
    return_from_function();
  };
  for (const std::uint64_t call : calls) {
    std::vector<std::uint64_t> further, none;
    function(call, 1, further);
    if (!synchronised_) continue;
    for (const std::uint64_t inner : further) function(inner, 0, none);
  }
}

/// Whatever is within has less depth, functions that are called too: locks are always taken in the same order.
void SpmdProgram::critical_section(std::mt19937& random, unsigned depth, std::vector<std::uint64_t>& calls) {
  const std::uint64_t lock = 0x10 * depth + random() % 2;
  event(x86::SyncKind::Lock, false, lock);
  alu(0, 2);
  event(x86::SyncKind::Lock, true, lock);
  alu(0, 3);
  statements(random, depth - 1, calls);
  event(x86::SyncKind::Unlock, false, lock);
  alu(2, 0);
  event(x86::SyncKind::Unlock, true, lock);
  alu(3, 0);
}

void SpmdProgram::statements(std::mt19937& random, unsigned depth, std::vector<std::uint64_t>& calls) {
  for (unsigned left = 2 + random() % 4; left != 0; --left) statement(random, depth, calls);
}

void SpmdProgram::statement(std::mt19937& random, unsigned depth, std::vector<std::uint64_t>& calls) {
  const RegisterId one = static_cast<RegisterId>(random() % 4), other = static_cast<RegisterId>(random() % 4);
  const bool alike = random() % 3 == 0;
  if (synchronised_ && depth != 0 && random() % 4 == 0) return critical_section(random, depth, calls);
  switch (depth == 0 ? random() % 4 : random() % 8) {
    case 0:
    case 1:
      alu(one, other);
      return;
    case 2:
      load(one, other);
      return;
    case 3:
      random() % 2 == 0 ? store(one, other) : vector(static_cast<x86::UopWidth>(random() % 3));
      return;
    case 4: {  // if
      StaticInstruction& skip = branch({.percent = 30 + static_cast<unsigned>(random() % 50), .alike = alike});
      statements(random, depth - 1, calls);
      skip.target = here();
      return;
    }
    case 5: {  // if and else
      StaticInstruction& to_else = branch({.percent = 50, .alike = alike});
      statements(random, depth - 1, calls);
      StaticInstruction& over = jump(BranchKind::Jump);
      to_else.target = here();
      statements(random, depth - 1, calls);
      over.target = here();
      return;
    }
    case 6: {  // loop
      const std::uint64_t top = here();
      statements(random, depth - 1, calls);
      const unsigned more = alike ? 0 : 1 + static_cast<unsigned>(random() % 4);
      branch({.percent = 0, .alike = alike, .turns = 1 + static_cast<unsigned>(random() % 3), .more = more}).target =
          top;
      return;
    }
    default:
      calls.push_back(here());
      jump(BranchKind::Call);
      return;
  }
}

bool SpmdProgram::taken(const Instruction& branch, unsigned thread, unsigned time, unsigned seed) const {
  const std::uint64_t who = branch.choice.alike ? 0 : thread + 1;
  const std::uint64_t pc = branch.instruction.pc;
  if (branch.choice.turns != 0) {
    const unsigned turns =
        branch.choice.turns + static_cast<unsigned>(mix(pc * 31 + who + seed) % (branch.choice.more + 1));
    return time % (turns + 1) != turns;
  }
  return mix(pc * 1000003 + who * 8191 + time + seed * 77777ull) % 100 < branch.choice.percent;
}

std::vector<SpmdProgram::Step> SpmdProgram::run(unsigned thread, unsigned seed) const {
  std::vector<Step> steps;
  std::vector<std::uint64_t> returns;
  std::vector<unsigned> times(instructions_.size());
  for (std::uint64_t pc = kBase; pc != 0; pc = steps.back().next_pc) {
    const Instruction& entry = instructions_[(pc - kBase) / 4];
    const unsigned time = times[(pc - kBase) / 4]++;
    Step step{&entry.instruction, entry.instruction.fall_through(), {}, entry.events};
    for (std::size_t i = 0; i < entry.accesses.size(); ++i)
      step.addresses.push_back(0x100000 + mix(pc + time * 131 + thread * 7 + i) % 512 * 8);
    switch (entry.instruction.branch) {
      case BranchKind::Conditional:
        if (taken(entry, thread, time, seed)) step.next_pc = entry.instruction.target;
        break;
      case BranchKind::Jump:
        step.next_pc = entry.instruction.target;
        break;
      case BranchKind::Call:
        returns.push_back(step.next_pc);
        step.next_pc = entry.instruction.target;
        break;
      case BranchKind::Return:
        step.next_pc = returns.back();
        returns.pop_back();
        break;
      default:
        if (entry.instruction.system_call) step.next_pc = 0;
        break;
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<SpmdProgram::Step> SpmdProgram::follow(const std::vector<std::uint64_t>& pcs) const {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < pcs.size(); ++i) {
    const Instruction& entry = instructions_[(pcs[i] - kBase) / 4];
    steps.push_back({&entry.instruction, i + 1 < pcs.size() ? pcs[i + 1] : 0, {}, entry.events});
    steps.back().addresses.assign(entry.accesses.size(), kData);
  }
  return steps;
}

bool SteppedStream::next(x86::DynamicInstruction& instruction) {
  if (next_ == steps_.size()) return false;
  const SpmdProgram::Step& step = steps_[next_++];
  const std::uint32_t depth = depth_;
  const x86::BranchKind branch = step.instruction->branch;
  if (branch == x86::BranchKind::Call || branch == x86::BranchKind::IndirectCall) ++depth_;
  if (branch == x86::BranchKind::Return) --depth_;
  if (step.before_gap) depth_ = x86::CallDepth::kFirst;
  instruction = {step.instruction, step.next_pc, step.addresses, step.events, step.before_gap, depth, depth_};
  return true;
}

}  // namespace warpfork::ooo
