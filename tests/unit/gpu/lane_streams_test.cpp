// Lanes that let groups pass in streams, against lanes of which every group is heard and goes through all its cycles.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "gpu/lane_listener.h"
#include "lane_bench.h"

namespace warpfork::gpu {
namespace lane_streams_test {

using simt::Instruction;

struct Deaf : LaneListener {
  void entered(const InFlight&, unsigned, ActiveMask, Cycle) override {}
};

class LaneStreams : public ::testing::TestWithParam<const char*> {
 protected:
  static constexpr unsigned kCycles = 200000, kWarps = 16, kInstructions = 64;

  LaneStreams() {
    for (unsigned i = 0; i < kInstructions; ++i) instructions_.push_back(random_instruction());
    observed_.lanes().set_listener(&listener_);
  }

  static CoreSpec spec() {
    CoreSpec spec;
    spec.execution.sp_units = 1;
    spec.lanes.organisation = GetParam();
    spec.lanes.width = 4;
    return spec;
  }

  Instruction random_instruction() {
    Instruction made{};
    made.kind = simt::InstructionKind::Exit;  // each warp's: that they are done is told in time
    made.source_count = static_cast<std::uint8_t>(random_() % 4);
    for (unsigned i = 0; i < made.source_count; ++i) made.sources[i] = static_cast<std::uint16_t>(random_() % 64);
    made.destination_count = random_() % 4 != 0;
    made.destinations[0] = static_cast<std::uint16_t>(random_() % 64);
    return made;
  }

  /// Words of neighbours, of every so-many-th, or any.
  std::vector<std::uint64_t> random_addresses() {
    const std::uint64_t first = random_() % 64, stride = random_() % 4;
    std::vector<std::uint64_t> addresses;
    for (unsigned thread = 0, threads = 1 + static_cast<unsigned>(random_() % 32); thread < threads; ++thread)
      addresses.push_back(4 * (stride == 3 ? random_() % 256 : first + thread * stride));
    return addresses;
  }

  /// Neighbours from the first thread on, any threads, or one.
  ActiveMask random_threads() {
    const auto any = static_cast<std::uint32_t>(random_());
    switch (random_() % 4) {
      case 0:
        return ActiveMask(any);
      case 1:
        return ActiveMask::single(any % 32);
      default:
        return ActiveMask::first(1 + any % 32);
    }
  }

  /// A warp whose lane is free, if this one's is, gets an instruction in both.
  void issue(unsigned warp) {
    if (!streams_.lanes().room().of(Port::Memory).contains(warp) || random_() % 4 == 0) return;
    const Instruction& instruction = instructions_[random_() % kInstructions];
    const bool shared = random_() % 3 == 0;
    const std::vector<std::uint64_t> addresses = random_addresses();
    const ActiveMask threads = random_threads();
    for (LaneBench* bench : {&streams_, &observed_})
      if (shared)
        bench->issue_access(instruction, warp, simt::MemorySpace::Shared, addresses);
      else
        bench->issue(instruction, warp, threads);
  }

  std::mt19937 random_{4};
  std::vector<Instruction> instructions_;
  Deaf listener_;
  LaneBench streams_{spec()}, observed_{spec()};
};

TEST_P(LaneStreams, take_the_cycles_that_every_group_takes_on_its_own) {
  for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
    issue(static_cast<unsigned>(random_() % kWarps));
    streams_.step();
    observed_.step();
    ASSERT_EQ(streams_.written, observed_.written) << cycle;
    ASSERT_EQ(streams_.left, observed_.left) << cycle;
    ASSERT_EQ(streams_.lanes().room().of(Port::Sp), observed_.lanes().room().of(Port::Sp)) << cycle;
  }
  EXPECT_GT(streams_.left, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Of, LaneStreams, ::testing::Values("tsimt", "stsimt4"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace lane_streams_test
}  // namespace warpfork::gpu
