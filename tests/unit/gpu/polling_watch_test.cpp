#include "gpu/polling_watch.h"

#include <gtest/gtest.h>

#include "divergence/registry.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace polling_watch_test {

/// Whether warp 0 of a block of one warp polls, as the watch hears it for so many instructions.
bool polls(const std::string& body, unsigned instructions = PollingWatch::kLook) {
  Kernel kernel(body, {}, {32, 1, 1});
  ResidentBlock block(kernel.launch(), find_divergence_mechanism("pdom").make({}));
  block.start({0, 0, 0}, 0);
  PollingWatch watch(kernel.program());
  watch.begin();
  for (unsigned n = 0; n < instructions && !block.domain().runnable(0).empty(); ++n)
    watch.stepped(block, block.execute(block.domain().runnable(0)[0], 0));
  EXPECT_EQ(watch.gets_nowhere(block), watch.polls(0));
  return watch.polls(0);
}

std::string loop(const std::string& body) { return "mov.u32 %r2, 0; LOOP:" + body + "bra LOOP;"; }

TEST(PollingWatch, hears_that_a_warp_reads_the_same_words_again) {
  EXPECT_TRUE(polls(loop("ld.volatile.global.u32 %r3, [%out];")));
  EXPECT_TRUE(polls(loop("ld.volatile.global.u32 %r3, [%out]; ld.relaxed.gpu.global.u32 %r4, [%mine];")));
  EXPECT_TRUE(polls(loop("atom.global.cas.b32 %r3, [%out], 1, 2;")));
  EXPECT_TRUE(polls(loop("membar.gl; ld.global.u32 %r3, [%out];")));
}

TEST(PollingWatch, looks_at_no_registers_and_no_clock) {
  EXPECT_TRUE(polls(loop("add.u32 %r2, %r2, 1; mov.u32 %r4, %clock; ld.volatile.global.u32 %r3, [%out];")));
}

TEST(PollingWatch, takes_what_changes_for_progress) {
  EXPECT_FALSE(polls(loop("atom.global.add.u32 %r3, [%out], 1;")));
  EXPECT_FALSE(polls(loop("ld.volatile.global.u32 %r3, [%out]; add.u32 %r2, %r2, 1; st.global.u32 [%mine], %r2;")));
  EXPECT_FALSE(polls(loop("ld.volatile.global.u32 %r3, [%out]; add.u64 %out, %out, 4;")));
  EXPECT_TRUE(polls(loop("ld.volatile.global.u32 %r3, [%out]; st.global.u32 [%mine], %r2;")));
}

TEST(PollingWatch, needs_something_that_is_there_for_others) {
  EXPECT_FALSE(polls(loop("add.u32 %r2, %r2, 1;")));
  EXPECT_FALSE(polls(loop("ld.global.u32 %r3, [%out];")));
  EXPECT_FALSE(polls(loop("st.global.u32 [%out], %r2;")));
}

// Six instructions come before the body and one before the loop; then every second one is an access.
TEST(PollingWatch, needs_four_accesses) {
  EXPECT_FALSE(polls(loop("ld.volatile.global.u32 %r3, [%out];"), 7 + 3 * 2));
  EXPECT_TRUE(polls(loop("ld.volatile.global.u32 %r3, [%out];"), 7 + 4 * 2));
}

// A turn of the loop is an access by itself and 3000 in a loop of four instructions: two turns are 24,006.
TEST(PollingWatch, hears_that_a_warp_asks_many_words_in_turn) {
  const std::string body =
      "ld.volatile.global.u32 %r3, [%mine]; mov.u32 %r4, 3000;"
      "MANY: ld.volatile.global.u32 %r3, [%out]; sub.u32 %r4, %r4, 1; setp.ne.u32 %p0, %r4, 0; @%p0 bra MANY;";
  EXPECT_FALSE(polls(loop(body), 2 * 12000));
  EXPECT_TRUE(polls(loop(body), 2 * 12000 + 20));
}

TEST(PollingWatch, is_due_later_and_later) {
  const Kernel kernel("ret;", {}, {32, 1, 1});
  PollingWatch watch(kernel.program());
  std::vector<unsigned> due;
  for (unsigned stretch = 1; stretch <= 30; ++stretch)
    if (watch.is_due()) due.push_back(stretch);
  EXPECT_EQ(due, (std::vector<unsigned>{1, 2, 4, 7, 11, 17, 26}));
}

}  // namespace polling_watch_test
}  // namespace warpfork::gpu
