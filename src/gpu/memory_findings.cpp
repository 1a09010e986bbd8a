#include "gpu/memory_findings.h"

#include <string>

#include "gpu/finding_places.h"
#include "simt/memory_fault.h"

namespace warpfork::gpu {

void add_memory_findings(const simt::MemoryCheck& check, const simt::Launch& launch, report::Findings& findings) {
  findings.checks.emplace_back("memory");
  for (const simt::UninitialisedRead& read : check.found()) {
    report::Finding finding;
    finding.kind = "uninitialised";
    finding.space = simt::name_of(read.space);
    finding.address = read.address;
    finding.count = read.count;
    if (read.space == simt::MemorySpace::Global) finding.allocation = allocation_place(*launch.memory, read.address);
    finding.second =
        access_place(*launch.program, read.is_atomic ? "atomic" : "read", read.block, read.thread, read.pc);
    findings.list.push_back(std::move(finding));
  }
}

}  // namespace warpfork::gpu
