#include "compiler/dynamic_memory.h"

#include <gtest/gtest.h>

namespace warpfork::compiler {
namespace dynamic_memory_test {

// nvcc 13 writes .align 16 of each of these.
TEST(DynamicMemory, of_a_launch_begins_at_a_multiple_of_16_bytes) {
  EXPECT_EQ(with_aligned_dynamic_memory(".extern .shared .align 1 .b8 memory[];\n"),
            ".extern .shared .align 16 .b8 memory[];\n");
  EXPECT_EQ(with_aligned_dynamic_memory("x\n.extern .shared .align 8 .b8 memory[];"),
            "x\n.extern .shared .align 16 .b8 memory[];");
}

TEST(DynamicMemory, that_begins_at_more_stays_and_so_do_other_variables) {
  for (const char* line : {".extern .shared .align 16 .b8 memory[];\n", ".extern .shared .align 128 .b8 memory[];\n",
                           "\t.shared .align 1 .b8 memory[5];\n", ".extern .global .align 1 .b8 memory[];\n",
                           ".extern .shared .align ", ".extern .shared .b8 memory[];\n"})
    EXPECT_EQ(with_aligned_dynamic_memory(line), line);
}

}  // namespace dynamic_memory_test
}  // namespace warpfork::compiler
