// Small programs that several threads run, for tests of the cores: made by hand or at random, with what each thread
// does.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "ooo/thread_window.h"
#include "x86/call_depth.h"
#include "x86/instruction.h"
#include "x86/instruction_stream.h"

namespace warpfork::ooo {

/// Instructions of four bytes from kBase on. Where a conditional branch goes is decided, thread by thread and time by
/// time, by its chance and whether all threads decide alike.
class SpmdProgram {
 public:
  static constexpr std::uint64_t kBase = 0x1000;

  struct Choice {
    unsigned percent = 50;  ///< how often it is taken
    bool alike = false;     ///< all threads the same way at the same time
    unsigned turns = 0;     ///< of a loop's back edge: taken so often, and then not; of each thread so many more
    unsigned more = 0;      ///< … at most, by thread
  };

  std::uint64_t here() const { return kBase + 4 * instructions_.size(); }
  x86::StaticInstruction& add(std::vector<x86::Uop> uops, std::vector<x86::MemoryAccess> accesses = {});
  x86::StaticInstruction& alu(x86::RegisterId to, x86::RegisterId from);
  x86::StaticInstruction& load(x86::RegisterId to, x86::RegisterId base);
  x86::StaticInstruction& store(x86::RegisterId data, x86::RegisterId base);
  x86::StaticInstruction& vector(x86::UopWidth width);
  /// The target is set later.
  x86::StaticInstruction& branch(Choice choice);
  x86::StaticInstruction& jump(x86::BranchKind kind);
  /// Two µops, as it has several on x86.
  x86::StaticInstruction& return_from_function();
  void end();
  /// Something that every thread does before what is added next, whenever it comes there.
  void event(x86::SyncKind kind, bool leaves, std::uint64_t object) { events_.push_back({kind, leaves, object, 0}); }

  /// Nested branches, loops, calls and memory accesses, from the seed alone; the whole runs so many times.
  static SpmdProgram random(unsigned seed, unsigned times = 1);
  /// With barriers that all threads come to, and critical sections everywhere, also within each other.
  static SpmdProgram random_synchronised(unsigned seed);

  const x86::StaticInstruction& at(std::uint64_t pc) const { return instructions_[(pc - kBase) / 4].instruction; }
  std::size_t size() const { return instructions_.size(); }

  struct Step {
    const x86::StaticInstruction* instruction;
    std::uint64_t next_pc;
    std::vector<std::uint64_t> addresses;
    std::vector<x86::SyncEvent> events{};  ///< not numbered: a recording decides that
    bool before_gap = false;
  };
  /// What the thread does from the first instruction on.
  std::vector<Step> run(unsigned thread, unsigned seed) const;
  /// What a thread does that goes this way. All accesses are at kData.
  std::vector<Step> follow(const std::vector<std::uint64_t>& pcs) const;
  static constexpr std::uint64_t kData = 0x8000;

 private:
  struct Instruction {
    x86::StaticInstruction instruction;
    std::vector<x86::Uop> uops;
    std::vector<x86::MemoryAccess> accesses;
    Choice choice;
    std::vector<x86::SyncEvent> events;
  };
  void statements(std::mt19937& random, unsigned depth, std::vector<std::uint64_t>& calls);
  void statement(std::mt19937& random, unsigned depth, std::vector<std::uint64_t>& calls);
  void critical_section(std::mt19937& random, unsigned depth, std::vector<std::uint64_t>& calls);
  void finish(std::mt19937& random, const std::vector<std::uint64_t>& calls);
  bool taken(const Instruction& branch, unsigned thread, unsigned time, unsigned seed) const;

  std::deque<Instruction> instructions_;
  std::vector<x86::SyncEvent> events_;  // of the next instruction
  bool synchronised_ = false;           // random statements may be critical sections
};

/// A thread's steps as a recording gives them. Every call returns.
class SteppedStream final : public x86::InstructionStream {
 public:
  explicit SteppedStream(std::vector<SpmdProgram::Step> steps) : steps_(std::move(steps)) {}
  bool next(x86::DynamicInstruction& instruction) override;

 private:
  std::vector<SpmdProgram::Step> steps_;
  std::size_t next_ = 0;
  std::uint32_t depth_ = x86::CallDepth::kFirst;
};

}  // namespace warpfork::ooo
