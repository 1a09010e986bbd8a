// How deep in calls a recorded thread is, told from where its calls put their return addresses.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace warpfork::x86 {

/// A call puts its return address on the stack, and its frame has ended where the stack pointer stands above that
/// address, however it ended: by a return, longjmp or an exception. So depths do not drift, as calls minus returns do.
///
/// A program may switch stacks (makecontext, coroutines, a signal's own stack), and which addresses are one stack is
/// not known. A frame that seems to have ended is kept aside: a return to its address leads back into its caller, as
/// deep as that was. A return from where no call led is a signal handler's end, or begins another stack: the depth
/// stays.
class CallDepth {
 public:
  /// Of a thread that is in no call, or in a number that is not known; more than a thread can return from.
  static constexpr std::uint32_t kFirst = 1u << 16;

  /// `calls`: that the thread is in at first, and may return from; without a value it is not known in how many.
  explicit CallDepth(std::optional<std::uint32_t> calls)
      : now_(kFirst + calls.value_or(0)), has_callers_(calls != 0u) {}

  std::uint32_t now() const { return now_; }

  /// A call wrote its return address there, or a return read it; 0: it is not known where.
  void call(std::uint64_t address);
  void return_from(std::uint64_t address);
  /// The stack pointer has this value.
  void stack_pointer(std::uint64_t value) {
    if (!frames_.empty() && frames_.back().address < value) end_below(value);
  }
  /// The frame pointer has this value, in a function that uses it as such.
  void frame_pointer(std::uint64_t value);
  /// What follows was not preceded by what has been told so far: its calls are not known.
  void forget();

 private:
  struct Frame {
    std::uint64_t address = 0;  // of its return address
    std::uint32_t caller = 0;   // depth
  };
  bool is_above_frames(std::uint64_t address) const;
  void end_below(std::uint64_t stack_pointer);
  void set_aside(std::size_t from);

  std::vector<Frame> frames_;                               // outermost first
  std::unordered_map<std::uint64_t, std::uint32_t> aside_;  // of frames that seem to have ended: depth of their callers
  std::uint32_t now_;
  bool has_callers_;
};

}  // namespace warpfork::x86
