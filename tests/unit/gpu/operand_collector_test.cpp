// Bank = (register number + warp slot) mod 16; taking in, reading and sending on are a cycle each (gtx480.md,
// "Operand collectors and register file"). Of regrouped threads the warp slots are those of their home warps.
#include "gpu/operand_collector.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/error.h"
#include "registers.h"

namespace warpfork::gpu {
namespace operand_collector_test {

class OperandCollectorTest : public ::testing::Test {
 protected:
  OperandCollectorTest() : numbers_(64) {
    std::iota(numbers_.begin(), numbers_.end(), std::uint16_t{0});
    instructions_.reserve(100);
  }

  const simt::Instruction& add(const std::vector<std::uint16_t>& writes, const std::vector<std::uint16_t>& reads) {
    instructions_.push_back(with_registers(writes, reads));
    collector_.begin_kernel(accesses_.emplace(CollectorSpec{}.banks, instructions_, numbers_, nullptr));
    return instructions_.back();
  }
  void cycle() {
    collector_.send(out_);
    collector_.take_in(in_);
  }

  InFlightId put(const std::vector<std::uint16_t>& reads, Port port = Port::Sp, unsigned warp = 0) {
    const simt::Instruction& instruction = add({}, reads);
    const InFlightId id = pool_.take();
    pool_[id].instruction = &instruction;
    pool_[id].warp = static_cast<std::uint8_t>(warp);
    in_[static_cast<unsigned>(port)].push(id);
    return id;
  }

  /// Cycles until the collector says that it has the instruction's operands; 100 if it does not.
  unsigned cycles_until_read(InFlightId id) {
    for (unsigned passed = 1; passed < 100; ++passed) {
      cycle();
      bool read = false;
      collector_.for_each_read([&](InFlightId of) { read |= of == id; });
      if (read) return passed;
    }
    return 100;
  }

  InFlight writer(std::uint16_t reg) {
    InFlight record;
    record.instruction = &add({reg}, {});
    return record;
  }
  /// In place 5: a thread of each of these home warps.
  static void regroup(InFlight& record, const std::vector<WarpId>& homes) {
    record.warp = 5;
    for (const WarpId home : homes) {
      record.extra->homes.push_back({home, ActiveMask::single(record.home_count)});
      ++record.home_count;
    }
  }

  /// Cycles until an instruction leaves at the port.
  unsigned cycles_until_sent(Port port = Port::Sp) {
    unsigned cycles = 0;
    for (; out(port).empty() && cycles < 100; ++cycles) cycle();
    return cycles;
  }
  StageRegister& out(Port port) { return out_[static_cast<unsigned>(port)]; }
  unsigned drain(Port port) {
    unsigned count = 0;
    for (; !out(port).empty(); ++count) out(port).pop();
    return count;
  }

