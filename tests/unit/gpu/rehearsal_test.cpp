#include "gpu/rehearsal.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>

#include "base/error.h"

namespace warpfork::gpu {
namespace rehearsal_test {

ProfiledDivergence at(Pc branch) {
  ProfiledDivergence entry;
  entry.branch = branch;
  return entry;
}

TEST(Rehearsal, brings_back_what_was_learnt_ready_to_be_looked_up) {
  const std::optional<CompactionProfile> record = rehearse(3, [](CompactionProfile& learnt) {
    learnt.of_block(0) = {at(7), at(5)};
    learnt.of_block(2).assign(100000, at(9));  // more than a pipe holds
  });
  ASSERT_TRUE(record);
  EXPECT_EQ(record->find(0, 5, 0, 0).size(), 1u);
  EXPECT_TRUE(record->of_block(1).empty());
  EXPECT_EQ(record->find(2, 9, 0, 0).size(), 100000u);
}

TEST(Rehearsal, changes_nothing_here) {
  int memory = 1;
  rehearse(1, [&](CompactionProfile&) { memory = 2; });
  EXPECT_EQ(memory, 1);
}

TEST(Rehearsal, leaves_no_process_behind) {
  rehearse(1, [](CompactionProfile&) {});
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Rehearsal, teaches_nothing_if_it_ends_with_an_error) {
  EXPECT_FALSE(rehearse(1, [](CompactionProfile& learnt) {
    learnt.of_block(0) = {at(7)};
    throw Error("the kernel does something wrong");
  }));
  EXPECT_FALSE(rehearse(1, [](CompactionProfile&) { check(false, [] { return "the model does"; }); }));
}

TEST(Rehearsal, teaches_nothing_if_its_process_dies) {
  EXPECT_FALSE(rehearse(1, [](CompactionProfile&) { std::quick_exit(0); }));
}

}  // namespace rehearsal_test
}  // namespace warpfork::gpu
