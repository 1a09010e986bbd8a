// What the units of all cores ask of the instructions of a kernel.
#pragma once

#include "gpu/bank_accesses.h"
#include "gpu/core_spec.h"
#include "gpu/hazard_table.h"
#include "simt/program.h"

namespace warpfork::gpu {

/// Made once for a launch: with tables of their own the cores would fill the host's cache.
struct KernelTables {
  KernelTables(const CoreSpec& spec, const simt::Program& program)
      : program(program),
        hazards(spec, program),
        banks(spec.collector.banks, program.code, program.register_numbers,
              program.scalars.rule ? &program.scalars.listed : nullptr) {}

  const simt::Program& program;
  HazardTable hazards;
  BankAccesses banks;
};

}  // namespace warpfork::gpu
