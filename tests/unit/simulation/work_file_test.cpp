#include "simulation/work_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "unit/test_folder.h"

namespace warpfork::simulation {
namespace work_file_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

/// A kernel that stores 7 in the first word of its buffer.
class WorkFile : public ::testing::Test {
 protected:
  WorkFile() {
    options_.program = test_folder() + "/seven.ptx";
    options_.launch = test_folder() + "/seven.toml";
    std::ofstream(options_.program)
        << ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry seven(.param .u64 out) {\n"
           "  .reg .u64 %a;\n  ld.param.u64 %a, [out];\n  st.global.u32 [%a], 7;\n  ret;\n}\n";
    std::ofstream(options_.launch)
        << "kernel = \"seven\"\ngrid = 1\nblock = 1\n[[argument]]\nbuffer = \"out\"\nbytes = 4\nfill = 0\n";
  }

  WorkOptions options_;
  const std::string file_ = test_folder() + "/work";
};

TEST_F(WorkFile, has_all_that_the_work_came_to) {
  options_.energy = true;
  options_.machine = "tesla30";
  ASSERT_TRUE(do_work_into(file_, options_, {"multi-path", ""}));
  const Work here = do_work(options_, {"multi-path", ""}, process::GuestOutput::Captured), there = read_work(file_);
  EXPECT_EQ(there.document(), here.document());
  EXPECT_EQ(there.outcome.status, 0);
  ASSERT_EQ(there.outcome.buffers.size(), 1u);
  EXPECT_EQ(there.outcome.buffers[0].name, "out");
  EXPECT_THAT(there.outcome.buffers[0].bytes, ElementsAre(std::byte{7}, std::byte{0}, std::byte{0}, std::byte{0}));
}

TEST_F(WorkFile, says_why_the_work_failed) {
  options_.kernels = "eight";
  EXPECT_FALSE(do_work_into(file_, options_, {}));
  EXPECT_THAT([&] { read_work(file_); }, ThrowsMessage<Error>(HasSubstr("no such kernel was launched")));
}

TEST_F(WorkFile, that_is_not_there_is_an_error) {
  EXPECT_THAT([&] { read_work(file_ + "-none"); }, ThrowsMessage<Error>(HasSubstr("No such file")));
}

TEST_F(WorkFile, options_are_the_same_when_they_come_back) {
  options_.arguments = {"a b", "\xff"};
  options_.overrides = {"core.warps=8"};
  options_.max_cycles = 1ull << 60;
  options_.scalarize = "divergent";
  options_.energy = true;
  write_work_options(file_, options_);
  const WorkOptions back = read_work_options(file_);
  EXPECT_EQ(back.program, options_.program);
  EXPECT_EQ(back.launch, options_.launch);
  EXPECT_EQ(back.overrides, options_.overrides);
  EXPECT_EQ(back.scalarize, "divergent");
  EXPECT_TRUE(back.energy);
  EXPECT_FALSE(back.functional_only);
  EXPECT_EQ(back.arguments, options_.arguments);
  EXPECT_EQ(back.max_cycles, options_.max_cycles);
}

}  // namespace work_file_test
}  // namespace warpfork::simulation
