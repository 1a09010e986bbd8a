// Launches on a simulated GPU, and what is drawn of them.
#include "trace/tracer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "drawn.h"
#include "gpu/device.h"
#include "ptx/parser.h"
#include "simt/loaded_module.h"
#include "unit/test_folder.h"

namespace warpfork::trace {
namespace tracer_test {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Le;

/// Two blocks of 64 threads, on two cores of one scheduler.
class TracerTest : public ::testing::Test {
 protected:
  TracerTest()
      : loaded_(ptx::parse(".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry sums() {\n"
                           ".reg .b32 %r<3>;\n mov.u32 %r1, %tid.x;\n add.u32 %r2, %r1, 1;\n bar.sync 0;\n ret;\n}\n",
                           "sums.ptx"),
                memory_) {
    request_.file = test_folder() + "/events.json";
    request_.state_file = test_folder() + "/state.json";
    std::ofstream{request_.file};
    std::filesystem::remove(request_.state_file);
    machine_.cores = 2;
    machine_.core.schedulers = 1;
    launch_.program = &loaded_.kernel("sums");
    launch_.memory = &memory_;
    launch_.grid = {2, 1, 1};
    launch_.block = {64, 1, 1};
  }

  report::LaunchRecord launch(Tracer& tracer) {
    gpu::Device device(machine_);
    gpu::LaunchOptions options;
    options.trace = tracer.begin(launch_, machine_);
    const report::LaunchRecord record = device.run(launch_, options);
    tracer.end(record.cycles, record.cut_off);
    return record;
  }
  report::LaunchRecord launch() {
    Tracer tracer(request_);
    return launch(tracer);
  }
  Drawn drawn() const { return Drawn::of_events(request_.file); }

  simt::DeviceMemory memory_{1 << 20};
  simt::LoadedModule loaded_;
  gpu::MachineSpec machine_;
  simt::Launch launch_;
  Request request_;
};

Cycle cycles_of(const std::vector<Slice>& slices, const std::string& name) {
  return std::accumulate(slices.begin(), slices.end(), Cycle{0}, [&](Cycle sum, const Slice& slice) {
    return sum + (slice.name.starts_with(name) ? slice.until - slice.from : 0);
  });
}

TEST_F(TracerTest, draws_what_the_record_counts) {
  const report::LaunchRecord record = launch();
  const Drawn all = drawn();
  EXPECT_EQ(all.fault(), "");
  EXPECT_THAT(all.slices("launches", "launches"), ElementsAre(Slice{"sums", 0, record.cycles}));
  Cycle issues = 0, fetch = 0;
  for (const char* core : {"core 0", "core 1"}) {
    issues += cycles_of(all.slices(core, "scheduler 0"), "warp ");
    fetch += cycles_of(all.slices(core, "scheduler 0"), "fetch");
  }
  EXPECT_EQ(issues, record.warp_instructions);
  EXPECT_EQ(fetch, record.stalls[static_cast<unsigned>(report::StallCause::Fetch)]);
}

TEST_F(TracerTest, draws_each_launch_behind_the_one_before_also_of_another_process) {
  Cycle first = 0, second = 0;
  {
    Tracer tracer(request_);
    first = launch(tracer).cycles;
    second = launch(tracer).cycles;
  }
  launch();
  EXPECT_EQ(drawn().fault(), "");
  const std::vector<Slice> launches = drawn().slices("launches", "launches");
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_GE(launches[1].from, first);
  EXPECT_EQ(launches[1].until - launches[1].from, second);
  EXPECT_GE(launches[2].from, launches[1].until);
  EXPECT_EQ(read_state(request_.state_file).launches, 3u);
}

TEST_F(TracerTest, draws_the_cores_and_cycles_that_were_asked_for) {
  const Cycle all = launch().cycles;
  std::ofstream{request_.file};
  std::filesystem::remove(request_.state_file);
  request_.cores = {1, 1};
  request_.cycles = {10, all - 5};
  launch();
  EXPECT_EQ(drawn().fault(), "");
  EXPECT_THAT(drawn().slices("core 0", "scheduler 0"), IsEmpty());
  const std::vector<Slice> slots = drawn().slices("core 1", "scheduler 0");
  ASSERT_FALSE(slots.empty());
  EXPECT_EQ(slots.front().from, 10u);
  EXPECT_THAT(slots, Each(Field(&Slice::until, Le(all - 4))));
  EXPECT_EQ(drawn().slices("core 1", "warp 0").front().from, 10u);
  EXPECT_THAT(drawn().slices("launches", "launches"), ElementsAre(Slice{"sums", 10, all - 4}));
}

TEST_F(TracerTest, draws_no_more_when_the_file_is_full_and_says_where) {
  request_.bytes = 2000;
  launch();
  EXPECT_EQ(drawn().fault(), "");
  const State state = read_state(request_.state_file);
  ASSERT_TRUE(state.full_at);
  EXPECT_THAT(drawn().instants("launches", "launches"),
              ElementsAre(Slice{"no more is drawn from here on", *state.full_at, *state.full_at}));
}

TEST_F(TracerTest, leaves_why_the_system_took_no_more_and_the_launch_goes_on) {
  request_.file = "/dev/full";
  EXPECT_GT(launch().cycles, 0u);
  launch();
  EXPECT_EQ(read_state(request_.state_file).failure, "No space left on device");
  EXPECT_EQ(read_state(request_.state_file).launches, 2u);
}

TEST_F(TracerTest, keeps_what_came_before_a_failure_and_its_cause) {
  Tracer tracer(request_);
  gpu::LaunchOptions options;
  options.trace = tracer.begin(launch_, machine_);
  options.max_cycles = 20;
  gpu::Device device(machine_);
  device.run(launch_, options);
  tracer.fail("it hangs\nand more");
  EXPECT_EQ(drawn().fault(), "");
  EXPECT_EQ(drawn().event("launches", "launches", "sums")["args"]["ended by"], "it hangs");
  EXPECT_FALSE(drawn().slices("core 0", "warp 0").empty());
}

TEST_F(TracerTest, draws_temporal_lanes) {
  machine_.core.lanes.organisation = "tsimt";
  launch();
  EXPECT_EQ(drawn().fault(), "");
  // Warp 0's threads go through its lane one after the other: mov and add, 32 cycles each.
  for (const char* core : {"core 0", "core 1"})
    EXPECT_GE(cycles_of(drawn().slices(core, "lane 0"), "warp 0"), 64u) << core;
}

}  // namespace tracer_test
}  // namespace warpfork::trace
