#include "memory/dram_channel.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "machines.h"

namespace warpfork::memory {
namespace dram_channel_test {

/// The timings of the GTX 480 without its fixed delay; a core cycle is a command clock.
DramSpec prompt() {
  DramSpec spec = testing::gtx480().dram;
  spec.fixed_delay = 0;
  return spec;
}

DramRequest read(unsigned bank, std::uint32_t row, std::uint32_t tag) {
  return {.row = row, .bytes = 32, .bank = static_cast<std::uint8_t>(bank), .tag = tag};
}

DramRequest write(unsigned bank, std::uint32_t row, std::uint32_t bytes) {
  return {.row = row, .bytes = bytes, .bank = static_cast<std::uint8_t>(bank), .write = true};
}

struct Return {
  std::uint32_t tag;
  Tick tick;
  bool operator==(const Return&) const = default;
};

/// Runs ticks from … to − 1 and notes which reads came back when.
std::vector<Return> run(DramChannel& channel, Tick from, Tick to) {
  std::vector<Return> returns;
  for (Tick tick = from; tick < to; ++tick) {
    if (channel.has_return(tick)) {
      returns.push_back({channel.returned().tag, tick});
      channel.pop_return();
    }
    channel.tick(tick, tick);
  }
  return returns;
}

// In tick 0 into the scheduler, 1 activate, 1 + 12 read, 12 later its data, one tick into and one out of the queue.
constexpr Tick kClosedRow = 1 + 12 + 12 + 2;

TEST(DramChannel, reads_from_a_closed_row_in_activate_and_cas_time) {
  DramChannel channel(prompt());
  channel.accept(read(0, 5, 1), 0);
  EXPECT_EQ(run(channel, 0, 100), (std::vector<Return>{{1, kClosedRow}}));
  EXPECT_TRUE(channel.idle());
}

TEST(DramChannel, holds_a_request_for_its_fixed_delay) {
  DramChannel channel(testing::gtx480().dram);
  channel.accept(read(0, 5, 1), 7);
  EXPECT_EQ(channel.next_arrival(), 107u);
  EXPECT_EQ(run(channel, 0, 200), (std::vector<Return>{{1, 107 + kClosedRow}}));
}

// The bank takes its next request the tick after a read; two reads of a bank group are 3 ticks apart.
TEST(DramChannel, reads_an_open_row_at_the_column_rate_of_its_group) {
  DramChannel channel(prompt());
  channel.accept(read(0, 5, 1), 0);
  channel.accept(read(0, 5, 2), 0);
  EXPECT_EQ(run(channel, 0, 100), (std::vector<Return>{{1, kClosedRow}, {2, kClosedRow + 3}}));
  EXPECT_EQ(channel.statistics().activates, 1u);
  EXPECT_EQ(channel.statistics().row_hits, 1u);
}

// Other banks, other groups, both rows open: 2 ticks apart by the commands, but a burst keeps the data bus for 8.
TEST(DramChannel, has_one_burst_at_a_time_on_the_data_bus) {
  DramSpec spec = prompt();
  spec.burst_cycles = 8;
  DramChannel channel(spec);
  for (const unsigned bank : {0u, 1u}) channel.accept(read(bank, 5, bank), 0);
  run(channel, 0, 200);
  for (const unsigned bank : {0u, 1u}) channel.accept(read(bank, 5, bank), 200);
  const std::vector<Return> returns = run(channel, 200, 300);
  ASSERT_EQ(returns.size(), 2u);
  EXPECT_EQ(returns[1].tick - returns[0].tick, 8u);
}

// Activated in tick 1; closed after 28, open again after 12 more.
TEST(DramChannel, closes_a_row_not_before_its_active_time_is_over) {
  DramChannel channel(prompt());
  channel.accept(read(0, 5, 1), 0);
  channel.accept(read(0, 6, 2), 0);
  EXPECT_EQ(run(channel, 0, 100), (std::vector<Return>{{1, kClosedRow}, {2, kClosedRow + 28 + 12}}));
  EXPECT_EQ(channel.statistics().precharges, 1u);
}

TEST(DramChannel, serves_the_open_row_first_then_the_oldest) {
  DramChannel channel(prompt());
  channel.accept(read(0, 5, 1), 0);
  channel.accept(read(0, 6, 2), 0);
  channel.accept(read(0, 5, 3), 0);
  const std::vector<Return> returns = run(channel, 0, 200);
  ASSERT_EQ(returns.size(), 3u);
  EXPECT_EQ(returns[1].tag, 3u);
  EXPECT_EQ(returns[2].tag, 2u);
}

TEST(DramChannel, activates_banks_a_row_to_row_time_apart) {
  DramChannel channel(prompt());
  channel.accept(read(0, 5, 1), 0);
  channel.accept(read(1, 5, 2), 0);
  EXPECT_EQ(run(channel, 0, 100), (std::vector<Return>{{1, kClosedRow}, {2, kClosedRow + 6}}));
}

// Row to column of a write is 12 − (4 + 1) = 7: written in tick 8; a read may follow after 4 + 2 + 5 = 11.
TEST(DramChannel, turns_the_bus_from_write_to_read) {
  DramChannel channel(prompt());
  channel.accept(write(0, 5, 32), 0);
  channel.accept(read(0, 5, 1), 0);
  EXPECT_EQ(run(channel, 0, 100), (std::vector<Return>{{1, 8 + 11 + 12 + 2}}));
}

// Reading in tick 13, the channel may write from 13 + 12 on: not in tick 24, but in tick 25.
TEST(DramChannel, turns_the_bus_from_read_to_write) {
  DramChannel channel(prompt());
  channel.accept(read(0, 5, 1), 0);
  channel.accept(write(0, 5, 32), 0);
  run(channel, 0, 25);
  EXPECT_EQ(channel.statistics().writes, 0u);
  run(channel, 25, 26);
  EXPECT_EQ(channel.statistics().writes, 1u);
}

TEST(DramChannel, writes_a_line_in_as_many_bursts_as_it_has) {
  DramChannel channel(prompt());
  channel.accept(write(0, 5, 96), 0);
  run(channel, 0, 100);
  EXPECT_EQ(channel.statistics().writes, 2u);
  EXPECT_TRUE(channel.idle());
}

TEST(DramChannel, says_when_its_next_command_is_due) {
  DramChannel channel(prompt());
  channel.accept(read(0, 5, 1), 0);
  EXPECT_TRUE(channel.tick(0, 0));
  EXPECT_TRUE(channel.tick(1, 1));   // activate
  EXPECT_FALSE(channel.tick(2, 2));  // nothing until the read
  EXPECT_EQ(channel.next_tick(2), 13u);
  EXPECT_TRUE(channel.tick(13, 13));
  EXPECT_EQ(channel.next_tick(13), kClosedRow);
}

TEST(DramChannel, takes_no_more_than_its_scheduler_holds) {
  DramSpec spec = prompt();
  spec.scheduler_queue = 2;
  DramChannel channel(spec);
  for (std::uint32_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(channel.can_accept());
    channel.accept(read(0, i, i), 0);
    channel.tick(i, i);
  }
  EXPECT_FALSE(channel.can_accept());  // the first is in its bank, two wait
}

TEST(DramChannel, refuses_shapes_it_cannot_count) {
  DramSpec spec;
  spec.banks = 12;
  EXPECT_THROW(DramChannel{spec}, Error);
}

}  // namespace dram_channel_test
}  // namespace warpfork::memory
