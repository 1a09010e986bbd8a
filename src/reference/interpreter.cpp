#include "reference/interpreter.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/error.h"
#include "reference/execute.h"

namespace warpfork::reference {
namespace {

using State = Thread::State;

/// How long a thread may go on before the next one has its turn: lets a thread that spins wait for another.
constexpr unsigned kTurn = 10'000;

class BlockRun {
 public:
  BlockRun(const Placement& placement, const ptx::Function& entry, const Grid& grid, Dim3 index, std::uint64_t steps)
      : state_{placement, grid.grid, grid.block, index, grid.dynamic_shared_bytes, {}}, steps_left_(steps) {
    const std::size_t aligned_static = (placement.static_shared_bytes() + 15) / 16 * 16;
    const std::size_t used = aligned_static + grid.dynamic_shared_bytes;
    state_.shared.assign(std::max<std::size_t>(used, placement.static_shared_room()), std::byte{0});
    const auto count = static_cast<unsigned>(grid.block.count());
    threads_.reserve(count);
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back(state_, entry, grid.parameters, i);
  }

  void run() {
    while (std::any_of(threads_.begin(), threads_.end(), [](const Thread& t) { return t.state != State::Exited; })) {
      bool progress = false;
      for (Thread& thread : threads_) progress |= take_turn(thread);
      for (unsigned warp = 0; warp * 32 < threads_.size(); ++warp) progress |= meet(warp);
      progress |= open_full_barriers();
      if (!progress) throw Error("deadlock: {} waits for threads that never come", first_waiting().describe());
    }
  }

 private:
  bool take_turn(Thread& thread) {
    bool progress = false;
    for (unsigned i = 0; i < kTurn && thread.state == State::Running; ++i) {
      if (steps_left_-- == 0) throw Error("{} goes on for too long", thread.describe());
      progress = true;
      if (thread.guard_holds())
        execute(thread);
      else
        thread.advance();
      if (thread.state == State::AtBarrier) come(thread);
    }
    return progress;
  }

  /// The membermask of a `.sync` instruction is its last operand; lanes that are gone are not waited for.
  static std::uint32_t awaited(const Thread& thread, std::uint32_t present) {
    const ptx::Instruction& instruction = thread.instruction();
    if (!instruction.has(ptx::Modifier::Sync)) return present;
    if (is_of_matrices(instruction.opcode)) return ~std::uint32_t{0};
    const auto mask = static_cast<std::uint32_t>(thread.read(instruction.operands.size() - 1, ptx::ScalarType::B32));
    if ((mask >> thread.lane() & 1) == 0) thread.reject("its member mask does not name it");
    return mask;
  }

  /// Threads come together at one instruction; with .sync also at two that are alike but for their registers.
  static bool meets(const Thread& one, const Thread& other) {
    if (one.position() == other.position()) return true;
    const ptx::Instruction &a = one.instruction(), &b = other.instruction();
    return a.has(ptx::Modifier::Sync) && a.opcode == b.opcode && a.modifiers == b.modifiers && a.types == b.types;
  }

  /// Lets the threads of a warp that have met do their instruction together.
  bool meet(unsigned warp) {
    const std::size_t first = warp * 32, last = std::min<std::size_t>(first + 32, threads_.size());
    std::uint32_t alive = 0, present = 0;
    for (std::size_t i = first; i < last; ++i) {
      const std::uint32_t bit = std::uint32_t{1} << (i - first);
      if (threads_[i].state != State::Exited) alive |= bit;
      if (threads_[i].state == State::AtCollective || threads_[i].state == State::Running) present |= bit;
    }
    for (std::size_t i = first; i < last; ++i) {
      if (threads_[i].state != State::AtCollective) continue;
      const std::uint32_t wanted = awaited(threads_[i], present) & alive;
      std::vector<Thread*> met;
      std::uint32_t mask = 0;
      for (std::size_t j = first; j < last; ++j) {
        const bool there = threads_[j].state == State::AtCollective && meets(threads_[i], threads_[j]) &&
                           (awaited(threads_[j], present) & alive) == wanted;
        if (!there || ((wanted >> (j - first)) & 1) == 0) continue;
        met.push_back(&threads_[j]);
        mask |= std::uint32_t{1} << (j - first);
      }
      if (mask != wanted) continue;
      execute_collective(met);
      return true;
    }
    return false;
  }

