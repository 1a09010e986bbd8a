// The load/store unit alone, on the GTX 480's caches and memory path, with a log in the place of the core.
#include "gpu/load_store_unit.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "gpu/operand_collector.h"
#include "gtx480_spec.h"
#include "registers.h"

namespace warpfork::gpu {
namespace load_store_unit_test {

using simt::InstructionKind;
using simt::MemorySpace;
using ::testing::ElementsAre;

constexpr std::uint64_t kData = 0xC0000000;

/// What the core was told, with the cycle.
class Log final : public WarpEvents {
 public:
  Cycle now = 0;
  std::vector<std::pair<std::string, Cycle>> entries;

  void written_back(const InFlight&) override { add("written"); }
  void left_pipeline(unsigned) override { add("left"); }
  void store_acknowledged(unsigned warp) override { add("acknowledged " + std::to_string(warp)); }
  void atomic_done(unsigned) override { add("atomic"); }

  unsigned count(const std::string& what) const {
    return static_cast<unsigned>(
        std::count_if(entries.begin(), entries.end(), [&](const auto& e) { return e.first == what; }));
  }
  Cycle cycle_of(const std::string& what) const {
    for (const auto& [name, cycle] : entries)
      if (name == what) return cycle;
    ADD_FAILURE() << what << " has not happened";
    return kNever;
  }

 private:
  void add(const std::string& what) { entries.emplace_back(what, now); }
};

class LoadStoreUnitTest : public ::testing::Test {
 protected:
  LoadStoreUnitTest() { collector_.begin_kernel(accesses_); }

  InFlightId record(InstructionKind kind, MemorySpace space, const std::vector<Transaction>& transactions,
                    unsigned rounds = 1) {
    instructions_.push_back(with_registers({}, {}));
    if (kind != InstructionKind::Store) instructions_.back() = with_registers({1}, {});
    instructions_.back().kind = kind;
    const InFlightId id = pool_.take();
    InFlight& made = pool_[id];
    made = {};
    made.instruction = &instructions_.back();
    made.warp = 3;
    made.port = Port::Memory;
    made.space = space;
    made.rounds = static_cast<std::uint16_t>(rounds);
    made.transactions = static_cast<std::uint8_t>(transactions.size());
    if (kind != InstructionKind::Store) made.outstanding = made.transactions;
    std::copy(transactions.begin(), transactions.end(), made.extra->transaction.begin());
    return id;
  }

  /// One core cycle; takes in what waits at the end of it.
  void cycle() {
    log_.now = ++now_;
    if (memory_.next_event() <= now_) memory_.advance(now_);
    if (const MemoryRequest* response = memory_.response(0); response && unit_.can_take_response()) {
      unit_.take_response(*response);
      memory_.pop_response(0);
    }
    unit_.write_back(collector_, now_);
    collector_.take_in(in_);
    unit_.cycle(now_);
    if (waiting_.empty() || !unit_.can_accept()) return;
    unit_.accept(waiting_.front());
    waiting_.pop_front();
    accepted_ = now_;
  }
  /// Runs until nothing happens any more; times below count from the acceptance of the last instruction.
  void run(InFlightId id) {
    log_.entries.clear();
    waiting_.push_back(id);
    for (unsigned i = 0; i < 3000; ++i) cycle();
    for (auto& [name, at] : log_.entries) at -= accepted_;
  }

