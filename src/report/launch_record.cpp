#include "report/launch_record.h"

namespace warpfork::report {

void LaunchRecord::count_instructions() {
  warp_instructions = thread_instructions = 0;
  for (unsigned lanes = 0; lanes <= kMaxWarpSize; ++lanes) {
    warp_instructions += active_lanes[lanes];
    thread_instructions += lanes * active_lanes[lanes];
  }
  lane_slots = warp_instructions * warp_size;
}

}  // namespace warpfork::report
