#include "cuda/progress_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>

#include "gpu/device.h"
#include "ptx/parser.h"
#include "simt/loaded_module.h"

namespace warpfork::cuda {
namespace progress_line_test {

using testing::EndsWith;
using testing::SizeIs;
using testing::StartsWith;

const ProgressState kState{"expand", "multi-path", 3, 1234567, 12, 96, 12};

TEST(ProgressText, tells_kernel_launch_cycles_and_blocks) {
  EXPECT_EQ(progress_text(kState, 80), "launch 3, expand: 1 234 567 cycles, 12 of 96 blocks, 12 s (multi-path)");
}

TEST(ProgressText, launch_without_timing_has_no_cycles) {
  ProgressState state = kState;
  state.cycles = 0;
  EXPECT_EQ(progress_text(state, 80), "launch 3, expand: 12 of 96 blocks, 12 s (multi-path)");
}

TEST(ProgressText, tells_that_the_launch_is_rehearsed) {
  ProgressState state = kState;
  state.rehearsal = 2;
  EXPECT_EQ(progress_text(state, 90),
            "launch 3, rehearsal 2, expand: 1 234 567 cycles, 12 of 96 blocks, 12 s (multi-path)");
}

TEST(ProgressText, mechanism_gives_way_to_the_kernels_name) {
  const std::string line = "launch 3, expand: 1 234 567 cycles, 12 of 96 blocks, 12 s";
  EXPECT_EQ(progress_text(kState, line.size() + 13), line + " (multi-path)");
  EXPECT_EQ(progress_text(kState, line.size() + 12), line);
}

TEST(ProgressText, long_name_is_cut_to_fit) {
  ProgressState state = kState;
  state.kernel = std::string(100, 'k');
  EXPECT_THAT(progress_text(state, 90), SizeIs(90));
  EXPECT_THAT(progress_text(state, 90), EndsWith("k: 1 234 567 cycles, 12 of 96 blocks, 12 s"));
  EXPECT_THAT(progress_text(state, 10), StartsWith("launch 3, : 1 234"));
}

/// Each of 64 blocks counts to 200.
constexpr const char* kPtx = R"(.version 6.3
.target sm_70
.address_size 64
.visible .entry count() {
  .reg .u32 %r<2>;
  .reg .pred %p;
  mov.u32 %r1, 0;
LOOP:
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p, %r1, 200;
  @%p bra LOOP;
  ret;
}
)";

class OnATerminal : public testing::Test {
 protected:
  void SetUp() override {
    winsize size{24, 100, 0, 0};
    ASSERT_EQ(openpty(&screen_, &terminal_, nullptr, nullptr, &size), 0);
    launch_.program = &module_.kernel("count");
    launch_.memory = &memory_;
    launch_.grid = {64, 1, 1};
    launch_.block = {32, 1, 1};
  }
  void TearDown() override {
    close(screen_);
    close(terminal_);
  }

  /// What came since the last look, up to `last`; the kernel delivers it a little later than it was written.
  std::string screen_until(char last) const {
    std::string text;
    for (char next; text.empty() || text.back() != last; text += next)
      if (!something_comes(1000) || read(screen_, &next, 1) != 1) break;
    return text;
  }
  bool something_comes(int milliseconds) const {
    pollfd event{screen_, POLLIN, 0};
    return poll(&event, 1, milliseconds) == 1;
  }

  int screen_ = -1, terminal_ = -1;
  simt::DeviceMemory memory_{1 << 20};
  simt::LoadedModule module_{ptx::parse(kPtx, "count.ptx"), memory_};
  simt::Launch launch_;
};

TEST_F(OnATerminal, line_is_painted_and_erased_when_the_launch_ends) {
  ProgressLine line("pdom", {terminal_, true, std::chrono::milliseconds(0)});
  line.begin(launch_);
  line.advanced(1000, 7);
  EXPECT_EQ(screen_until('\r'), "launch 1, count: 1 000 cycles, 7 of 64 blocks, 0 s (pdom)\033[K\r");
  line.advanced(1001, 7);  // too early for another one
  EXPECT_FALSE(something_comes(20));
  line.end();
  EXPECT_EQ(screen_until('K'), "\033[K");
}

TEST_F(OnATerminal, line_stays_between_launches_where_the_program_prints_elsewhere) {
  ProgressLine line("pdom", {terminal_, false, std::chrono::milliseconds(0)});
  line.begin(launch_);
  line.advanced(1000, 7);
  screen_until('\r');
  line.end();
  EXPECT_FALSE(something_comes(20));
  line.erase();
  EXPECT_EQ(screen_until('K'), "\033[K");
}

TEST_F(OnATerminal, short_run_shows_nothing) {
  ProgressLine line("pdom", {terminal_, true, std::chrono::hours(1)});
  line.begin(launch_);
  line.advanced(1000, 7);
  line.end();
  EXPECT_FALSE(something_comes(20));
}

TEST_F(OnATerminal, pipe_is_no_terminal) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ProgressLine line("pdom", {ends[1], true, std::chrono::milliseconds(0)});
  line.begin(launch_);
  line.advanced(1000, 7);
  line.end();
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

struct Heard final : gpu::LaunchProgress {
  void advanced(Cycle cycles, std::uint64_t finished_blocks) override { all.emplace_back(cycles, finished_blocks); }
  std::vector<std::pair<Cycle, std::uint64_t>> all;
};

TEST_F(OnATerminal, device_tells_how_far_it_is) {
  gpu::MachineSpec machine;
  machine.cores = 1;
  Heard heard;
  gpu::LaunchOptions options;
  options.progress = &heard;
  const auto record = gpu::Device(machine).run(launch_, options);
  ASSERT_GT(heard.all.size(), 1u);
  EXPECT_TRUE(std::is_sorted(heard.all.begin(), heard.all.end()));
  EXPECT_LT(heard.all.back().first, record.cycles);
  EXPECT_LT(heard.all.front().second, heard.all.back().second);
  EXPECT_LT(heard.all.back().second, 64u);  // its last blocks end with the launch
}

TEST_F(OnATerminal, functional_run_tells_every_block) {
  Heard heard;
  gpu::LaunchOptions options;
  options.functional_only = true;
  options.progress = &heard;
  gpu::Device(gpu::MachineSpec()).run(launch_, options);
  ASSERT_EQ(heard.all.size(), 64u);
  EXPECT_EQ(heard.all.front(), (std::pair<Cycle, std::uint64_t>(0, 1)));
  EXPECT_EQ(heard.all.back(), (std::pair<Cycle, std::uint64_t>(0, 64)));
}

}  // namespace progress_line_test
}  // namespace warpfork::cuda