  struct Barrier {
    std::set<unsigned> arrived;  // numbers of threads
    std::vector<Thread*> waiting;
    unsigned threads = 0;  // that it waits for; 0 = all of the block
    unsigned yes = 0, no = 0;
  };

  void come(Thread& thread) {
    Barrier& barrier = barriers_.at(thread.barrier);
    const ptx::Instruction& instruction = thread.instruction();
    if (barrier.arrived.empty()) barrier.threads = thread.barrier_threads;
    if (barrier.threads != thread.barrier_threads) thread.reject("others wait for another number of threads");
    if (!barrier.arrived.insert(thread.number()).second) thread.reject("the barrier has not opened since last time");
    if (instruction.has(ptx::Modifier::Red)) {
      const bool holds = thread.read(instruction.operands.size() - 1, ptx::ScalarType::Pred) != 0;
      ++(holds ? barrier.yes : barrier.no);
    }
    if (instruction.has(ptx::Modifier::Arrive))
      go_on(thread);
    else
      barrier.waiting.push_back(&thread);
    if (is_full(barrier)) open(barrier);
  }

  bool is_full(const Barrier& barrier) const {
    std::size_t come = 0, warps = 0;
    for (std::size_t first = 0; first < threads_.size(); first += 32, ++warps) {
      std::size_t here = 0, gone = 32;
      for (std::size_t i = first; i < std::min(first + 32, threads_.size()); ++i) {
        const bool arrived = barrier.arrived.count(static_cast<unsigned>(i)) != 0;
        here += arrived ? 1 : 0;
        gone -= arrived || threads_[i].state != State::Exited ? 1 : 0;
      }
      if (here != 0 || barrier.threads == 0) come += here + gone;
    }
    return come >= (barrier.threads == 0 ? 32 * warps : barrier.threads);
  }

  void open(Barrier& barrier) {
    const Barrier full = std::exchange(barrier, {});
    for (Thread* thread : full.waiting) {
      const ptx::Instruction& instruction = thread->instruction();
      if (instruction.has(ptx::Modifier::Popc))
        thread->write(0, full.yes, ptx::ScalarType::U32);
      else if (instruction.has(ptx::Modifier::Red))
        thread->write(0, (instruction.has(ptx::Modifier::And) ? full.no == 0 : full.yes != 0) ? 1 : 0,
                      ptx::ScalarType::Pred);
      go_on(*thread);
    }
  }

  static void go_on(Thread& thread) {
    thread.advance();
    thread.state = State::Running;
  }

  /// Threads that exit are not waited for any longer.
  bool open_full_barriers() {
    bool opened = false;
    for (Barrier& barrier : barriers_) {
      if (barrier.arrived.empty() || !is_full(barrier)) continue;
      open(barrier);
      opened = true;
    }
    return opened;
  }

  const Thread& first_waiting() const {
    return *std::find_if(threads_.begin(), threads_.end(), [](const Thread& t) { return t.state != State::Exited; });
  }

  BlockState state_;
  std::vector<Thread> threads_;
  std::array<Barrier, Thread::kClusterBarrier + 1> barriers_;
  std::uint64_t steps_left_;
};

}  // namespace

void Interpreter::run(std::string_view kernel, const Grid& grid, std::uint64_t max_steps) const {
  const ptx::Function* entry = placement_.module().find_function(kernel);
  if (entry == nullptr || !entry->is_entry) throw Error("there is no kernel '{}'", kernel);
  if (grid.parameters.size() != entry->parameter_bytes())
    throw Error("kernel '{}' takes {} bytes of parameters, not {}", kernel, entry->parameter_bytes(),
                grid.parameters.size());
  for (std::uint32_t z = 0; z < grid.grid.z; ++z)
    for (std::uint32_t y = 0; y < grid.grid.y; ++y)
      for (std::uint32_t x = 0; x < grid.grid.x; ++x)
        BlockRun(placement_, *entry, grid, Dim3{x, y, z}, max_steps).run();
}

}  // namespace warpfork::reference
