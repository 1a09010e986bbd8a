#include "random_kernel.h"

#include <fmt/format.h>

namespace warpfork::gpu {

namespace {

constexpr unsigned kDeepest = 3;

}  // namespace

std::string RandomKernel::body() {
  for (unsigned i = 0; i < 6; ++i) {
    text_ += fmt::format("mad.lo.u32 %r{}, %r0, {}, {};\n", 2 + i, 3 + i, random_() % 16);
    text_ += fmt::format("mad.lo.u32 %r{}, %thread, {}, {};\n", 8 + i, 1 + i, random_() % 16);
  }
  statements(kDeepest);
  text_ += "END:\n";
  for (unsigned i = 9; i < 14; ++i) text_ += fmt::format("mad.lo.u32 %r8, %r8, 31, %r{};\n", i);
  text_ += "st.global.u32 [%mine], %r8;\nret;";
  return text_;
}

void RandomKernel::statements(unsigned depth) {
  for (unsigned left = 2 + random_() % 4; left != 0; --left) {
    statement(depth);
    if (meets_ && depth == kDeepest) text_ += "bar.sync 0;\n";
  }
}

void RandomKernel::statement(unsigned depth) {
  const unsigned kind = random_() % 8;
  if (depth != 0 && kind < 2) return branch(depth);
  if (depth != 0 && kind == 2 && loops_ < 4) return loop(depth);
  if (kind == 3 && !leave_.empty()) return void(text_ += fmt::format("@{} bra {};\n", condition(), leave_));
  if (kind == 4 && random_() % 4 == 0) return void(text_ += fmt::format("@{} bra END;\n", condition()));
  operation(kind == 5 ? "@" + condition() + " " : "");
}

void RandomKernel::operation(const std::string& guard) {
  static constexpr const char* kOperations[] = {"add.u32", "sub.u32", "xor.b32", "and.b32", "mul.lo.u32"};
  const char* const operation = kOperations[random_() % 5];
  const bool is_of_block = random_() % 2 == 0;
  const std::string right = is_of_block ? of_block() : of_any(), left = is_of_block ? of_block() : of_thread();
  const std::string result = is_of_block ? of_block() : of_thread();
  text_ += fmt::format("{}{} {}, {}, {};\n", guard, operation, result, left, right);
}

std::string RandomKernel::condition() {
  const std::string predicate = "%p" + std::to_string(random_() % 8);
  const char* const relation = random_() % 2 == 0 ? "eq" : "ne";
  const unsigned bit = 1u << random_() % 4;
  text_ += fmt::format("and.b32 %r19, {}, {};\nsetp.{}.u32 {}, %r19, 0;\n", of_any(), bit, relation, predicate);
  return predicate;
}

void RandomKernel::branch(unsigned depth) {
  const std::string other = label(), end = label();
  text_ += fmt::format("@{} bra {};\n", condition(), other);
  statements(depth - 1);
  text_ += fmt::format("bra {};\n{}:\n", end, other);
  statements(depth - 1);
  text_ += end + ":\n";
}

/// At most four turns; how many, a value of the block or of the thread says.
void RandomKernel::loop(unsigned depth) {
  const std::string counter = "%r" + std::to_string(14 + loops_++), begin = label(), end = label(), outer = leave_;
  leave_ = end;
  text_ += fmt::format("mov.u32 {}, 0;\n{}:\n", counter, begin);
  statements(depth - 1);
  text_ +=
      fmt::format("add.u32 {0}, {0}, 1;\nand.b32 %r18, {1}, 3;\nsetp.lt.u32 %p9, {0}, %r18;\n@%p9 bra {2};\n{3}:\n",
                  counter, of_any(), begin, end);
  leave_ = outer;
  --loops_;
}

}  // namespace warpfork::gpu
