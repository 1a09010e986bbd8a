// Runs one instruction on this computer with given register contents.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "x86/register.h"

namespace warpfork::x86 {

/// Registers before or after an instruction. rsp is not among them: it points to the machine's own data.
struct NativeState {
  std::array<std::uint64_t, 16> general{};
  std::uint64_t flags = 0;  ///< arithmetic flags only
  std::array<std::array<std::uint64_t, 4>, 16> vectors{};
  std::vector<std::uint64_t> memory;  ///< what NativeMachine::memory() holds

  bool operator==(const NativeState&) const = default;
};

class NativeMachine {
 public:
  static constexpr std::size_t kMemoryWords = 512;

  /// Whether this computer has what most of the forms use; instructions that it has not will fault.
  static bool is_able();

  NativeMachine();
  ~NativeMachine();
  NativeMachine(const NativeMachine&) = delete;
  NativeMachine& operator=(const NativeMachine&) = delete;

  /// Must neither branch nor touch rsp.
  void take(std::span<const std::uint8_t> instruction);
  /// False if the instruction faulted.
  bool run(const NativeState& before, NativeState& after);
  std::uint64_t memory_address() const;

 private:
  struct Frame;
  std::uint8_t* code_;
  std::unique_ptr<Frame> frame_;
  std::vector<std::uint8_t> signal_stack_;
  stack_t former_signal_stack_{};
  std::vector<struct sigaction> former_handlers_;
};

}  // namespace warpfork::x86
