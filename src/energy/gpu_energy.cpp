#include "energy/gpu_energy.h"

#include <algorithm>

namespace warpfork::energy {

namespace {

using report::ActivityCount;
using report::Operation;

constexpr double kProductsOfSpecial = 3;  // two products and a square of a quadratic interpolation

double number(std::uint64_t count) { return static_cast<double>(count); }

/// Adds up a report; energies come in pJ.
class GpuAccount {
 public:
  GpuAccount(const GpuStructures& chip, const GpuPriceList& prices) : chip_(chip), prices_(prices) {}

  void pay(GpuPart part, double picojoules) { report_.nanojoules[static_cast<unsigned>(part)] += picojoules * 1e-3; }
  /// So many bits in all of accesses to one copy.
  void access(GpuArray array, double bits) { pay(part_of(array), access_pj(chip_[array], bits, prices_)); }
  /// The same, of bits that are used where their columns end.
  void columns(GpuArray array, double bits) { pay(part_of(array), column_pj(chip_[array], bits, prices_)); }
  /// The same through a crossbar.
  void cross(GpuCrossbar crossbar, double bits) {
    const Crossbar& shape = chip_[crossbar];
    pay(part_of(crossbar), crossbar_pj(shape.ports, shape.bits, bits, prices_));
  }
  /// Accesses of so many bits; a miss brings a whole line.
  void cache(GpuArray array, const report::CacheCount& count, double port_bits) {
    access(array, number(count.accesses) * port_bits + number(count.misses) * chip_[array].bits);
  }

