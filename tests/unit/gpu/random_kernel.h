// Random PTX bodies with nested and unstructured branches, of which part goes one way for all threads of a warp.
#pragma once

#include <random>
#include <string>

namespace warpfork::gpu {

/// A body for Kernel. Registers %r2 … %r7 begin as values of the block, %r8 … %r13 as the thread's; the former are
/// computed from one another, the latter from all, and the thread's word gets what the latter are in the end. What is
/// one for a warp at the start need not stay so: sides of branches write it, too. Some threads leave early, by END.
class RandomKernel {
 public:
  /// Of a seed the same by every compiler: no two numbers are drawn in one call, whose order is left to it.
  /// `meets`: threads that have not left meet at a barrier behind each statement of the body. It changes no result.
  explicit RandomKernel(unsigned seed, bool meets = false) : random_(seed), meets_(meets) {}

  std::string body();

 private:
  void statements(unsigned depth);
  void statement(unsigned depth);
  void operation(const std::string& guard);
  void branch(unsigned depth);
  void loop(unsigned depth);
  /// A predicate of a value of the block or of the thread.
  std::string condition();
  std::string of_block() { return "%r" + std::to_string(2 + random_() % 6); }
  std::string of_thread() { return "%r" + std::to_string(8 + random_() % 6); }
  std::string of_any() { return random_() % 2 == 0 ? of_block() : of_thread(); }
  std::string label() { return "L" + std::to_string(labels_++); }

  std::mt19937 random_;
  bool meets_;
  std::string text_;
  unsigned labels_ = 0, loops_ = 0;
  std::string leave_;  // label behind the innermost loop
};

}  // namespace warpfork::gpu
