// A thread that calls the system, as the call's handler sees it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "simt/address_map.h"
#include "simt/execution_error.h"
#include "simt/generic_address.h"
#include "simt/memory_fault.h"

namespace warpfork::simt {

/// One lane's view of the SystemCall that it is in.
class Caller {
 public:
  Caller(const Instruction& instruction, WarpContext& warp, unsigned lane)
      : instruction_(instruction), warp_(warp), lane_(lane) {}

  const WarpContext& warp() const { return warp_; }
  Dim3 thread() const { return thread_of(warp_, lane_); }
  std::uint64_t pointer(unsigned operand) const { return value(operand, instruction_.immediate); }
  std::uint32_t number(unsigned operand) const { return static_cast<std::uint32_t>(value(operand, 4)); }
  unsigned address_bytes() const { return static_cast<unsigned>(instruction_.immediate); }

  /// The call's result, operand 0.
  void give_pointer(std::uint64_t result) const { give(&result, address_bytes()); }
  void give_number(std::uint32_t result) const { give(&result, sizeof result); }

  std::string text(std::uint64_t address) const {
    if (std::optional<std::string> found = text_at(warp_, lane_, address)) return *std::move(found);
    fail(fmt::format("there is no text at {:#x}", address),
         "a text lies in one allocation or variable, with a zero byte at its end");
  }
  std::uint64_t packed(std::uint64_t address, unsigned bytes) const {
    std::uint64_t value = 0;
    const std::byte* at = find_generic(warp_, lane_, address, bytes);
    if (!at) fail("printf's format asks for an argument that was not given", "give an argument for each conversion");
    std::memcpy(&value, at, bytes);
    return value;
  }

  /// Of an operand of type d.
  Dim3 extent(unsigned operand) const {
    std::uint32_t sides[3];
    const std::byte* const at = find_generic(warp_, lane_, kLocalWindow.begin + pointer(operand), sizeof sides);
    if (!at) fail("an extent lies outside of local memory", "pass a .param variable of 12 bytes");
    std::memcpy(sides, at, sizeof sides);
    return {sides[0], sides[1], sides[2]};
  }
  template <typename Value>
  void store(std::uint64_t address, Value value) const {
    if (!store_generic(warp_, lane_, address, &value, sizeof value))
      fail(fmt::format("the call cannot write its result to {:#x}", address), "pass the address of a variable");
  }

  [[noreturn]] void fail(const std::string& cause, std::string_view remedy) const {
    throw MemoryFault(MemoryFault::Kind::OutOfBounds, failure_text(instruction_, warp_, lane_, cause, remedy));
  }

 private:
  std::uint64_t value(unsigned operand, std::uint64_t bytes) const {
    std::uint64_t value = 0;
    std::memcpy(&value, warp_.registers + instruction_.operand[operand] + lane_ * bytes, bytes);
    return value;
  }
  void give(const void* result, std::size_t bytes) const {
    std::memcpy(warp_.registers + instruction_.operand[0] + lane_ * bytes, result, bytes);
  }

  const Instruction& instruction_;
  WarpContext& warp_;
  unsigned lane_;
};

/// The handler of a call that gives each thread a number: answer(caller). Lanes call in their order.
template <auto answer>
void answer_each(const Instruction& instruction, WarpContext& warp, RowLanes lanes) {
  lanes.for_each([&](unsigned lane) {
    const Caller caller(instruction, warp, lane);
    caller.give_number(answer(caller));
  });
}

}  // namespace warpfork::simt
