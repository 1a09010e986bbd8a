// From an instruction to the class by which a machine description gives its latency (table: operations.def).
#pragma once

#include "ptx/instruction.h"
#include "simt/timing_class.h"

namespace warpfork::simt {

TimingClass timing_of(const ptx::Instruction& instruction);

}  // namespace warpfork::simt
