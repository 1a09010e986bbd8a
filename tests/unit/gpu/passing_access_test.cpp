#include "gpu/passing_access.h"

#include <gtest/gtest.h>

#include "unit/memory/machines.h"

namespace warpfork::gpu {
namespace passing_access_test {

using memory::Cache;
using memory::MemorySystem;

constexpr std::uint64_t kBase = 0xc0000000;

/// Of a whole warp to a line.
simt::MemoryAccess of_a_line() {
  simt::MemoryAccess access;
  access.space = simt::MemorySpace::Global;
  access.lanes = ActiveMask::first(32);
  access.bytes = 4;
  for (unsigned lane = 0; lane < 32; ++lane) access.address[lane] = kBase + 4 * lane;
  return access;
}

/// Whether the L2 has the line.
bool has_line(MemorySystem& memory) {
  memory.inject({kBase, 128, AccessKind::Load, 0, 0}, 0);
  while (memory.response(0) == nullptr) memory.advance(memory.next_event());
  return memory.statistics().dram.reads == 0;
}

class PassThrough : public ::testing::Test {
 protected:
  Cache cache_{memory::testing::fermi_l1d()};
  MemorySystem memory_{memory::testing::gtx480(), 1}, other_{memory::testing::gtx480(), 1};  // alike
};

TEST_F(PassThrough, leaves_the_line_of_a_load_in_both_caches) {
  pass_through(of_a_line(), cache_, memory_);
  EXPECT_TRUE(cache_.hit(kBase, 4));
  EXPECT_TRUE(has_line(memory_));
}

TEST_F(PassThrough, asks_the_l2_for_no_line_that_the_core_has) {
  pass_through(of_a_line(), cache_, other_);
  pass_through(of_a_line(), cache_, memory_);
  EXPECT_FALSE(has_line(memory_));
}

TEST_F(PassThrough, leaves_the_line_of_a_store_in_the_l2_alone) {
  simt::MemoryAccess store = of_a_line();
  pass_through(store, cache_, memory_);
  store.is_write = true;
  pass_through(store, cache_, other_);
  EXPECT_FALSE(cache_.hit(kBase, 4));
  EXPECT_TRUE(has_line(other_));
}

TEST_F(PassThrough, takes_atomics_to_the_l2_past_the_core) {
  simt::MemoryAccess atomic = of_a_line();
  pass_through(atomic, cache_, memory_);
  atomic.is_atomic = true;
  pass_through(atomic, cache_, other_);
  EXPECT_TRUE(cache_.hit(kBase, 4)) << "as it was";
  EXPECT_TRUE(has_line(other_));
}

TEST_F(PassThrough, does_nothing_in_other_spaces) {
  simt::MemoryAccess shared = of_a_line();
  shared.space = simt::MemorySpace::Shared;
  pass_through(shared, cache_, memory_);
  EXPECT_FALSE(cache_.hit(kBase, 4));
  EXPECT_FALSE(has_line(memory_));
}

}  // namespace passing_access_test
}  // namespace warpfork::gpu
