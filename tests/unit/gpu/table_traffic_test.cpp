#include "gpu/table_traffic.h"

#include <gtest/gtest.h>

#include <array>

#include "simt/address_map.h"

namespace warpfork::gpu {
namespace table_traffic_test {

class Bytes final : public report::LaunchListener {
 public:
  void table_moved(report::Stamp at, bool to_memory, unsigned bytes) override {
    (to_memory ? out : in) += bytes;
    warp = at.unit;
  }
  unsigned out = 0, in = 0, warp = 0;
};

class Traffic : private WarpEvents {
 public:
  Scoreboard scoreboard{4, 0};
  OutstandingOperations operations{4, scoreboard};
  Bytes bytes;
  unsigned back = 0;  // entries that have come back

  /// An entry of a warp of the block whose warps are in slots 2 and 3.
  void send(WarpId warp, bool to_memory) { tables_.send(std::array{TableMove{warp, 0, to_memory}}, 2, bytes, now_); }
  void run(Cycle cycles) {
    for (const Cycle end = now_ + cycles; now_ != end; ++now_) {
      memory_.advance(now_);
      if (const MemoryRequest* response = memory_.response(0)) {
        load_store_.take_response(*response);
        memory_.pop_response(0);
      }
      load_store_.write_back(no_registers_, now_);
      load_store_.cycle(now_);
    }
  }

 private:
  struct NoRegisters final : RegisterWritePort {
    unsigned write(const InFlight&, bool) override { return 1; }
  };
  void written_back(const InFlight& record) override { back += TableTraffic::is_entry(record); }
  void left_pipeline(unsigned) override {}
  void store_acknowledged(unsigned warp) override { operations.store_acknowledged(warp); }
  void atomic_done(unsigned) override {}

  memory::MemorySpec spec_;
  memory::MemorySystem memory_{spec_, 1};
  InFlightPool pool_;
  CoreSpec core_;
  LoadStoreUnit load_store_{core_, 0, pool_, memory_, *this};
  TableTraffic tables_{0, 4, pool_, load_store_, operations};
  NoRegisters no_registers_;
  Cycle now_ = 0;
};

TEST(TableTraffic, a_warp_is_not_drained_until_its_entry_is_in_memory) {
  Traffic traffic;
  traffic.send(1, true);
  EXPECT_EQ(traffic.bytes.out, 16u);
  EXPECT_FALSE(traffic.operations.drained(3));
  EXPECT_TRUE(traffic.operations.drained(2));
  traffic.run(5000);
  EXPECT_TRUE(traffic.operations.drained(3));
}

TEST(TableTraffic, a_warp_waits_for_an_entry_that_comes_back) {
  Traffic traffic;
  traffic.send(0, false);
  EXPECT_EQ(traffic.bytes.in, 16u);
  EXPECT_TRUE(traffic.operations.waits_for_table_entry(2));
  traffic.run(5000);
  EXPECT_EQ(traffic.back, 1u);
}

}  // namespace table_traffic_test
}  // namespace warpfork::gpu
