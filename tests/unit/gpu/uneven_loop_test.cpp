// Loops that threads of a warp leave thousands of turns apart, under a mechanism whose splits may make way.
#include <gtest/gtest.h>

#include <string>

#include "gpu/code_options.h"
#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace uneven_loop_test {

/// Thread 0 makes 2,000 turns, the others 10; `turn` counts them in %r3.
std::string uneven(const std::string& turn) {
  return "setp.eq.u32 %p0, %thread, 0;\nselp.u32 %r2, 2000, 10, %p0;\nmov.u32 %r3, 0;\nLOOP:\n" + turn +
         "\nsetp.lt.u32 %p1, %r3, %r2;\n@%p1 bra LOOP;\n";
}
const std::string kOrdinary = uneven("add.u32 %r3, %r3, 1;");
/// It counts the turns of all threads, too.
const std::string kPolling = uneven("atom.global.add.u32 %r3, [%mine], 1;\nred.global.add.u32 [%out+4096], 1;");

// A member mask names threads that must be there.
TEST(UnevenLoop, threads_wait_behind_it_for_the_last_one) {
  const Kernel kernel(kOrdinary + "bar.warp.sync 0xffffffff;\nst.global.u32 [%mine], %r3;\nret;", {3, 1, 1},
                      {32, 1, 1});
  for (const bool functional : {false, true})
    EXPECT_EQ(kernel.error(one_core("thread-frontier"), {.functional_only = functional}), "");
  EXPECT_EQ(kernel.out()[0], 2000u);
  EXPECT_EQ(kernel.out()[1], 10u);
}

// The others go on without thread 0 and read the count before it does: at the barrier there are two.
TEST(UnevenLoop, a_scalar_register_is_not_shared_by_threads_that_overtake_others) {
  for (const std::string rule : {"divergent", "convergent-only"}) {
    MachineSpec spec = one_core("thread-frontier");
    spec.core.scalarize = rule;
    spec.core.lanes.organisation = "simt-scalar";
    const Kernel kernel(kPolling + "ld.global.u32 %r5, [%out+4096];\nbar.sync 0;\nst.global.u32 [%mine], %r5;\nret;",
                        {1, 1, 1}, {32, 1, 1}, 4096, "", code_options(spec));
    EXPECT_EQ(kernel.error(spec, {.check_scalars = true}), "") << rule;
    EXPECT_GT(kernel.out()[0], kernel.out()[1]);
  }
}

}  // namespace uneven_loop_test
}  // namespace warpfork::gpu
