// The result of one run of a recorded x86-64 program on a core.
#pragma once

#include <cstdint>
#include <string>

#include "energy/area_report.h"
#include "energy/energy_report.h"
#include "ooo/core_counts.h"
#include "ooo/machine_spec.h"
#include "report/json.h"
#include "x86/recording_format.h"

namespace warpfork::simulation {

struct CpuResult {
  std::string core;
  ooo::MachineSpec machine;  ///< as the core has adapted it
  x86::RecordingFacts recording;
  unsigned threads = 0;            ///< that the recording has instructions of
  std::uint64_t instructions = 0;  ///< of these, but for those that are left out:
  std::uint64_t spinning = 0;      ///< of loops in which a thread only waited for another
  ooo::CoreCounts counts;
  energy::EnergyReport energy{energy::core_parts()};
  energy::AreaReport area;

  /// Of the document, which docs/cpu.md explains.
  report::Json totals() const;
  report::Json document() const;
};

}  // namespace warpfork::simulation
