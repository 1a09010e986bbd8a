#include "gpu/lane_organisation.h"

#include <algorithm>
#include <array>

#include "base/key_use.h"
#include "base/named.h"
#include "gpu/compressing_lanes.h"
#include "gpu/scalar_lanes.h"
#include "gpu/spatial_lanes.h"
#include "gpu/temporal_lanes.h"

namespace warpfork::gpu {

namespace {

using Lanes = std::unique_ptr<LaneArray>;

Lanes spatial(const CoreSpec& spec, InFlightPool& pool, WarpEvents& events) {
  return std::make_unique<SpatialLanes>(spec, pool, events);
}

Lanes scalar(const CoreSpec& spec, InFlightPool& pool, WarpEvents& events) {
  return std::make_unique<ScalarLanes>(spec, pool, events);
}

template <CycleCompression Compression>
Lanes compressing(const CoreSpec& spec, InFlightPool& pool, WarpEvents& events) {
  return std::make_unique<CompressingLanes>(spec, Compression, pool, events);
}

unsigned none(const CoreSpec&) { return 0; }

template <unsigned Width>
unsigned lanes_of(const CoreSpec& spec) {
  return spec.lanes.alus / Width;
}

template <unsigned Width>
Lanes temporal(const CoreSpec& spec, InFlightPool& pool, WarpEvents& events) {
  return std::make_unique<TemporalLanes>(spec, Width, true, pool, events);
}

unsigned lanes_of_key(const CoreSpec& spec) { return spec.lanes.width == 0 ? 0 : spec.lanes.alus / spec.lanes.width; }

Lanes temporal_of_key(const CoreSpec& spec, InFlightPool& pool, WarpEvents& events) {
  return std::make_unique<TemporalLanes>(spec, spec.lanes.width, true, pool, events);
}

Lanes unlocked(const CoreSpec& spec, InFlightPool& pool, WarpEvents& events) {
  return std::make_unique<TemporalLanes>(spec, 1, false, pool, events);
}

constexpr std::array<std::string_view, 2> kKeysOfAnyWidth{"core.lanes.collector_groups", "core.lanes.width"};
constexpr std::span kTemporalKeys = std::span(kKeysOfAnyWidth).first(1);

constexpr std::array<std::string_view, 11> kScalarKeys{
    "core.collector.banks",           "core.collector.sp_units",     "core.collector.sfu_units",
    "core.collector.memory_units",    "core.collector.sp_ports",     "core.collector.sfu_ports",
    "core.collector.memory_ports",    "core.execution.result_buses", "core.execution.sp_issue_slots",
    "core.execution.sfu_issue_slots", "core.scalar_registers"};
constexpr std::span kSpatialKeys = std::span(kScalarKeys).first(kScalarKeys.size() - 1);

constexpr std::array kOrganisations = {
    LaneOrganisation{"simt", "lanes side by side; a warp instruction takes the same time whatever its mask", "all",
                     false, false, false, kSpatialKeys, none, spatial},
    LaneOrganisation{"simt-scalar", "simt with register file and units of their own for what is one for a warp",
                     "STSIMT 4.1, 5.9", false, false, true, kScalarKeys, none, scalar},
    LaneOrganisation{"simt-bcc", "simt that skips the aligned groups of threads of which none executes",
                     "Vaidya et al. 2013; STSIMT 2", false, false, false, kSpatialKeys, none,
                     compressing<CycleCompression::Basic>},
    LaneOrganisation{"simt-scc", "simt that packs the threads that execute, wherever they are, into its units",
                     "Vaidya et al. 2013; STSIMT 2", false, false, false, kSpatialKeys, none,
                     compressing<CycleCompression::Swizzled>},
    LaneOrganisation{"tsimt", "lanes one thread wide; a warp instruction takes a cycle for each active thread",
                     "STSIMT 3", true, false, true, kTemporalKeys, lanes_of<1>, temporal<1>},
    LaneOrganisation{"tsimt-plus", "tsimt with registers for active threads alone, freed when a warp exits",
                     "STSIMT 3.7, 5.5", true, true, true, kTemporalKeys, lanes_of<1>, temporal<1>},
    LaneOrganisation{"stsimt2", "lanes two threads wide; a cycle for each pair with an active thread",
                     "STSIMT 3.1, 5.7", true, false, true, kTemporalKeys, lanes_of<2>, temporal<2>},
    LaneOrganisation{"stsimt4", "lanes four threads wide; a cycle for each four with an active thread",
                     "STSIMT 3.1, 5.7", true, false, true, kTemporalKeys, lanes_of<4>, temporal<4>},
    LaneOrganisation{"stsimt", "lanes core.lanes.width threads wide; a cycle for each group with an active thread",
                     "STSIMT 3.1", true, false, true, kKeysOfAnyWidth, lanes_of_key, temporal_of_key},
    LaneOrganisation{"unlocked-lanes", "tsimt in which any lane executes any warp: an ideal", "STSIMT 5.6", true, false,
                     true, kTemporalKeys, none, unlocked},
};

}  // namespace

bool LaneOrganisation::uses(std::string_view key) const { return uses_key(*this, key, kOrganisations); }

unsigned warp_slots(const CoreSpec& spec) {
  constexpr unsigned kPlaces = 64;  // twice the warps of a core of STSIMT's Table III
  return find_lane_organisation(spec.lanes.organisation).frees_warps ? std::max(kPlaces, spec.warps) : spec.warps;
}

std::span<const LaneOrganisation> lane_organisations() { return kOrganisations; }

const LaneOrganisation& find_lane_organisation(std::string_view name) {
  return find_named(kOrganisations, name, "lane organisation", "organisations");
}

}  // namespace warpfork::gpu
