// One warp of a kernel that has a polling loop at 10.
#pragma once

#include <gmock/gmock.h>

#include <vector>

#include "base/frontier_place.h"
#include "one_warp.h"

namespace warpfork {

class PollingWarp : public OneWarp {
 public:
  explicit PollingWarp(std::string_view mechanism) : OneWarp(mechanism) {
    for (Pc pc = 0; pc < order_.size(); ++pc) order_[pc] = {pc, pc, 0};
    order_[10].begins_polling = true;
    domain().begin_kernel(order_);
    launch();
  }
  /// Another block, of four threads.
  void launch() {
    const ActiveMask lanes(0b1111);
    domain().launch(0, {&lanes, 1});
  }
  /// The split with these lanes runs, alone, and comes to the loop's beginning so often.
  void turn(std::uint32_t lanes, unsigned times) {
    for (unsigned turn = 0; turn < times; ++turn) {
      ASSERT_THAT(masks(), ::testing::ElementsAre(lanes)) << turn;
      advance(lanes, {path(10, lanes)});
    }
  }

 private:
  std::vector<FrontierPlace> order_{60};
};

}  // namespace warpfork
