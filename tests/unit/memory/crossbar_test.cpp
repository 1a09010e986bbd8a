#include "memory/crossbar.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

namespace warpfork::memory {
namespace crossbar_test {

struct Delivery {
  unsigned output;
  std::uint32_t payload;
  Tick arrival;
  bool operator==(const Delivery&) const = default;
};

/// Steps through the ticks and takes every packet off its port at once.
std::vector<Delivery> run(Crossbar& crossbar, Tick from, Tick to, bool release = true) {
  std::vector<Delivery> deliveries;
  for (Tick tick = from; tick < to; ++tick)
    crossbar.step(tick, [&](unsigned output, std::uint32_t payload, unsigned flits, Tick arrival) {
      deliveries.push_back({output, payload, arrival});
      if (release) crossbar.release(output, flits);
    });
  return deliveries;
}

constexpr CrossbarSpec kSpec = {.flit_bytes = 40, .latency = 5};

TEST(Crossbar, carries_a_lone_packet_in_its_latency) {
  Crossbar crossbar(kSpec, 2, 2, 9);
  crossbar.send(0, 1, 1, 77, 10);
  EXPECT_TRUE(run(crossbar, 9, 10).empty());
  EXPECT_EQ(run(crossbar, 10, 11), (std::vector<Delivery>{{1, 77, 15}}));
  EXPECT_TRUE(crossbar.empty());
}

TEST(Crossbar, delivers_a_packet_when_its_last_flit_is_there) {
  Crossbar crossbar(kSpec, 1, 1, 9);
  crossbar.send(0, 0, crossbar.flits_of(8 + 128), 77, 10);  // 136 bytes: 4 flits
  EXPECT_EQ(run(crossbar, 10, 20), (std::vector<Delivery>{{0, 77, 18}}));
}

TEST(Crossbar, moves_one_flit_a_tick_through_a_port) {
  Crossbar crossbar(kSpec, 1, 2, 9);
  crossbar.send(0, 0, 1, 1, 10);
  crossbar.send(0, 1, 1, 2, 10);
  EXPECT_EQ(run(crossbar, 10, 20), (std::vector<Delivery>{{0, 1, 15}, {1, 2, 16}}));
}

TEST(Crossbar, gives_an_output_to_its_inputs_in_turn) {
  Crossbar crossbar(kSpec, 3, 1, 9);
  for (unsigned input = 0; input < 3; ++input)
    for (unsigned i = 0; i < 2; ++i) crossbar.send(input, 0, 1, 10 * input + i, 0);
  std::vector<std::uint32_t> order;
  for (const Delivery& delivery : run(crossbar, 0, 10)) order.push_back(delivery.payload);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 10, 20, 1, 11, 21}));
}

// Head-of-line blocking: the second packet of input 1 waits behind its first, though its own output is free.
TEST(Crossbar, blocks_packets_behind_the_head_of_their_input) {
  Crossbar crossbar(kSpec, 2, 2, 9);
  crossbar.send(0, 0, 1, 1, 0);
  crossbar.send(1, 0, 1, 2, 0);
  crossbar.send(1, 1, 1, 3, 0);
  EXPECT_EQ(run(crossbar, 0, 10), (std::vector<Delivery>{{0, 1, 5}, {0, 2, 6}, {1, 3, 7}}));
}

// A packet of 2 flits takes 3 rounds of which there are 2 a tick; its flits come in one a tick, and so go out.
TEST(Crossbar, shares_an_output_between_packets_of_two_flits) {
  Crossbar crossbar(kSpec, 2, 1, 9);
  crossbar.send(0, 0, 2, 1, 0);
  crossbar.send(1, 0, 2, 2, 0);
  EXPECT_EQ(run(crossbar, 0, 10), (std::vector<Delivery>{{0, 1, 6}, {0, 2, 8}}));
}

TEST(Crossbar, takes_no_more_flits_than_the_input_queue_holds_until_they_have_moved_on) {
  Crossbar crossbar(kSpec, 1, 1, 9);
  crossbar.send(0, 0, 4, 1, 10);
  crossbar.send(0, 0, 4, 2, 10);
  EXPECT_TRUE(crossbar.can_send(0, 1, 10));
  EXPECT_FALSE(crossbar.can_send(0, 2, 10));
  EXPECT_FALSE(crossbar.can_send(0, 4, 12));
  EXPECT_TRUE(crossbar.can_send(0, 4, 13));
}

TEST(Crossbar, stops_at_a_full_output_and_goes_on_when_it_is_released) {
  CrossbarSpec spec = kSpec;
  spec.output_buffer = 1;
  Crossbar crossbar(spec, 1, 1, 9);
  crossbar.send(0, 0, 1, 1, 0);
  crossbar.send(0, 0, 1, 2, 0);
  EXPECT_EQ(run(crossbar, 0, 20, false).size(), 1u);
  crossbar.release(0, 1);
  EXPECT_EQ(run(crossbar, 20, 21), (std::vector<Delivery>{{0, 2, 25}}));
}

TEST(Crossbar, refuses_more_ports_than_it_can_count) {
  EXPECT_THROW(Crossbar(kSpec, 65, 1, 9), Error);
  EXPECT_THROW(Crossbar(kSpec, 1, 0, 9), Error);
}

}  // namespace crossbar_test
}  // namespace warpfork::memory
