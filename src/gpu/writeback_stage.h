// The writeback stage of a core: what is done lets those go on that waited for it.
#pragma once

#include "gpu/outstanding_operations.h"
#include "gpu/register_hazards.h"
#include "gpu/split_buffers.h"
#include "gpu/wakeable.h"
#include "gpu/warp_events.h"

namespace warpfork::gpu {

class WritebackStage final : public WarpEvents {
 public:
  /// `front` looks at the entries: it is woken before they change.
  WritebackStage(RegisterHazards& registers, OutstandingOperations& operations, SplitBuffers& buffers, Wakeable& front)
      : registers_(registers), operations_(operations), buffers_(buffers), front_(front) {}

  void written_back(const InFlight& record) override;
  void operands_read(const InFlight& record) override;
  void left_pipeline(unsigned warp) override { operations_.left_pipeline(warp); }
  void completed(const InFlight& record) override;
  void store_acknowledged(unsigned warp) override;
  void atomic_done(unsigned warp) override;

 private:
  void release(const InFlight& record);
  void release_in_homes(const InFlight& record);
  void refresh_behind(std::uint64_t read, EntrySet blocked);
  void refresh_blocked(const RegisterHazards::Release& release, EntrySet among);
  void table_entry_back(unsigned warp);
  void lift_memory_barrier(unsigned warp) {
    if (operations_.lift_memory_barrier(warp)) refresh_warp(warp);
  }
  void refresh(unsigned entry) {
    front_.wake();
    buffers_.refresh(entry);
  }
  void refresh_warp(unsigned warp) {
    front_.wake();
    buffers_.refresh_warp(warp);
  }

  RegisterHazards& registers_;
  OutstandingOperations& operations_;
  SplitBuffers& buffers_;
  Wakeable& front_;
};

}  // namespace warpfork::gpu