  const GpuStructures& chip_;
  const GpuPriceList& prices_;
  EnergyReport report_{gpu_parts()};
};

/// A fetch reads the cache, an instruction is written into its buffer and read from there; every scheduler that has
/// live warps compares their ages in every cycle.
void front_end(GpuAccount& account, const gpu::CoreSpec& core, const report::LaunchRecord& counts) {
  const double instructions = number(counts.activity.instructions),
               instruction_bits = kByteBits * core.instruction_bytes;
  account.cache(GpuArray::InstructionCache, counts.memory.caches.l1i, kByteBits * core.fetch_bytes);
  account.access(GpuArray::InstructionBuffers, 2 * instructions * instruction_bits);
  account.pay(GpuPart::Decode, instructions * account.prices_.pipeline.decode_pj);
  account.pay(GpuPart::Scheduler,
              number(counts.scheduler_cycles) * search_pj(account.chip_[GpuArray::Scheduler], account.prices_));
}

/// An instruction reads its warp's set; each result is noted in an entry of it and cleared. At the end of a block the
/// mechanism reads where its split is and writes each path; a branch that parts them makes, and their meeting ends, a
/// reconvergence entry.
void tables(GpuAccount& account, const ActivityCount& activity) {
  const double set = account.chip_[GpuArray::Scoreboard].bits;
  const double entry = set / account.chip_.scoreboard_entries;
  account.columns(GpuArray::Scoreboard, number(activity.instructions) * set + 2 * number(activity.results) * entry);
  const double ends = number(activity.block_ends), paths = number(activity.paths), parted = std::max(0.0, paths - ends);
  account.access(GpuArray::SplitTable, (ends + paths) * account.chip_[GpuArray::SplitTable].bits);
  account.access(GpuArray::ReconvergenceTable, 2 * parted * account.chip_[GpuArray::ReconvergenceTable].bits);
  account.access(GpuArray::Predictor, 2 * parted * account.chip_[GpuArray::Predictor].bits);
}

/// What is read goes through the crossbar into a collector and from there to the units; results go through it as well.
void registers(GpuAccount& account, const ActivityCount& activity) {
  const double read = kWordBits * number(activity.register_reads),
               written = kWordBits * number(activity.register_writes);
  account.access(GpuArray::RegisterBanks, read + written);
  account.cross(GpuCrossbar::Registers, read + written);
  account.access(GpuArray::Collectors, 2 * read);
}

/// Of places in the units where they are not gated, else of threads.
void arithmetic(GpuAccount& account, const ActivityCount::Operations& operations) {
  const ThreadPrices& price = account.prices_.threads;
  const auto of = [&](Operation operation) { return number(operations[static_cast<unsigned>(operation)]); };
  const double products = of(Operation::FloatMultiply) + of(Operation::FloatMultiplyAdd) + of(Operation::Division);
  const double sums = of(Operation::FloatAdd) + of(Operation::FloatMultiplyAdd);
  const double special = of(Operation::Special) + of(Operation::Division);
  account.pay(GpuPart::Alu, (of(Operation::Integer) + of(Operation::Address)) * price.integer_pj +
                                of(Operation::IntegerMultiply) * price.multiply_pj);
  account.pay(GpuPart::Fpu,
              products * price.float_multiply_pj + sums * price.float_add_pj + of(Operation::Double) * price.double_pj);
  account.pay(GpuPart::Sfu, special * kProductsOfSpecial * price.multiply_pj);
  account.cross(GpuCrossbar::Shared, kWordBits * of(Operation::Shuffle));
}

void memory(GpuAccount& account, const gpu::MachineSpec& machine, const report::LaunchRecord& counts) {
  const gpu::CoreSpec& core = machine.core;
  const report::CacheCounts& caches = counts.memory.caches;
  account.access(GpuArray::SharedBanks, kWordBits * number(counts.activity.shared_words));
  account.cross(GpuCrossbar::Shared, kWordBits * number(counts.activity.shared_words));
  account.cache(GpuArray::L1Data, caches.l1d, kByteBits * core.l1d.data_port_bytes);
  account.cache(GpuArray::ConstantCache, caches.constant, kWordBits);
  account.cache(GpuArray::TextureCache, caches.texture, kByteBits * core.texture.data_port_bytes);
  account.access(GpuArray::L2,
                 (number(caches.l2.accesses) + number(caches.l2.misses)) * kByteBits * machine.memory.l2.sector_bytes);
  const double flit_bits = kByteBits * machine.memory.interconnect.flit_bytes;
  account.cross(GpuCrossbar::Interconnect, number(counts.activity.flits) * flit_bits);
  const double bursts = number(counts.memory.dram.reads) + number(counts.memory.dram.writes);
  account.pay(GpuPart::Dram, bursts * machine.memory.dram.burst_bytes / 8 * account.prices_.memory_pj);
}

/// The registers of the units' pipelines: of those through which a thread goes if idle ones stand still, else of all in
/// every cycle of a core with a live warp.
void clock(GpuAccount& account, const gpu::MachineSpec& machine, const report::LaunchRecord& counts) {
  const PipelinePrices& price = account.prices_.pipeline;
  double passes = number(counts.occupancy.core_cycles) * machine.core.lanes.alus;
  if (machine.energy.gates_idle_lanes) {
    passes = 0;
    for (const std::uint64_t operations : counts.activity.operations) passes += number(operations);
  }
  account.pay(GpuPart::Clock, passes * price.stages * price.stage_bits * price.clock_fj * 1e-3);
}

struct UnitRow {
  std::string_view name;
  GpuPart part;
  double mm2;
};

std::array<UnitRow, 3> unit_rows(const GpuStructures& chip, const GpuPriceList& prices) {
  const ThreadPrices& price = prices.threads;
  return {{{"integer units", GpuPart::Alu, chip.alus * (price.integer_um2 + price.multiply_um2) * kMm2PerUm2},
           {"floating-point units", GpuPart::Fpu,
            chip.alus * (price.float_add_um2 + price.float_multiply_um2) * kMm2PerUm2},
           {"special-function units", GpuPart::Sfu,
            chip.special_units * kProductsOfSpecial * price.multiply_um2 * kMm2PerUm2}}};
}

}  // namespace

EnergyReport energy_of(const gpu::MachineSpec& machine, const report::LaunchRecord& counts,
                       const GpuPriceList& prices) {
  require_complete(prices);
  const GpuStructures chip = structures_of(machine);
  GpuAccount account(chip, prices);
  front_end(account, machine.core, counts);
  tables(account, counts.activity);
  registers(account, counts.activity);
  arithmetic(account, machine.energy.gates_idle_lanes ? counts.activity.operations : counts.activity.slots);
  memory(account, machine, counts);
  clock(account, machine, counts);
  account.report_.seconds = number(counts.cycles) / (machine.memory.clock.core_mhz * 1e6);
  account.pay(GpuPart::Static, leakage_mw_of(machine, prices) * account.report_.seconds * 1e9);  // mW × s = 1e9 pJ
  return account.report_;
}

EnergyReport peak_of(const gpu::MachineSpec& machine, const GpuPriceList& prices) {
  const gpu::CoreSpec& core = machine.core;
  const memory::MemorySpec& below = machine.memory;
  const std::uint64_t cycles = 1000;  // of one, in whole numbers
  const std::uint64_t cores = cycles * machine.cores, threads = cores * core.lanes.alus;
  const std::uint64_t slices = std::uint64_t{below.mapping.channels} * below.mapping.slices_per_channel;
  const std::uint64_t below_cycles = cycles * below.clock.interconnect_mhz / below.clock.core_mhz;
  report::LaunchRecord counts;
  counts.cycles = cycles;
  counts.occupancy.core_cycles = cores;
  counts.scheduler_cycles = cores * core.schedulers;
  counts.memory.caches.l1i.accesses = counts.memory.caches.l1d.accesses = cores;
  counts.memory.caches.l2.accesses = below_cycles * slices;
  counts.memory.dram.reads = cycles * below.clock.dram_mhz / below.clock.core_mhz * below.mapping.channels /
                             std::max(1u, below.dram.burst_cycles);
  ActivityCount& activity = counts.activity;
  activity.instructions = activity.results = cores * core.schedulers / core.issue_interval;
  const auto multiply_add = static_cast<unsigned>(Operation::FloatMultiplyAdd);
  const auto special = static_cast<unsigned>(Operation::Special);
  activity.operations[multiply_add] = activity.slots[multiply_add] = threads;
  activity.operations[special] = activity.slots[special] =
      static_cast<std::uint64_t>(structures_of(machine).special_units) * cycles;
  activity.register_reads = 3 * threads;
  activity.register_writes = threads;
  activity.shared_words = cores * core.shared.banks;
  activity.flits = below_cycles * (machine.cores + slices);
  return energy_of(machine, counts, prices);
}

AreaReport area_of(const gpu::MachineSpec& machine, const GpuPriceList& prices) {
  require_complete(prices);
  const GpuStructures chip = structures_of(machine);
  AreaReport area{gpu_parts(), {}};
  const auto add = [&](std::string_view name, GpuPart part, double mm2) {
    if (mm2 != 0) area.rows.push_back({name, static_cast<unsigned>(part), mm2});
  };
  for (unsigned i = 0; i < kGpuArrays; ++i) {
    const auto array = static_cast<GpuArray>(i);
    add(name_of(array), part_of(array), area_mm2(chip[array], prices));
  }
  for (unsigned i = 0; i < kGpuCrossbars; ++i) {
    const auto crossbar = static_cast<GpuCrossbar>(i);
    const Crossbar& shape = chip[crossbar];
    add(name_of(crossbar), part_of(crossbar), shape.copies * crossbar_mm2(shape.ports, shape.bits, prices));
  }
  for (const UnitRow& row : unit_rows(chip, prices)) add(row.name, row.part, row.mm2);
  return area;
}

double leakage_mw_of(const gpu::MachineSpec& machine, const GpuPriceList& prices) {
  const GpuStructures chip = structures_of(machine);
  double sum = 0;
  for (const Array& array : chip.arrays) sum += leakage_mw(array, prices);
  for (const Crossbar& crossbar : chip.crossbars)
    sum += crossbar.copies * crossbar_mm2(crossbar.ports, crossbar.bits, prices) * prices.wires.leakage_mw;
  for (const UnitRow& row : unit_rows(chip, prices)) sum += row.mm2 * prices.wires.leakage_mw;
  return sum;
}

}  // namespace warpfork::energy
