#include "energy/gpu_structures.h"

#include <algorithm>
#include <bit>
#include <string>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"

namespace warpfork::energy {

namespace {

struct Row {
  std::string_view name;
  GpuPart part;
};

constexpr std::array<std::string_view, 15> kGpuPartNames{
    "fetch",         "decode",       "scheduler", "scoreboard", "divergence tables",
    "register file", "ALU",          "FPU",       "SFU",        "shared memory",
    "caches",        "interconnect", "DRAM",      "clock",      "static"};

constexpr std::array<Row, kGpuArrays> kArrayRows{{
    {"instruction cache", GpuPart::Fetch},
    {"instruction buffers", GpuPart::Fetch},
    {"warp schedulers", GpuPart::Scheduler},
    {"scoreboard", GpuPart::Scoreboard},
    {"stack or split table", GpuPart::DivergenceTables},
    {"reconvergence table", GpuPart::DivergenceTables},
    {"compaction predictor", GpuPart::DivergenceTables},
    {"register banks", GpuPart::RegisterFile},
    {"operand collectors", GpuPart::RegisterFile},
    {"shared memory", GpuPart::SharedMemory},
    {"L1 data cache", GpuPart::Caches},
    {"constant cache", GpuPart::Caches},
    {"texture cache", GpuPart::Caches},
    {"L2 cache", GpuPart::Caches},
}};

constexpr std::array<Row, kGpuCrossbars> kCrossbarRows{{
    {"register crossbars", GpuPart::RegisterFile},
    {"shared memory crossbar", GpuPart::SharedMemory},
    {"interconnect", GpuPart::Interconnect},
}};

constexpr double kPcBits = 32;
constexpr double kGpuTagBits = 32;     // of a cache line: address and state
constexpr double kRegisterIdBits = 8;  // of the scoreboard: up to 255 registers a thread, and none
constexpr unsigned kUnlimited = 8;     // scoreboard entries that a machine without a limit is taken to have
constexpr double kL2LineBytes = 128;
constexpr unsigned kOperands = 3;            // that an instruction collects
constexpr unsigned kPredictorBranches = 32;  // of capri without a limit
constexpr unsigned kAlusOfSpecialUnit = 4;   // STSIMT Table III: 8 and 2

Array cache(const memory::CacheSpec& spec, double cores) {
  return {.entries = 1.0 * spec.sets * spec.ways, .bits = kByteBits * spec.line_bytes + kGpuTagBits, .copies = cores};
}

class GpuBuilder {
 public:
  explicit GpuBuilder(const gpu::MachineSpec& machine)
      : machine_(machine),
        core_(machine.core),
        mechanism_(find_divergence_mechanism(machine.divergence.mechanism)),
        cores_(machine.cores) {}

  GpuStructures build() {
    front_end();
    scoreboard();
    divergence();
    registers();
    units();
    memory();
    return made_;
  }

 private:
  Array& at(GpuArray array) { return made_.arrays[static_cast<unsigned>(array)]; }
  Crossbar& at(GpuCrossbar crossbar) { return made_.crossbars[static_cast<unsigned>(crossbar)]; }

  void front_end() {
    at(GpuArray::InstructionCache) = cache(core_.l1i, cores_);
    at(GpuArray::InstructionBuffers) = {.entries = 1.0 * core_.warps * core_.instruction_buffer,
                                        .bits = kByteBits * core_.instruction_bytes,
                                        .reads = core_.schedulers,
                                        .copies = cores_};
    at(GpuArray::Scheduler) = {.entries = 1.0 * core_.warps / core_.schedulers,
                               .bits = 1.0 + std::bit_width(core_.warps - 1),
                               .searches = 1,
                               .copies = cores_ * core_.schedulers};
  }

  /// A set for each warp (MULTIPATH 3.3.2). Ports as its 6.6 has them for two schedulers: 6 that read, 3 that write.
  void scoreboard() {
    const unsigned entries = core_.scoreboard_entries != 0 ? core_.scoreboard_entries : kUnlimited;
    made_.scoreboard_entries = entries;
    const double mask = gpu::tells_lanes_apart(core_, mechanism_.lane_masks) ? core_.warp_size : 0;
    at(GpuArray::Scoreboard) = {.entries = 1.0 * core_.warps,
                                .bits = entries * (kRegisterIdBits + mask),
                                .reads = kOperands * core_.schedulers,
                                .writes = core_.schedulers + 1,
                                .copies = cores_};
  }