  MachineSpec spec_ = one_core();
  InFlightPool pool_;
  OperandCollector collector_{spec_.core.collector, pool_};
  memory::MemorySystem memory_{spec_.memory, 1};
  Log log_;
  LoadStoreUnit unit_{spec_.core, 0, pool_, memory_, log_};
  std::vector<std::uint16_t> numbers_ = {0, 1, 2, 3};
  BankAccesses accesses_{CollectorSpec{}.banks, {}, numbers_, nullptr};
  std::deque<simt::Instruction> instructions_;
  std::deque<InFlightId> waiting_;
  std::array<StageRegister, kPorts> in_{StageRegister(1), StageRegister(1), StageRegister(1)};
  Cycle now_ = 0, accepted_ = 0;
};

TEST_F(LoadStoreUnitTest, a_hit_in_the_l1_has_its_data_35_cycles_after_dispatch) {
  run(record(InstructionKind::Load, MemorySpace::Global, {{kData, 128}}));
  EXPECT_GT(log_.cycle_of("written"), 35u + 120 + 100);  // the DRAM's way
  run(record(InstructionKind::Load, MemorySpace::Global, {{kData, 128}}));
  EXPECT_EQ(log_.cycle_of("left"), 1u);
  EXPECT_EQ(log_.cycle_of("written"), 1u + 35);
  EXPECT_EQ(unit_.l1d().hits, 1u);
}

TEST_F(LoadStoreUnitTest, transactions_enter_the_l1_one_a_cycle_and_the_last_one_ends_the_load) {
  const std::vector<Transaction> lines = {{kData, 128}, {kData + 128, 128}, {kData + 256, 128}};
  run(record(InstructionKind::Load, MemorySpace::Global, lines));
  run(record(InstructionKind::Load, MemorySpace::Global, lines));
  EXPECT_EQ(log_.cycle_of("left"), 3u);
  EXPECT_EQ(log_.cycle_of("written"), 3u + 35);
  EXPECT_EQ(log_.count("written"), 1u);
}

// Lines 1 MiB apart lie in one set of four ways; from memory they take more than 120 + 100 cycles.
TEST_F(LoadStoreUnitTest, a_load_that_its_set_has_no_room_for_sleeps_until_a_line_has_come) {
  std::vector<Transaction> lines;
  for (std::uint64_t i = 0; i < 5; ++i) lines.push_back({kData + (i << 20), 128});
  waiting_.push_back(record(InstructionKind::Load, MemorySpace::Global, lines));
  for (unsigned i = 0; i < 100; ++i) cycle();
  EXPECT_EQ(unit_.l1d().misses, 4u);
  EXPECT_EQ(unit_.next_event(now_), kNever);
  for (unsigned i = 0; i < 1000; ++i) cycle();
  EXPECT_EQ(unit_.l1d().misses, 5u);
  EXPECT_EQ(log_.count("written"), 1u);
}

TEST_F(LoadStoreUnitTest, the_l1_is_empty_after_a_launch) {
  run(record(InstructionKind::Load, MemorySpace::Global, {{kData, 128}}));
  unit_.end_kernel();
  run(record(InstructionKind::Load, MemorySpace::Global, {{kData, 128}}));
  EXPECT_EQ(unit_.l1d().misses, 2u);
}

TEST_F(LoadStoreUnitTest, a_shared_load_goes_through_26_cycles_and_the_writeback_port) {
  run(record(InstructionKind::Load, MemorySpace::Shared, {}));
  EXPECT_EQ(log_.cycle_of("written"), 1u + 26 + 1);
  EXPECT_EQ(log_.cycle_of("left"), 1u + 26 + 1);
}

// Home warps 0 and 16 lie in one bank, which takes one write a cycle; 0 and 1 do not.
TEST_F(LoadStoreUnitTest, what_is_loaded_for_home_warps_of_one_bank_is_written_in_two_cycles) {
  for (const WarpId other : {1, 16}) {
    const InFlightId id = record(InstructionKind::Load, MemorySpace::Shared, {});
    pool_[id].home_count = 2;
    pool_[id].extra->homes = {{0, ActiveMask::single(0)}, {other, ActiveMask::single(1)}};
    run(id);
    EXPECT_EQ(log_.cycle_of("written"), 1u + 26 + (other == 16 ? 2 : 1));
  }
}

TEST_F(LoadStoreUnitTest, bank_conflicts_hold_the_unit_for_as_many_cycles_as_rounds) {
  waiting_.push_back(record(InstructionKind::Load, MemorySpace::Shared, {}, 4));
  cycle();
  for (unsigned i = 0; i < 3; ++i) {
    cycle();
    EXPECT_FALSE(unit_.can_accept());
  }
  cycle();
  EXPECT_TRUE(unit_.can_accept());
  run(record(InstructionKind::Load, MemorySpace::Shared, {}, 4));
  EXPECT_EQ(log_.entries.back().second, 4u + 26 + 1);
}

TEST_F(LoadStoreUnitTest, a_shared_store_is_done_when_its_rounds_are_over) {
  run(record(InstructionKind::Store, MemorySpace::Shared, {}, 2));
  EXPECT_EQ(log_.cycle_of("left"), 2u);
  EXPECT_EQ(log_.count("acknowledged 3"), 0u);
}

TEST_F(LoadStoreUnitTest, a_constant_hit_is_done_at_dispatch) {
  run(record(InstructionKind::Load, MemorySpace::Const, {{kData, 64}}));
  EXPECT_GT(log_.cycle_of("written"), 220u);
  run(record(InstructionKind::Load, MemorySpace::Const, {{kData, 64}}));
  EXPECT_EQ(log_.cycle_of("written"), 1u);
  EXPECT_EQ(unit_.constant().hits, 1u);
}

TEST_F(LoadStoreUnitTest, a_constant_load_of_two_lines_ends_with_the_missing_one) {
  run(record(InstructionKind::Load, MemorySpace::Param, {{kData, 64}}));
  run(record(InstructionKind::Load, MemorySpace::Param, {{kData, 64}, {kData + 64, 64}}));
  EXPECT_EQ(log_.count("written"), 1u);
  EXPECT_GT(log_.cycle_of("written"), 120u);
}

TEST_F(LoadStoreUnitTest, a_read_only_load_goes_through_the_texture_cache_until_the_launch_ends) {
  const auto read_only = [&] {
    const InFlightId id = record(InstructionKind::Load, MemorySpace::Global, {{kData, 128}});
    instructions_.back().read_only = true;
    return id;
  };
  run(read_only());
  EXPECT_GT(log_.cycle_of("written"), 220u);
  run(read_only());
  EXPECT_EQ(log_.cycle_of("written"), 1u);
  EXPECT_EQ(unit_.texture().hits, 1u);
  EXPECT_EQ(unit_.l1d().accesses, 0u);
  unit_.end_kernel();
  run(read_only());
  EXPECT_EQ(unit_.texture().misses, 2u);
}

TEST_F(LoadStoreUnitTest, a_global_store_leaves_at_once_and_is_acknowledged_line_by_line) {
  run(record(InstructionKind::Store, MemorySpace::Global, {{kData, 128}, {kData + 128, 32}}));
  EXPECT_EQ(log_.cycle_of("left"), 2u);
  EXPECT_EQ(log_.count("acknowledged 3"), 2u);
  EXPECT_GT(log_.cycle_of("acknowledged 3"), 120u);  // from the L2 and back
}

TEST_F(LoadStoreUnitTest, a_local_store_to_a_line_that_is_here_is_acknowledged_by_the_l1) {
  run(record(InstructionKind::Load, MemorySpace::Local, {{kData, 128}}));
  run(record(InstructionKind::Store, MemorySpace::Local, {{kData, 128}}));
  EXPECT_EQ(log_.cycle_of("acknowledged 3"), 1u + 35);
}

TEST_F(LoadStoreUnitTest, an_atomic_is_done_once_after_all_its_answers) {
  run(record(InstructionKind::Atomic, MemorySpace::Global, {{kData, 32}, {kData, 32}, {kData + 512, 32}}));
  EXPECT_EQ(log_.count("atomic"), 1u);
  EXPECT_EQ(log_.count("written"), 1u);
  EXPECT_GT(log_.cycle_of("atomic"), 120u);
  EXPECT_EQ(unit_.l1d().accesses, 0u);
}

TEST_F(LoadStoreUnitTest, an_instruction_whose_lanes_all_have_a_false_guard_asks_for_nothing) {
  const InFlightId id = record(InstructionKind::Load, MemorySpace::None, {});
  run(id);
  EXPECT_THAT(log_.entries, ElementsAre(std::pair("left", 1u), std::pair("written", 1u)));
}

TEST_F(LoadStoreUnitTest, two_responses_may_wait_and_no_third) {
  EXPECT_TRUE(unit_.can_take_response());
  for (unsigned i = 0; i < 2; ++i) unit_.take_response({kData, 32, AccessKind::Store, 0, 3});
  EXPECT_FALSE(unit_.can_take_response());
  cycle();
  EXPECT_TRUE(unit_.can_take_response());
  EXPECT_EQ(log_.count("acknowledged 3"), 1u);
}

TEST_F(LoadStoreUnitTest, the_core_may_sleep_until_the_data_of_a_hit) {
  run(record(InstructionKind::Load, MemorySpace::Global, {{kData, 128}}));
  EXPECT_EQ(unit_.next_event(now_), kNever);
  waiting_.push_back(record(InstructionKind::Load, MemorySpace::Global, {{kData, 128}}));
  cycle();
  EXPECT_EQ(unit_.next_event(now_), now_ + 1);
  cycle();
  EXPECT_EQ(unit_.next_event(now_), now_ + 35);
}

// docs/adr/0014: one a cycle. The first goes in the cycle in which the load is accepted.
TEST_F(LoadStoreUnitTest, entries_of_tables_go_before_the_instruction_that_waits) {
  const InFlightId load = record(InstructionKind::Load, MemorySpace::Global, {{kData, 128}});
  for (std::uint64_t i = 0; i < 3; ++i) unit_.move_table_entry({kData + 4096 + 16 * i, 16, AccessKind::Store, 0, 3});
  run(load);
  EXPECT_EQ(log_.cycle_of("left"), 3u);
}

}  // namespace load_store_unit_test
}  // namespace warpfork::gpu
