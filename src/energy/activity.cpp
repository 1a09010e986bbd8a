#include "energy/activity.h"

#include <algorithm>

#include "energy/core_structures.h"

namespace warpfork::energy {

Activity activity_of(const ooo::CoreCounts& counts) {
  const auto committed = static_cast<double>(counts.uops), flushed = static_cast<double>(counts.flushed);
  const double fetched_again = committed == 0 ? 1 : (committed + flushed) / committed;
  const ooo::DataMemoryCounts& memory = counts.memory;
  const ooo::OperationCounts& operations = counts.operations;

  Activity activity;
  activity.cycles = static_cast<double>(counts.cycles);
  activity.instructions = static_cast<double>(counts.front.instructions) * fetched_again;
  activity.branches = static_cast<double>(counts.front.branches) * fetched_again;
  activity.uops = committed + flushed;
  activity.issued = static_cast<double>(counts.issued);
  activity.committed = committed;
  activity.memory_operations = static_cast<double>(memory.accesses);
  activity.memory_words = static_cast<double>(operations.memory);
  activity.integer_operations = static_cast<double>(operations.integer) + activity.memory_operations;
  activity.multiply_operations = static_cast<double>(operations.multiply);
  activity.vector_operations = static_cast<double>(operations.vector);
  activity.float_operations = static_cast<double>(operations.floating_point);
  activity.l1_requests = static_cast<double>(memory.requests);
  activity.l1_words =
      memory.accesses == 0 ? 0 : activity.l1_requests * activity.memory_words / activity.memory_operations;
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
  activity.float_operations = pipeline.vector_units * std::max(4.0, lanes);
  activity.memory_words = activity.l1_words = activity.l1_requests = activity.memory_operations;
  return activity;
}

}  // namespace warpfork::energy