  /// Threads of a warp can be at as many places as it has threads: so many entries are enough for every program.
  void divergence() {
    const unsigned threads = core_.warp_size;
    const double entry = 2 * kPcBits + threads;  // PC, reconvergence PC, lanes
    Array& table = at(GpuArray::SplitTable);
    table = {.entries = 1.0 * core_.warps * threads, .bits = entry, .reads = 1, .copies = cores_};
    if (mechanism_.name == "dual-path") table.bits += kPcBits + threads;  // both sides of a branch
    if (mechanism_.reconvergence_table) {
      const unsigned limit = machine_.divergence.reconvergence_entries;
      at(GpuArray::ReconvergenceTable) = {.entries = 1.0 * core_.warps * (limit != 0 ? limit : threads),
                                          .bits = entry + threads,  // those that have arrived, and all
                                          .reads = 1,
                                          .copies = cores_};
    }
    if (mechanism_.regroups) {  // one stack for each block, whose masks are of all its threads
      table.entries = 1.0 * core_.blocks * threads;
      table.bits = 2 * kPcBits + 1.0 * core_.threads / core_.blocks;
    }
    if (mechanism_.predicts) {
      const unsigned limit = machine_.divergence.predictor_entries;
      at(GpuArray::Predictor) = {
          .entries = 1.0 * (limit != 0 ? limit : kPredictorBranches), .bits = 1, .reads = 1, .copies = cores_};
    }
  }

  /// Threads side by side share banks, and a crossbar leads from these to their collectors (STSIMT 3.7, Table I).
  void registers() {
    const gpu::LaneOrganisation& organisation = gpu::find_lane_organisation(core_.lanes.organisation);
    const unsigned alus = core_.lanes.alus, banks = core_.lanes.banks;
    const unsigned own = organisation.temporal ? organisation.lanes(core_) : 1;
    const unsigned lane_width = own != 0 ? alus / own : 1;  // of lanes that share all warps: one thread
    const unsigned side_by_side = std::min(machine_.energy.register_file_width, lane_width);
    if (alus % side_by_side != 0)
      throw Error("error: 'energy.register_file_width' must divide the {} arithmetic units of a core, not be {}", alus,
                  side_by_side);
    const unsigned lanes = alus / side_by_side;
    const double width = kWordBits * side_by_side;
    at(GpuArray::RegisterBanks) = {.entries = kWordBits * core_.registers / (width * lanes * banks),
                                   .bits = width,
                                   .copies = cores_ * lanes * banks};
    at(GpuCrossbar::Registers) = {banks, width, cores_ * lanes};
    const gpu::CollectorSpec& units = core_.collector;
    const double collectors =
        organisation.temporal ? core_.lanes.collector_groups : units.sp_units + units.sfu_units + units.memory_units;
    const double rows = organisation.temporal ? 1 : std::max(1.0, 1.0 * core_.warp_size / alus);  // of an operand
    at(GpuArray::Collectors) = {
        .entries = kOperands * rows, .bits = width, .reads = 1, .copies = cores_ * lanes * collectors};
  }

  void units() {
    made_.alus = cores_ * core_.lanes.alus;
    made_.special_units = cores_ * std::max(1u, core_.lanes.alus / kAlusOfSpecialUnit);
  }

  void memory() {
    const gpu::SharedMemorySpec& shared = core_.shared;
    at(GpuArray::SharedBanks) = {.entries = kByteBits * shared.bytes / (shared.banks * kWordBits),
                                 .bits = kWordBits,
                                 .copies = cores_ * shared.banks};
    at(GpuCrossbar::Shared) = {shared.banks, kWordBits, cores_};
    at(GpuArray::L1Data) = cache(core_.l1d, cores_);
    at(GpuArray::ConstantCache) = cache(core_.constant, cores_);
    at(GpuArray::TextureCache) = cache(core_.texture, cores_);
    const memory::MemorySpec& below = machine_.memory;
    const unsigned slices = below.mapping.channels * below.mapping.slices_per_channel;
    at(GpuArray::L2) = {.entries = 1.0 * below.l2.sets * below.l2.ways,
                        .bits = kByteBits * kL2LineBytes + kGpuTagBits,
                        .copies = 1.0 * slices};
    at(GpuCrossbar::Interconnect) = {std::max(machine_.cores, slices), kByteBits * below.interconnect.flit_bytes, 2};
  }

  const gpu::MachineSpec& machine_;
  const gpu::CoreSpec& core_;
  const DivergenceMechanism& mechanism_;
  double cores_;
  GpuStructures made_;
};

}  // namespace

PartNames gpu_parts() { return {kGpuPartNames, static_cast<unsigned>(GpuPart::Dram)}; }
std::string_view name_of(GpuArray array) { return kArrayRows[static_cast<unsigned>(array)].name; }
GpuPart part_of(GpuArray array) { return kArrayRows[static_cast<unsigned>(array)].part; }
std::string_view name_of(GpuCrossbar crossbar) { return kCrossbarRows[static_cast<unsigned>(crossbar)].name; }
GpuPart part_of(GpuCrossbar crossbar) { return kCrossbarRows[static_cast<unsigned>(crossbar)].part; }

GpuStructures structures_of(const gpu::MachineSpec& machine) { return GpuBuilder(machine).build(); }

}  // namespace warpfork::energy