  InFlightPool pool_;
  OperandCollector collector_{CollectorSpec{}, pool_};
  std::vector<std::uint16_t> numbers_;
  std::vector<simt::Instruction> instructions_;
  std::optional<BankAccesses> accesses_;
  std::array<StageRegister, kPorts> in_{StageRegister(16), StageRegister(16), StageRegister(16)};
  std::array<StageRegister, kPorts> out_{StageRegister(16), StageRegister(16), StageRegister(16)};
};

TEST_F(OperandCollectorTest, tells_when_the_last_operand_has_been_read) {
  EXPECT_EQ(cycles_until_read(put({})), 1u);
  EXPECT_EQ(cycles_until_read(put({1, 2})), 2u);   // taken in, both read at once
  EXPECT_EQ(cycles_until_read(put({1, 17})), 3u);  // from one bank of 16, one after the other
}

TEST_F(OperandCollectorTest, taking_in_reading_and_sending_are_a_cycle_each) {
  put({1, 2, 3});
  EXPECT_EQ(cycles_until_sent(), 3u);
  EXPECT_TRUE(collector_.idle());
}

TEST_F(OperandCollectorTest, a_bank_serves_one_read_a_cycle) {
  put({1, 17, 33});
  EXPECT_EQ(cycles_until_sent(), 5u);
}

// Banks 1, 1, 2 and 2, 2, 1: the older one has bank 1 for two cycles and bank 2 for the first, then the other one.
TEST_F(OperandCollectorTest, a_bank_goes_on_with_the_unit_that_came_first_while_others_go_on_to_the_next) {
  const InFlightId older = put({1, 17, 2}), younger = put({2, 18, 1});
  EXPECT_EQ(cycles_until_read(older), 3u);
  EXPECT_EQ(cycles_until_read(younger), 1u);
}

// A bank that a unit needs again is not one that it has been served by.
TEST_F(OperandCollectorTest, banks_that_read_more_than_once_do_so_each_at_its_pace) {
  put({1, 17, 33});
  const InFlightId younger = put({2, 18, 1});
  EXPECT_EQ(cycles_until_read(younger), 5u);  // bank 1 has read three times for the other one
}

TEST_F(OperandCollectorTest, an_operand_named_twice_is_read_once) {
  put({1, 1, 1});
  EXPECT_EQ(cycles_until_sent(), 3u);
}

TEST_F(OperandCollectorTest, registers_of_equal_number_are_read_once) {
  numbers_[40] = 1;  // %rd1 beside %r1
  put({1, 40});
  EXPECT_EQ(cycles_until_sent(), 3u);
}

TEST_F(OperandCollectorTest, an_instruction_without_sources_is_not_read) {
  put({});
  EXPECT_EQ(cycles_until_sent(), 2u);
}

TEST_F(OperandCollectorTest, the_warp_shifts_the_bank) {
  put({1}, Port::Sp, 0);
  put({0}, Port::Sp, 1);  // bank 1 as well
  EXPECT_EQ(cycles_until_sent(), 3u);
  EXPECT_EQ(drain(Port::Sp), 1u);
  EXPECT_EQ(cycles_until_sent(), 1u);
}

TEST_F(OperandCollectorTest, registers_of_regrouped_threads_are_read_in_the_banks_of_their_home_warps) {
  const InFlightId regrouped = put({1});
  regroup(pool_[regrouped], {2, 3});                   // banks 3 and 4
  const InFlightId at_place = put({6}, Port::Memory);  // bank 6, which the place would give
  const InFlightId at_home = put({4}, Port::Sfu);      // bank 4
  EXPECT_EQ(cycles_until_sent(), 3u);
  EXPECT_EQ(out(Port::Sp).front(), regrouped);
  ASSERT_FALSE(out(Port::Memory).empty());
  EXPECT_EQ(out(Port::Memory).front(), at_place);
  EXPECT_TRUE(out(Port::Sfu).empty());
  EXPECT_EQ(cycles_until_sent(Port::Sfu), 1u);
  EXPECT_EQ(out(Port::Sfu).front(), at_home);
}

TEST_F(OperandCollectorTest, home_warps_whose_registers_lie_in_one_bank_are_read_one_after_the_other) {
  const InFlightId regrouped = put({1, 2});
  regroup(pool_[regrouped], {0, 16, 32, 4});  // banks 1 and 2 three times, banks 5 and 6 once
  EXPECT_EQ(cycles_until_sent(), 5u);
}

TEST_F(OperandCollectorTest, all_home_warps_of_a_full_instruction_are_read) {
  std::vector<WarpId> homes(32);
  std::iota(homes.begin(), homes.end(), WarpId{0});  // each bank twice for each source
  regroup(pool_[put({0, 1, 2, 3, 4, 5, 6, 7})], homes);
  EXPECT_EQ(cycles_until_sent(), 18u);
  EXPECT_TRUE(collector_.idle());
}

TEST_F(OperandCollectorTest, a_result_of_regrouped_threads_takes_the_banks_of_their_home_warps) {
  InFlight regrouped = writer(1);
  regroup(regrouped, {2, 3});
  EXPECT_EQ(collector_.write(regrouped, true), 1u);
  EXPECT_EQ(collector_.write(writer(3), true), 0u);
  EXPECT_EQ(collector_.write(writer(4), true), 0u);
  EXPECT_EQ(collector_.write(writer(6), true), 1u);  // the bank that the place would give
}

// One write a bank and cycle: home warps 0, 16 and 32 lie in bank 1, home warp 4 in bank 5.
TEST_F(OperandCollectorTest, home_warps_whose_registers_lie_in_one_bank_are_written_one_after_the_other) {
  InFlight regrouped = writer(1);
  regroup(regrouped, {0, 16, 32, 4});
  EXPECT_EQ(collector_.write(regrouped, true), 3u);
  EXPECT_EQ(collector_.write(writer(5), true), 0u);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_FALSE(collector_.idle());
    EXPECT_EQ(collector_.write(writer(17), true), 0u) << i;
    cycle();
    EXPECT_EQ(collector_.write(writer(5), true), 1u) << i;
  }
  EXPECT_EQ(collector_.write(writer(17), true), 1u);
  cycle();
  EXPECT_TRUE(collector_.idle());
}

TEST_F(OperandCollectorTest, a_bank_that_is_written_for_two_cycles_serves_no_read_in_them) {
  put({17});
  cycle();
  InFlight regrouped = writer(1);
  regroup(regrouped, {0, 16});
  collector_.write(regrouped, true);
  EXPECT_EQ(cycles_until_sent(), 4u);  // two of writing, then reading and sending
}

TEST_F(OperandCollectorTest, all_rows_of_a_full_result_are_written) {
  std::vector<WarpId> homes(32);
  std::iota(homes.begin(), homes.end(), WarpId{0});  // each bank twice for each destination
  InFlight record;
  record.instruction = &add({0, 1, 2, 3, 4, 5, 6, 7}, {});
  regroup(record, homes);
  EXPECT_EQ(collector_.write(record, true), 16u);
}

TEST_F(OperandCollectorTest, reads_of_one_bank_are_served_in_order_of_arrival) {
  const InFlightId first = put({1}), second = put({17});
  cycles_until_sent();
  EXPECT_EQ(out(Port::Sp).front(), first);
  drain(Port::Sp);
  cycles_until_sent();
  EXPECT_EQ(out(Port::Sp).front(), second);
}

TEST_F(OperandCollectorTest, a_write_takes_the_bank_before_any_read) {
  put({1});
  cycle();
  collector_.write(writer(17), true);
  cycle();  // the bank is written
  cycle();
  EXPECT_TRUE(out(Port::Sp).empty());
  cycle();
  EXPECT_FALSE(out(Port::Sp).empty());
}

TEST_F(OperandCollectorTest, a_second_write_of_a_bank_waits_for_the_next_cycle) {
  EXPECT_EQ(collector_.write(writer(1), true), 1u);
  EXPECT_EQ(collector_.write(writer(17), true), 0u);
  EXPECT_EQ(collector_.write(writer(2), true), 1u);
  cycle();
  EXPECT_EQ(collector_.write(writer(17), true), 1u);
}

TEST_F(OperandCollectorTest, two_sp_instructions_but_one_memory_instruction_pass_in_a_cycle) {
  for (std::uint16_t reg = 0; reg < 2; ++reg) {
    put({reg}, Port::Sp);
    put({static_cast<std::uint16_t>(reg + 4)}, Port::Memory);
  }
  for (unsigned i = 0; i < 3; ++i) cycle();
  EXPECT_EQ(drain(Port::Sp), 2u);
  EXPECT_EQ(drain(Port::Memory), 1u);
  cycle();
  EXPECT_EQ(drain(Port::Memory), 1u);
}

TEST_F(OperandCollectorTest, an_instruction_waits_outside_while_all_units_of_its_port_are_taken) {
  out(Port::Memory) = StageRegister(0);  // nothing leaves
  for (std::uint16_t reg = 0; reg < 3; ++reg) put({reg}, Port::Memory);
  for (unsigned i = 0; i < 10; ++i) cycle();
  EXPECT_FALSE(in_[2].empty());  // two units, three instructions
  out(Port::Memory) = StageRegister(1);
  cycle();
  EXPECT_TRUE(in_[2].empty());
}

TEST(OperandCollectorSpec, more_than_32_units_or_banks_are_refused) {
  InFlightPool pool;
  CollectorSpec spec;
  spec.sp_units = 23;  // 33 in all
  EXPECT_THROW(OperandCollector(spec, pool), Error);
  spec = {};
  spec.banks = 33;
  EXPECT_THROW(OperandCollector(spec, pool), Error);
}

}  // namespace operand_collector_test
}  // namespace warpfork::gpu
