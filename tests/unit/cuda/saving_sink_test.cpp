#include "cuda/saving_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "checkpoint/launch_file.h"
#include "config/text_file.h"
#include "cudart/functional_sink.h"
#include "unit/checkpoint/sample_launch.h"
#include "unit/test_folder.h"

namespace warpfork::cuda {
namespace saving_sink_test {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class SavingSinkTest : public ::testing::Test {
 protected:
  std::unique_ptr<LaunchSink> sink(std::uint64_t launch) const {
    return make_saving_sink(std::make_unique<FunctionalSink>(), {launch, file_, "p"});
  }

  checkpoint::SampleLaunch sample_;
  const std::string file_ = test_folder() + "/saved.wfl";
};

TEST_F(SavingSinkTest, writes_one_launch_before_it_runs) {
  const auto saving = sink(2);
  saving->run(sample_.launch);
  EXPECT_FALSE(std::filesystem::exists(file_));
  *sample_.memory.find(sample_.first, 1) = std::byte{1};  // over what the launch before has left there
  saving->run(sample_.launch);
  const checkpoint::LaunchFile file(config::read_text(file_), file_);
  EXPECT_EQ(file.launch().number, 2u);
  EXPECT_EQ(file.launch().program, "p");
  EXPECT_EQ(file.ptx(), checkpoint::kSamplePtx);
  simt::DeviceMemory memory(8 << 20);
  file.restore(memory);
  EXPECT_EQ(*memory.find(sample_.first, 1), std::byte{1});
  EXPECT_NE(*sample_.memory.find(sample_.first, 1), std::byte{1});  // the kernel has run
}

TEST_F(SavingSinkTest, notes_the_copies_that_came_before) {
  const auto saving = sink(1);
  saving->copied_from_host(sample_.first, 10);
  saving->copied_from_host(sample_.large, 20);
  saving->run(sample_.launch);
  saving->copied_from_host(sample_.first, 30);
  const checkpoint::LaunchFile file(config::read_text(file_), file_);
  ASSERT_EQ(file.launch().copies.size(), 2u);
  EXPECT_EQ(file.launch().copies[1].bytes, 20u);
}

TEST_F(SavingSinkTest, says_that_its_file_cannot_be_written) {
  const auto saving = make_saving_sink(std::make_unique<FunctionalSink>(), {1, "/nowhere/f.wfl", "p"});
  EXPECT_THAT([&] { saving->run(sample_.launch); },
              ThrowsMessage<Error>(HasSubstr("--save-launch: /nowhere/f.wfl: cannot be written: No such file")));
}

}  // namespace saving_sink_test
}  // namespace warpfork::cuda
