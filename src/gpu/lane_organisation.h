// The visible list of lane organisations: a new one adds one line to lane_organisation.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "gpu/core_spec.h"
#include "gpu/lane_array.h"
#include "gpu/warp_events.h"

namespace warpfork::gpu {

struct LaneOrganisation {
  std::string_view name;     // as on the command line
  std::string_view summary;  // one line
  std::string_view paper;    // paper and section
  bool temporal;             // a lane executes a warp's threads one after the other
  bool frees_warps;          // registers are a warp's, not its block's (WarpAdmission)
  bool scalars;              // a scalar instruction is executed once, not for each thread
  /// Of a machine description, those that only some organisations use: its own.
  std::span<const std::string_view> keys;
  /// Lanes that each hold the registers of their own warps; 0 if there are none.
  unsigned (*lanes)(const CoreSpec&);
  /// Of one core, whose instructions in flight are in the pool; the events hear of results.
  std::unique_ptr<LaneArray> (*make)(const CoreSpec&, InFlightPool&, WarpEvents&);

  bool uses(std::string_view key) const;
};

/// Warp slots of a core: as many as it holds warps or, where warps of blocks that go on make room for others, more.
unsigned warp_slots(const CoreSpec& spec);

/// All organisations, in the order in which they are listed to the user.
std::span<const LaneOrganisation> lane_organisations();

/// Throws Error with the known names if there is none of that name.
const LaneOrganisation& find_lane_organisation(std::string_view name);

}  // namespace warpfork::gpu
