#include "energy/activity.h"

#include <algorithm>

#include "energy/core_structures.h"

namespace warpfork::energy {

Activity activity_of(const ooo::MachineSpec& machine, const ooo::CoreCounts& counts, const PriceList& prices) {
  const auto committed = static_cast<double>(counts.uops), merges = static_cast<double>(counts.merges);
  const auto flushed = static_cast<double>(counts.flushed), issued = static_cast<double>(counts.issued);
  const double fetched_again = committed == 0 ? 1 : (committed + flushed) / committed;
  const ooo::DataMemoryCounts& memory = counts.memory;

  Activity activity;
  activity.cycles = static_cast<double>(counts.cycles);
  activity.instructions = static_cast<double>(counts.front.instructions) * fetched_again;
  activity.branches = static_cast<double>(counts.front.branches) * fetched_again;
  activity.uops = committed + flushed;
  activity.issued = issued;
  activity.committed = committed;
  activity.memory_operations = static_cast<double>(memory.accesses);
  // Merges move whole registers, path µops compute a mask: neither is work of the program's kind.
  const auto paths = static_cast<double>(counts.front.predicted_divergent + counts.front.convergences);
  const double merged = merges * machine.threads;
  const double operations = std::max(0.0, issued - merges - paths) * counts.occupancy();
  const double computed = std::max(0.0, operations - activity.memory_operations);
  activity.vector_operations = prices.mix.vector_share * computed;
  activity.integer_operations = computed - activity.vector_operations + activity.memory_operations + merged + paths;
  activity.l1_requests = static_cast<double>(memory.requests);
  activity.l1_fills = static_cast<double>(memory.l1_misses);
  activity.l2_requests = static_cast<double>(memory.l2_accesses + memory.l2_misses + memory.write_backs);
  activity.memory_lines = static_cast<double>(memory.l2_misses + memory.write_backs);
  return activity;
}

Activity peak_activity(const ooo::MachineSpec& machine) {
  const ooo::PipelineSpec& pipeline = machine.pipeline;
  const double lanes = machine.threads;
  Activity activity;
  activity.cycles = 1;
  activity.instructions = pipeline.fetch_width;
  activity.branches = pipeline.branch_units;
  activity.uops = pipeline.rename_width;
  activity.issued = pipeline.issue_width;
  activity.committed = pipeline.commit_width;
  activity.memory_operations = lanes * pipeline.memory_ports;
  activity.integer_operations = lanes * (pipeline.integer_units + pipeline.branch_units) + activity.memory_operations;
  activity.multiply_operations = lanes * pipeline.multiply_units;
  activity.vector_operations = pipeline.vector_units * std::max(4.0, lanes);
  activity.l1_requests = activity.memory_operations;
  return activity;
}

}  // namespace warpfork::energy
