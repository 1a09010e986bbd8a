#include "gpu/scalar_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gtx480_spec.h"
#include "kernel.h"

namespace warpfork::gpu {
namespace scalar_checker_test {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Pc kFirst = 7;  // of the body, behind what Kernel puts before it

/// One warp, with the classification broken in one place.
class Misclassified {
 public:
  explicit Misclassified(std::string_view body)
      : kernel_(body, {1, 1, 1}, {32, 1, 1}, 64, "", {.scalars = analysis::ScalarRule::Divergent}),
        program_(kernel_.program()) {
    spec_.core.lanes.organisation = "tsimt";
    spec_.core.scalarize = "divergent";
    kernel_.launch().program = &program_;
  }

  Misclassified& instruction(Pc behind_first) {
    program_.code[kFirst + behind_first].scalar = true;
    return *this;
  }
  Misclassified& scalar(const std::string& name) {
    for (ptx::RegisterId id = 0; id < program_.function->registers.size(); ++id)
      if (program_.function->registers[id].name == name) program_.scalars.registers.insert(id);
    return *this;
  }
  std::string error(bool check = true) const {
    return kernel_.error(spec_, {.functional_only = true, .check_scalars = check});
  }

 private:
  MachineSpec spec_ = one_core();
  Kernel kernel_;
  simt::Program program_;
};

constexpr std::string_view kIndex = "mov.u32 %r3, %tid.x;\n add.u32 %r4, %r3, 5;\n st.global.u32 [%mine], %r4;\n ret;";

TEST(ScalarChecker, finds_nothing_in_a_right_classification) { EXPECT_EQ(Misclassified(kIndex).error(), ""); }

TEST(ScalarChecker, names_instruction_line_and_thread_where_a_special_register_differs) {
  const std::string error = Misclassified(kIndex).instruction(0).error();
  EXPECT_THAT(error, AllOf(HasSubstr("kernel.ptx:17: error: kernel 'kernel', thread (1,0,0) of block (0,0,0)"),
                           HasSubstr("reads a special register as 0x1, and lane 0 as 0x0"),
                           HasSubstr("instruction 7: mov.u32")));
}

TEST(ScalarChecker, names_the_register_in_which_operands_of_a_scalar_instruction_differ) {
  EXPECT_THAT(Misclassified(kIndex).instruction(1).error(),
              HasSubstr("scalar instruction reads %r3 as 0x1, and lane 0 as 0x0"));
}

TEST(ScalarChecker, names_a_scalar_register_into_which_threads_write_different_values) {
  EXPECT_THAT(Misclassified(kIndex).scalar("%r3").error(), HasSubstr("an instruction writes %r3 as 0x1, and lane 0"));
}

TEST(ScalarChecker, finds_a_scalar_instruction_that_writes_a_register_of_each_thread) {
  EXPECT_THAT(Misclassified("mov.u32 %r3, %tid.x;\n mov.u32 %r3, 2;\n ret;").instruction(1).error(),
              HasSubstr("scalar instruction writes %r3, a register of each thread"));
}

/// Odd threads still need the 7 when even ones have written the 8.
constexpr std::string_view kTwoVersions =
    "and.b32 %r2, %thread, 1;\n setp.ne.u32 %p0, %r2, 0;\n mov.u32 %r3, 7;\n @%p0 bra L;\n mov.u32 %r3, 8;\n"
    "L: st.global.u32 [%mine], %r3;\n ret;";

TEST(ScalarChecker, finds_a_scalar_register_with_two_versions) {
  EXPECT_EQ(Misclassified(kTwoVersions).error(), "");
  EXPECT_THAT(Misclassified(kTwoVersions).scalar("%r3").error(),
              AllOf(HasSubstr("scalar register %r3 holds 0x8, and the thread's own value is 0x7: it has two versions"),
                    HasSubstr("thread (1,0,0)"), HasSubstr("instruction 12: st.global.u32")));
}

TEST(ScalarChecker, is_silent_unless_asked) { EXPECT_EQ(Misclassified(kTwoVersions).scalar("%r3").error(false), ""); }

}  // namespace scalar_checker_test
}  // namespace warpfork::gpu
