// One thread of a grid as the PTX ISA describes it ("Programming Model"): registers, local memory, parameters, call
// stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "ptx/instruction.h"
#include "ptx/module.h"
#include "reference/block_state.h"
#include "reference/private_memory.h"

namespace warpfork::reference {

/// Keeps the low `bits` bits.
constexpr std::uint64_t truncate(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
/// Two's complement of `bits` bits to 64.
constexpr std::int64_t sign_extend(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

class Thread {
 public:
  enum class State : std::uint8_t { Running, AtCollective, AtBarrier, Exited };

  Thread(BlockState& block, const ptx::Function& entry, const std::vector<std::byte>& parameters, unsigned number);

  /// The instruction to be done next; throws Error if the code ends without `ret` or `exit`.
  const ptx::Instruction& instruction() const;
  const ptx::Function& function() const { return *frames_.back().function; }
  bool guard_holds() const;

  /// The operand's value as an instruction of that type sees it, zero-extended to 64 bits. A vector is packed, its
  /// first element lowest.
  std::uint64_t read(const ptx::Operand& operand, ptx::ScalarType type) const;
  std::uint64_t read(std::size_t index, ptx::ScalarType type) const { return read(operand(index), type); }
  /// Writes a result of that type; a wider register gets it sign- or zero-extended. A vector is unpacked.
  void write(const ptx::Operand& operand, std::uint64_t value, ptx::ScalarType type);
  void write(std::size_t index, std::uint64_t value, ptx::ScalarType type) { write(operand(index), value, type); }
  /// Operand of the current instruction; throws Error if it has none of that index.
  const ptx::Operand& operand(std::size_t index) const;
  /// Those of the operand; throws Error unless they are as many as .vN says.
  std::span<const ptx::Operand> elements(std::size_t index) const;
  bool has_operand(std::size_t index) const { return index < instruction().operands.size(); }

  /// The place that an address operand names under the instruction's state space.
  Place place_of(const ptx::AddressOperand& address) const;
  /// Little-endian, up to 8 bytes; throw Error if the place is out of bounds or misaligned.
  std::uint64_t load(const Place& place, unsigned bytes) const;
  void store(const Place& place, unsigned bytes, std::uint64_t value);

  void advance() { ++frames_.back().pc; }
  void jump(Pc target) { frames_.back().pc = target; }
  /// Enters the function that the current `call` names, its arguments copied.
  void call();
  /// Leaves the current function, results copied to the caller; of an entry, exits.
  void leave();

  /// "thread (3,0,0) of block (0,0,0), kernel.ptx:12, 'add'"
  std::string describe() const;
  [[noreturn]] void reject(const std::string& cause) const;

  /// Identity of the point that the thread is at; threads with equal positions execute the same instruction.
  std::vector<std::pair<const ptx::Function*, Pc>> position() const;

  unsigned number() const { return number_; }
  unsigned lane() const { return number_ % 32; }
  unsigned warp() const { return number_ / 32; }
  BlockState& block() const { return block_; }

  State state = State::Running;
  bool carry = false;                              // CC.CF
  static constexpr unsigned kClusterBarrier = 16;  // beside those that have numbers
  unsigned barrier = 0;                            // that it has come to last
  unsigned barrier_threads = 0;                    // that this one waits for; 0 = all of the block

 private:
  struct Frame {
    const ptx::Function* function = nullptr;
    Pc pc = 0;
    std::vector<std::uint64_t> registers;
    std::map<std::string, Place> symbols;  // local variables and parameters
    PrivateMemory::Mark caller_memory;     // what the caller had reserved
  };

  void enter(const ptx::Function& function);
  std::byte* memory_of(const Frame& frame, const ptx::Variable& parameter) const;
  void copy_argument(const ptx::Operand& argument, const ptx::Variable& parameter, const Frame& caller);
  Place symbol(const ptx::SymbolOperand& operand) const;
  std::byte* bytes_at(const Place& place, unsigned bytes) const;

  BlockState& block_;
  unsigned number_;
  std::vector<Frame> frames_;
  mutable PrivateMemory memory_;
};

}  // namespace warpfork::reference
