// Bank = (register number + warp slot) mod banks (gtx480.md, "Operand collectors and register file").
#include "gpu/bank_accesses.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "registers.h"

namespace warpfork::gpu {
namespace bank_accesses_test {

/// Of one instruction, in so many banks.
struct One {
  std::vector<simt::Instruction> code;
  std::vector<std::uint16_t> numbers;
  BankAccesses accesses;
  InFlight record;

  static std::vector<std::uint16_t> one_each() {
    std::vector<std::uint16_t> numbers(64);
    std::iota(numbers.begin(), numbers.end(), std::uint16_t{0});
    return numbers;
  }
  One(unsigned banks, const std::vector<std::uint16_t>& writes, const std::vector<std::uint16_t>& reads)
      : code{with_registers(writes, reads)}, numbers(one_each()), accesses(banks, code, numbers, nullptr) {
    record.instruction = &code[0];
    record.pc = 0;
  }
};

TEST(BankAccesses, of_a_warp_are_those_of_the_first_turned_by_its_slot) {
  for (const unsigned banks : {1u, 3u, 12u, 16u, 32u}) {
    const One of(banks, {7}, {});
    for (unsigned warp = 0; warp < 48; ++warp)
      EXPECT_EQ(of.accesses.of_warp(of.accesses.of(of.record)->written, warp), 1u << (7 + warp) % banks) << banks;
  }
}

TEST(BankAccesses, tell_which_banks_are_read_twice) {
  const One of(16, {}, {1, 17, 2});
  const BankAccesses::Access* access = of.accesses.of(of.record);
  EXPECT_EQ(of.accesses.of_warp(access->read, 1), 0b1100u);
  EXPECT_EQ(of.accesses.of_warp(access->again, 1), 0b100u);
}

TEST(BankAccesses, are_not_listed_of_a_bank_that_is_read_thrice_or_written_twice) {
  One thrice(16, {}, {1, 17, 33}), twice(16, {1, 17}, {});
  EXPECT_EQ(thrice.accesses.of(thrice.record), nullptr);
  EXPECT_EQ(twice.accesses.of(twice.record), nullptr);
}

TEST(BankAccesses, are_not_listed_of_regrouped_threads_and_of_what_is_no_instruction_of_the_kernel) {
  One of(16, {1}, {2});
  ASSERT_NE(of.accesses.of(of.record), nullptr);
  const simt::Instruction other = of.code[0];
  InFlight stranger;
  stranger.instruction = &other;
  EXPECT_EQ(of.accesses.of(stranger), nullptr);
  of.record.home_count = 1;
  EXPECT_EQ(of.accesses.of(of.record), nullptr);
}

}  // namespace bank_accesses_test
}  // namespace warpfork::gpu
