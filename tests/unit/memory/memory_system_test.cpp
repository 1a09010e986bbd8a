#include "memory/memory_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "base/error.h"
#include "machines.h"

namespace warpfork::memory {
namespace memory_system_test {

constexpr std::uint64_t kBase = 0xc0000000;

MemoryRequest load(std::uint64_t address, std::uint16_t core = 0, std::uint32_t token = 0) {
  return {address, 128, AccessKind::Load, core, token};
}

/// Advances until the core's port shows a response; returns that cycle.
Cycle wait(MemorySystem& memory, unsigned core) {
  Cycle now = 0;
  while (memory.response(core) == nullptr) memory.advance(now = memory.next_event());
  return now;
}

// From the calibration case pointer_chase_l2 of GPGPU-Sim's GTX 480: 137 cycles below the core's caches.
TEST(MemorySystem, brings_a_load_that_hits_the_l2_back_in137_cycles) {
  MemorySystem memory(testing::gtx480(), 15);
  memory.warm(kBase, 65536);
  memory.inject(load(kBase, 3, 42), 1000);
  EXPECT_EQ(wait(memory, 3), 1137u);
  EXPECT_EQ(memory.response(3)->token, 42u);
  EXPECT_EQ(memory.response_cycle(3), 1137u);
  EXPECT_EQ(memory.cores_with_responses(), 0b1000u);
}

// pointer_chase_dram takes 127.15 cycles a step more than pointer_chase_l2.
TEST(MemorySystem, brings_a_load_that_goes_to_a_closed_dram_row_back_in127_cycles_more) {
  MemorySystem memory(testing::gtx480(), 15);
  memory.inject(load(kBase), 0);
  EXPECT_NEAR(static_cast<double>(wait(memory, 0)), 137 + 127, 2);
  EXPECT_EQ(memory.statistics().dram.reads, 4u);
  EXPECT_EQ(memory.statistics().dram.activates, 1u);
}

// pointer_chase_l2 of the 30-core machine takes 165.25 − 142 = 23 cycles more below the caches than the GTX 480's.
TEST(MemorySystem, counts_a_slower_interconnect_in_core_cycles) {
  MemorySystem memory(testing::tesla30(), 30);
  memory.warm(kBase, 65536);
  memory.inject(load(kBase), 1000);
  EXPECT_NEAR(static_cast<double>(wait(memory, 0)), 1000 + 137 + 23, 1);
}

TEST(MemorySystem, answers_stores_and_atomics_once) {
  MemorySystem memory(testing::gtx480(), 2);
  memory.inject({kBase, 128, AccessKind::Store, 0, 1}, 0);
  memory.inject({kBase + 4096, 32, AccessKind::Atomic, 1, 2}, 0);
  wait(memory, 0);
  EXPECT_EQ(memory.response(0)->kind, AccessKind::Store);
  memory.pop_response(0);
  wait(memory, 1);
  EXPECT_EQ(memory.response(1)->token, 2u);
  memory.pop_response(1);
  while (memory.next_event() != kNever) memory.advance(memory.next_event());
  EXPECT_TRUE(memory.idle());
  EXPECT_EQ(memory.statistics().responses, 2u);
}

// 8 + 128 bytes are 4 flits of 40: two stores fill 8 of the 9 places of the injection queue.
TEST(MemorySystem, lets_a_core_inject_as_much_as_its_queue_holds) {
  MemorySystem memory(testing::gtx480(), 1);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(memory.can_inject(0, 128, 0));
    memory.inject({kBase, 128, AccessKind::Store, 0, 0}, 0);
  }
  EXPECT_FALSE(memory.can_inject(0, 128, 0));
  EXPECT_TRUE(memory.can_inject(0, 0, 0));
  EXPECT_FALSE(memory.can_inject(0, 128, 2));
  EXPECT_TRUE(memory.can_inject(0, 128, 3));
}

TEST(MemorySystem, shows_a_core_one_response_a_cycle) {
  MemorySystem memory(testing::gtx480(), 1);
  memory.warm(kBase, 65536);
  memory.inject({kBase, 32, AccessKind::Load, 0, 0}, 0);
  memory.inject({kBase + 256, 32, AccessKind::Load, 0, 1}, 0);
  const Cycle first = wait(memory, 0);
  memory.pop_response(0);
  EXPECT_EQ(memory.response(0), nullptr);
  EXPECT_EQ(memory.next_event(), first + 1);
  memory.advance(first + 1);
  EXPECT_NE(memory.response(0), nullptr);
}

TEST(MemorySystem, leaves_copies_in_the_l2_least_recent_first_out) {
  MemorySystem memory(testing::gtx480(), 1);
  memory.warm(kBase, 768 * 1024);               // fills all of it
  memory.warm(kBase + (1 << 20), 6 * 256 * 2);  // evicts the first lines of the sets it falls into
  memory.inject(load(kBase + 768 * 1024 - 128), 0);
  wait(memory, 0);
  EXPECT_EQ(memory.statistics().l2.hits, 4u);
}

TEST(MemorySystem, starts_cold_when_copies_do_not_fill_the_l2) {
  MemorySpec spec = testing::gtx480();
  spec.l2.filled_by_copies = false;
  MemorySystem memory(spec, 1);
  memory.warm(kBase, 65536);
  memory.inject(load(kBase), 0);
  wait(memory, 0);
  EXPECT_EQ(memory.statistics().l2.misses, 4u);
}

TEST(MemorySystem, keeps_the_l2_and_restarts_its_clock_between_kernels) {
  MemorySystem memory(testing::gtx480(), 1);
  memory.inject(load(kBase), 0);
  wait(memory, 0);
  memory.pop_response(0);
  memory.end_kernel();
  EXPECT_TRUE(memory.idle());
  memory.inject(load(kBase), 0);
  EXPECT_EQ(wait(memory, 0), 137u);
}

/// Many cores at once; returns every response as (cycle, core, token).
std::vector<std::tuple<Cycle, unsigned, std::uint32_t>> traffic(bool every_cycle) {
  MemorySystem memory(testing::gtx480(), 15);
  std::vector<std::tuple<Cycle, unsigned, std::uint32_t>> seen;
  std::uint64_t random = 1;
  for (Cycle now = 0; now < 6000; ++now) {
    if (every_cycle || memory.next_event() <= now) memory.advance(now);
    for (unsigned core = 0; core < 15; ++core) {
      if (const MemoryRequest* response = memory.response(core)) {
        seen.emplace_back(now, core, response->token);
        memory.pop_response(core);
      }
      random = random * 6364136223846793005u + 1442695040888963407u;
      const AccessKind kind = random >> 60 == 0 ? AccessKind::Store : AccessKind::Load;
      if (now >= 2000 || (random >> 56) % 4 != 0 || !memory.can_inject(core, kind == AccessKind::Store ? 128 : 0, now))
        continue;
      memory.inject({kBase + (random >> 20) % 65536 * 128, 128, kind, static_cast<std::uint16_t>(core),
                     static_cast<std::uint32_t>(now)},
                    now);
    }
  }
  EXPECT_TRUE(memory.idle());
  EXPECT_EQ(memory.statistics().responses, seen.size());
  return seen;
}

// Also: every request is answered, none twice, under full load.
TEST(MemorySystem, does_the_same_when_idle_cycles_are_skipped) {
  const auto skipping = traffic(false);
  EXPECT_GT(skipping.size(), 1000u);
  EXPECT_EQ(skipping, traffic(true));
}

TEST(MemorySystem, refuses_a_request_across_a_line) {
  MemorySystem memory(testing::gtx480(), 1);
  EXPECT_THROW(memory.inject({kBase + 64, 128, AccessKind::Load, 0, 0}, 0), InvariantError);
}

TEST(MemorySystem, refuses_a_clock_that_stands_still) {
  MemorySpec spec;
  spec.clock.dram_mhz = 0;
  EXPECT_THROW(MemorySystem(spec, 1), Error);
}

// A written line with its header has 136 bytes: 5 flits of 32.
TEST(MemorySystem, refuses_queues_that_a_written_line_would_never_pass) {
  const auto with = [](unsigned injection_queue, unsigned output_buffer, unsigned flit_bytes) {
    MemorySpec spec = testing::tesla30();
    spec.interconnect.injection_queue = injection_queue;
    spec.interconnect.output_buffer = output_buffer;
    spec.interconnect.flit_bytes = flit_bytes;
    return MemorySystem(spec, 1);
  };
  EXPECT_NO_THROW(with(5, 5, 32));
  EXPECT_THROW(with(4, 5, 32), Error);
  EXPECT_THROW(with(5, 4, 32), Error);
  EXPECT_THROW(with(5, 5, 27), Error);
}

TEST(MemorySystem, refuses_more_slices_than_the_interconnect_has_ports_by_their_keys) {
  const auto with = [](unsigned channels) {
    MemorySpec spec = testing::gtx480();  // with two slices a channel
    spec.mapping.channels = channels;
    return MemorySystem(spec, 1);
  };
  EXPECT_NO_THROW(with(32));
  EXPECT_THAT([&] { with(33); },
              ::testing::ThrowsMessage<Error>(::testing::HasSubstr("memory.mapping.channels is 33 and")));
}

// 0x7000 are three bits, which number eight banks: with fewer a request would go to none, with more some idle for ever.
TEST(MemorySystem, refuses_banks_that_the_bank_mask_does_not_number) {
  const auto with = [](unsigned banks, std::uint64_t bank_mask) {
    MemorySpec spec = testing::tesla30();
    spec.dram.banks = banks;
    spec.mapping.bank_mask = bank_mask;
    return MemorySystem(spec, 1);
  };
  EXPECT_NO_THROW(with(8, 0x7000));
  EXPECT_NO_THROW(with(1, 0));
  EXPECT_THROW(with(4, 0x7000), Error);
  EXPECT_THROW(with(16, 0x7000), Error);
  EXPECT_THROW(with(8, 0x6000), Error);
}

}  // namespace memory_system_test
}  // namespace warpfork::memory
