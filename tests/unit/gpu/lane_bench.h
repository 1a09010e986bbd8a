// One core's lanes and load/store unit without the rest of the core: instructions go in, results are heard of.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/lane_organisation.h"
#include "gpu/load_store_unit.h"
#include "memory/memory_system.h"

namespace warpfork::gpu {

class LaneBench : private WarpEvents {
 public:
  explicit LaneBench(const CoreSpec& spec)
      : lanes_(find_lane_organisation(spec.lanes.organisation).make(spec, pool_, *this)),
        memory_(memory_spec_, 1),
        load_store_(spec, 0, pool_, memory_, *this) {
    program_.register_numbers.resize(64);
    for (unsigned i = 0; i < 64; ++i) program_.register_numbers[i] = static_cast<std::uint16_t>(i);
    lanes_->begin_kernel(tables_.emplace(spec, program_));
  }

  LaneArray& lanes() { return *lanes_; }
  Cycle now() const { return now_; }

  /// The scheduler sends the instruction of the warp for these lanes in this cycle.
  void issue(const simt::Instruction& instruction, unsigned warp, ActiveMask lanes, unsigned interval = 1,
             unsigned latency = 1) {
    const InFlightId id = record_of(instruction, warp, lanes);
    pool_[id].latency = static_cast<std::uint16_t>(latency);
    pool_[id].interval = static_cast<std::uint16_t>(interval);
    lanes_->take(id, now_);
  }
  /// Likewise of a load, store or atomic for lanes 0, 1, …, at these addresses; of one line, unless it is shared
  /// memory.
  void issue_access(const simt::Instruction& instruction, unsigned warp, simt::MemorySpace space,
                    const std::vector<std::uint64_t>& addresses) {
    const InFlightId id = record_of(instruction, warp, ActiveMask::first(static_cast<unsigned>(addresses.size())));
    InFlight& record = pool_[id];
    record.port = Port::Memory;
    record.space = space;
    for (std::size_t lane = 0; lane < addresses.size(); ++lane)
      record.extra->transaction[lane] = {.address = addresses[lane], .bytes = 128};
    if (space != simt::MemorySpace::Shared) record.transactions = record.outstanding = 1;
    lanes_->take(id, now_);
  }
  /// To the issue stage of the next cycle.
  void step() {
    ++now_;
    lanes_->cycle(load_store_, now_);
  }
  void step(unsigned cycles) {
    for (; cycles != 0; --cycles) step();
  }

  /// By warp: the cycle of the latest result, from which on a dependent instruction may issue.
  std::map<unsigned, Cycle> written;
  /// Instructions that have left the pipeline.
  unsigned left = 0;

 private:
  InFlightId record_of(const simt::Instruction& instruction, unsigned warp, ActiveMask lanes) {
    const InFlightId id = pool_.take();
    InFlight& record = pool_[id] = {};
    record.instruction = &instruction;
    record.lanes = record.executed = lanes;
    record.warp = static_cast<std::uint8_t>(warp);
    return id;
  }
  void written_back(const InFlight& record) override { written[record.warp] = now_; }
  void left_pipeline(unsigned) override { ++left; }
  void store_acknowledged(unsigned) override {}
  void atomic_done(unsigned) override {}

  InFlightPool pool_;
  std::unique_ptr<LaneArray> lanes_;
  memory::MemorySpec memory_spec_;
  memory::MemorySystem memory_;
  LoadStoreUnit load_store_;
  simt::Program program_;
  std::optional<KernelTables> tables_;
  Cycle now_ = 0;
};

}  // namespace warpfork::gpu
