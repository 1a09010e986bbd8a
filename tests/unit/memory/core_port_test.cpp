// Cores that run ahead of the memory side see what they would have seen beside it.
#include "memory/core_port.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "machines.h"
#include "memory/memory_system.h"

namespace warpfork::memory {
namespace core_port_test {

constexpr unsigned kCores = 4;

/// What a core does in a cycle depends on its number and the cycle alone: it takes a response in two of three cycles,
/// and sends in half of them as much as fits.
class BusyCore {
 public:
  BusyCore(MemorySystem& memory, unsigned number) : memory_(memory), number_(static_cast<std::uint16_t>(number)) {}

  void cycle(Cycle now) {
    const std::uint64_t chance = (now * 64 + number_ + 1) * 0x9e3779b97f4a7c15 >> 32;
    if (const MemoryRequest* response = memory_.response(number_); response != nullptr && chance % 3 != 0) {
      seen_ += std::to_string(now) + " took " + std::to_string(response->token) + "\n";
      memory_.pop_response(number_);
    }
    const bool is_store = chance % 5 == 0;
    const std::uint64_t address = 0xc0000000 + (chance >> 8) % 64 * 128;
    const MemoryRequest request{address, 128, is_store ? AccessKind::Store : AccessKind::Load, number_, next_};
    for (int i = 0; i < 3 && chance % 2 == 0; ++i) {
      if (!memory_.can_inject(number_, MemorySystem::data_bytes(request), now)) continue;
      seen_ += std::to_string(now) + " sent " + std::to_string(next_++) + "\n";
      memory_.inject(request, now);
    }
  }
  const std::string& seen() const { return seen_; }

 private:
  MemorySystem& memory_;
  std::uint16_t number_;
  std::uint32_t next_ = 0;
  std::string seen_;
};

std::string together(const MemorySpec& spec, Cycle end) {
  MemorySystem memory(spec, kCores);
  std::vector<BusyCore> cores;
  for (unsigned core = 0; core < kCores; ++core) cores.emplace_back(memory, core);
  for (Cycle now = 0; now < end; ++now) {
    if (memory.next_event() <= now) memory.advance(now);
    for (BusyCore& core : cores) core.cycle(now);
  }
  std::string seen;
  for (const BusyCore& core : cores) seen += core.seen();
  return seen + std::to_string(memory.statistics().latency_sum);
}

/// `ahead` counts the windows in which all cores ran ahead.
std::string in_windows(const MemorySpec& spec, Cycle end, unsigned& ahead) {
  MemorySystem memory(spec, kCores);
  std::vector<BusyCore> cores;
  for (unsigned core = 0; core < kCores; ++core) cores.emplace_back(memory, core);
  for (Cycle now = 0, until; now < end; now = until) {
    until = std::min(end, memory.known_until(now));
    bool can = true;
    for (unsigned core = 0; core < kCores; ++core) can = can && memory.can_run_ahead(core);
    ahead += can;
    for (unsigned core = 0; core < kCores && can; ++core) memory.begin_ahead(core);
    for (unsigned core = kCores; core-- != 0 && can;)
      for (Cycle cycle = now; cycle < until; ++cycle) {
        memory.set_cycle_ahead(core, cycle);
        cores[core].cycle(cycle);
      }
    memory.end_ahead();
    for (Cycle cycle = now; cycle < until; ++cycle) {
      if (memory.next_event() <= cycle) memory.advance(cycle);
      for (unsigned core = 0; core < kCores; ++core) can ? memory.repeat(core, cycle) : cores[core].cycle(cycle);
    }
  }
  std::string seen;
  for (const BusyCore& core : cores) seen += core.seen();
  return seen + std::to_string(memory.statistics().latency_sum);
}

TEST(PortAhead, a_core_sees_the_same_responses_and_the_same_room) {
  for (const MemorySpec& spec : {testing::gtx480(), testing::tesla30()}) {
    unsigned ahead = 0;
    EXPECT_EQ(in_windows(spec, 3000, ahead), together(spec, 3000));
    EXPECT_GT(ahead, 20u);
  }
}

TEST(PortAhead, a_port_with_little_room_before_the_switch_lets_nobody_run_ahead) {
  MemorySpec spec = testing::gtx480();
  for (const unsigned buffer : {3u, 10u, 16u}) {
    spec.interconnect.input_buffer = buffer;
    unsigned ahead = 0;
    EXPECT_EQ(in_windows(spec, 3000, ahead), together(spec, 3000)) << buffer;
  }
  // One tick a cycle: those of the latency, and two.
  spec.interconnect.input_buffer = spec.interconnect.latency + 2;
  EXPECT_TRUE(MemorySystem(spec, 1).can_run_ahead(0));
  --spec.interconnect.input_buffer;
  EXPECT_FALSE(MemorySystem(spec, 1).can_run_ahead(0));
}

TEST(PortAhead, a_core_takes_one_response_a_cycle_however_many_wait) {
  CorePort port;
  for (const Cycle visible : {3, 4}) port.responses.push({visible, {}, 1});
  PortAhead ahead;
  ahead.begin(port, 0);
  ahead.set_cycle(10);
  ASSERT_NE(ahead.response(port), nullptr);
  ahead.pop(port);
  EXPECT_EQ(ahead.response(port), nullptr);
  EXPECT_EQ(ahead.next_response(), 11u);
  ahead.set_cycle(11);
  EXPECT_EQ(ahead.response(port), &port.responses[1].request);
}

TEST(PortAhead, a_response_is_to_be_expected_until_it_is_taken) {
  MemorySystem memory(testing::gtx480(), 1);
  memory.inject({0xc0000000, 128, AccessKind::WriteBack, 0, 0}, 0);
  EXPECT_EQ(memory.cores_awaiting_response(), 0u);
  memory.inject({0xc0000000, 128, AccessKind::Load, 0, 0}, 0);
  EXPECT_EQ(memory.cores_awaiting_response(), 1u);
  while (memory.response(0) == nullptr) memory.advance(memory.next_event());
  EXPECT_EQ(memory.cores_awaiting_response(), 1u);
  memory.pop_response(0);
  EXPECT_EQ(memory.cores_awaiting_response(), 0u);
}

// The reply of a request that wins the switch in tick 0 is behind the port in tick 5, and shown in cycle 6.
TEST(PortAhead, responses_are_known_for_a_latency_and_a_cycle) {
  MemorySpec spec = testing::gtx480();
  spec.interconnect.latency = 5;
  EXPECT_EQ(MemorySystem(spec, 1).known_until(0), 6u);
  EXPECT_EQ(MemorySystem(spec, 1).known_until(100), 106u);
  spec.interconnect.latency = 1;
  EXPECT_EQ(MemorySystem(spec, 1).known_until(100), 102u);
}

}  // namespace core_port_test
}  // namespace warpfork::memory
