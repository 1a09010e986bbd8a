// Random programs full of barriers on every mechanism, against the reference that runs one thread at a time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "divergence/registry.h"
#include "gtx480_spec.h"
#include "kernel.h"
#include "reference/interpreter.h"

namespace warpfork::gpu {
namespace barrier_differential_test {

/// Writes programs without races and without deadlock. %r2 is each thread's own hash, %r3 the number of its warp, %p3
/// says whether that is odd; warps meet in pairs where the block has an even number of them. Barriers 0 to 2 are for
/// all of the block, from 3 on for pairs, from 9 on for pairs of which one waits.
class BarrierProgram {
 public:
  /// `parts`: threads of one warp may come to a barrier from different paths.
  BarrierProgram(std::uint64_t seed, bool parts) : random_(seed), parts_(parts), threads_(1 + random_() % 200) {}

  unsigned threads() const { return threads_; }
  std::string text() {
    std::string body = R"(
      mad.lo.u32 %r2, %thread, 2654435761, 12345;
      shr.u32 %r3, %thread, 5;
      and.b32 %r4, %r3, 1;
      setp.ne.u32 %p3, %r4, 0;
    )";
    for (unsigned i = 0; i < 12; ++i) body += step();
    return body + "st.global.u32 [%mine], %r2; ret;";
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  unsigned whole_warps() const { return (threads_ + 31) / 32 * 32; }
  bool in_pairs() const { return whole_warps() % 64 == 0; }

  std::string hash(const char* with) {
    return fmt::format("mad.lo.u32 %r2, %r2, {}, {};\n", 2 * below(1000) + 1, with);
  }
  std::string choose() {
    return fmt::format("shr.u32 %r5, %r2, {}; and.b32 %r5, %r5, {}; setp.eq.u32 %p0, %r5, 0;\n", below(28),
                       below(2) == 0 ? 1 : 31);
  }
  /// ", threads" of a barrier for all of the block: left out, a literal or a register.
  std::string all_threads(std::string& before) {
    if (below(3) == 0) return "";
    if (below(2) == 0) return fmt::format(", {}", whole_warps());
    before += fmt::format("mov.u32 %r6, {};\n", whole_warps());
    return ", %r6";
  }
  std::string reduction(const std::string& number, const std::string& threads) {
    const char* negated = below(2) == 0 ? "!" : "";
    if (below(2) == 0)
      return fmt::format("bar.red.popc.u32 %r7, {}{}, {}%p0;\n", number, threads, negated) + hash("%r7");
    return fmt::format("barrier.red.{}.pred %p1, {}{}, {}%p0; selp.u32 %r7, 77, 11, %p1;\n",
                       below(2) == 0 ? "and" : "or", number, threads, negated) +
           hash("%r7");
  }

  std::string step() {
    switch (below(in_pairs() ? 5 : 3)) {
      case 0:
        return leave();
      case 1:
        return parts_ ? from_two_paths() : among_all();
      case 2:
        return among_all();
      case 3:
        return among_pairs();
      default:
        return hand_over();
    }
  }

  /// Some lanes, never a warp's first, so that no warp goes as a whole.
  std::string leave() {
    const unsigned lane = 1 + below(31);
    return choose() + fmt::format("and.b32 %r5, %thread, 31; setp.eq.and.u32 %p2, %r5, {}, %p0; @%p2 exit;\n", lane);
  }

  std::string among_all() {
    std::string before = choose() + fmt::format("mov.u32 %r8, {};\n", below(3));
    const std::string threads = all_threads(before);
    return before + reduction(below(2) == 0 ? "%r8" : fmt::format("{}", below(3)), threads);
  }

  std::string from_two_paths() {
    const unsigned label = labels_++;
    std::string before = choose();
    const std::string threads = all_threads(before), number = fmt::format("{}", below(3));
    return before + fmt::format("setp.lt.u32 %p2, %r2, {};\n@%p2 bra LEFT{};\n", random_() & 0xffffffff, label) +
           reduction(number, threads) + fmt::format("bra MEET{0};\nLEFT{0}:\n", label) + reduction(number, threads) +
           fmt::format("MEET{}:\n", label);
  }

  std::string among_pairs() {
    return choose() + "shr.u32 %r8, %r3, 1; add.u32 %r8, %r8, 3;\n" + reduction("%r8", ", 64");
  }

  std::string meet() { return below(2) == 0 ? "bar.sync 1;\n" : "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"; }

  /// Odd warps write a word and go on, even ones wait for it.
  std::string hand_over() {
    return meet() +
           "shr.u32 %r8, %r3, 1; shl.b32 %r9, %r8, 2; mov.u32 %r10, word; add.u32 %r9, %r9, %r10; mov.u32 %r11, 64;\n"
           "mad.lo.u32 %r7, %r3, 99, 7; @%p3 st.shared.u32 [%r9], %r7;\n"
           "add.u32 %r8, %r8, 9; @%p3 bar.arrive %r8, %r11; @!%p3 bar.sync %r8, 64;\n"
           "@!%p3 ld.shared.u32 %r7, [%r9];\n" +
           hash("%r7") + meet();
  }

  std::mt19937_64 random_;
  bool parts_;
  unsigned threads_;
  unsigned labels_ = 0;
};

constexpr const char* kShared = ".shared .align 4 .b8 word[64];";

std::vector<std::uint32_t> by_the_reference(const Kernel& kernel, unsigned threads) {
  simt::DeviceMemory memory(1 << 20);
  const reference::Interpreter interpreter(*kernel.program().module, memory);
  const std::uint64_t out = memory.allocate(4 * threads, "out");
  reference::Grid grid{{1, 1, 1}, {threads, 1, 1}, std::vector<std::byte>(sizeof out), 0};
  std::memcpy(grid.parameters.data(), &out, sizeof out);
  interpreter.run("kernel", grid);
  std::vector<std::uint32_t> words(threads);
  std::memcpy(words.data(), memory.find(out, 4 * threads), 4 * threads);
  return words;
}

void agrees(const std::string& mechanism, bool parts, bool functional) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    BarrierProgram program(seed, parts);
    const std::string text = program.text();
    const Kernel kernel(text, {}, {program.threads(), 1, 1}, program.threads(), kShared);
    ASSERT_EQ(kernel.error(one_core(mechanism), {.functional_only = functional, .max_cycles = 1000000}), "")
        << mechanism << ", " << program.threads() << " threads\n"
        << text;
    ASSERT_EQ(kernel.out(), by_the_reference(kernel, program.threads()))
        << mechanism << ", " << program.threads() << " threads\n"
        << text;
  }
}

TEST(BarrierDifferential, every_mechanism_agrees_with_the_reference_where_warps_come_as_one) {
  for (const std::string& mechanism : divergence_mechanism_names())
    for (const bool functional : {true, false}) agrees(mechanism, false, functional);
}

TEST(BarrierDifferential, threads_of_a_warp_that_come_from_two_paths_agree_with_the_reference) {
  for (const char* mechanism : {"multi-path", "multi-path-or"})
    for (const bool functional : {true, false}) agrees(mechanism, true, functional);
}

}  // namespace barrier_differential_test
}  // namespace warpfork::gpu
