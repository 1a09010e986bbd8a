#include "energy/core_structures.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ooo/cores.h"
#include "ooo/predict/branch_target_buffer.h"
#include "ooo/predict/tage.h"
#include "ooo/rename/physical_register.h"

namespace warpfork::energy {

namespace {

struct StructureRow {
  std::string_view name;
  Part part;
};

constexpr std::array<StructureRow, kStructures> kRows{{
    {"instruction cache", Part::FrontEnd},
    {"branch predictor", Part::FrontEnd},
    {"branch target buffer", Part::FrontEnd},
    {"fetch buffer", Part::FrontEnd},
    {"path scheduling table", Part::FrontEnd},
    {"path table", Part::FrontEnd},
    {"divergence predictor", Part::FrontEnd},
    {"rename table", Part::Rename},
    {"commit table", Part::Rename},
    {"reorder buffer", Part::Window},
    {"issue queue, tags", Part::Window},
    {"issue queue, payload", Part::Window},
    {"load/store queue, addresses", Part::Window},
    {"load/store queue, data", Part::Window},
    {"integer registers", Part::RegisterFiles},
    {"vector registers", Part::RegisterFiles},
    {"L1 data cache", Part::L1AndTlb},
    {"data TLB", Part::L1AndTlb},
    {"L2 cache", Part::L2},
}};

constexpr std::array<std::string_view, kParts> kCorePartNames{
    "front end", "rename", "window", "register files", "execution", "L1D and TLB", "L2", "memory", "leakage"};

constexpr double kWord = 64, kVectorBits = 256, kAddressBits = 48;
constexpr double kCoreTagBits = 40;               // of a cache line: address above 4 KB pages, state
constexpr double kInstructionCacheBytes = 32768;  // Table I names none; that of the Intel cores that it follows
constexpr double kTargetBits = 64;                // target and part of the branch's address
constexpr double kMicroOpBits = 96;               // operation, three registers, immediate, place in the other queues
constexpr double kTlbBits = 76;                   // page, frame, rights
constexpr double kMappedRegisters = 32;  // of a thread: 16 integer and 16 vector (section 4.5: 128 of four threads)
constexpr unsigned kPredictorBanks = 8;  // TAGE: base and seven tables

class CoreBuilder {
 public:
  CoreBuilder(const ooo::MachineSpec& machine, std::string_view core)
      : machine_(machine), pipeline_(machine.pipeline), in_order_(core == "ditva"), simt_(core != "smt") {}

  CoreStructures build(const PriceList& prices) {
    front_end();
    if (!in_order_) {
      rename();
      window();
    }
    load_store_queue();
    registers();
    caches();
    units();
    made_.control_mm2 = control_mm2(prices.control);
    made_.idle_mw = in_order_ ? 0 : prices.logic.idle_mw;
    return made_;
  }

 private:
  Array& at(Structure structure) { return made_.arrays[static_cast<unsigned>(structure)]; }
  double lanes() const { return machine_.threads; }

  void front_end() {
    const unsigned width = pipeline_.fetch_width;
    at(Structure::InstructionCache) = cache(kInstructionCacheBytes);
    const double banked = 1.0 * kPredictorBanks * kPredictorEntries;
    at(Structure::BranchPredictor) = {
        .entries = kPredictorEntries, .bits = ooo::Tage::storage_bits() / banked, .copies = kPredictorBanks};
    const ooo::BranchTargetBufferSpec targets;
    at(Structure::TargetBuffer) = {.entries = 1.0 * targets.sets * targets.ways, .bits = kTargetBits};
    at(Structure::FetchBuffer) = {
        .entries = 1.0 * pipeline_.fetch_buffer, .bits = kMicroOpBits, .reads = width, .writes = width};
    if (simt_) paths();
  }

  /// Section 4.5 gives widths for four threads a warp: 84, 9 and 21 bits; a mask bit more or less for each other.
  void paths() {
    at(Structure::PathSchedulingTable) = {
        .entries = 1.0 * machine_.warps * machine_.threads, .bits = 80 + lanes(), .reads = 1};
    if (in_order_) return;
    const unsigned entries = path_entries();
    at(Structure::PathTable) = {
        .entries = 1.0 * machine_.warps * entries, .bits = 5 + lanes(), .reads = pipeline_.rename_width, .writes = 1};
    if (machine_.divergence_prediction) at(Structure::DivergencePredictor) = {.entries = 32, .bits = 2, .reads = 1};
  }

  unsigned path_entries() const {
    return pipeline_.path_entries != 0 ? pipeline_.path_entries : std::max(8u, 2 * machine_.threads);
  }

  double register_bits() const {
    return std::bit_width(std::max(pipeline_.integer_registers, pipeline_.vector_registers) - 1);
  }

  /// A µop reads the mappings of two sources and of its destination, and writes the last.
  void rename() {
    double bits = register_bits();
    if (simt_ && machine_.rename != "rat")
      bits = 2 * bits + 1 + std::max(lanes(), 1.0 * std::bit_width(path_entries() - 1));
    const double entries = kMappedRegisters * machine_.warps;
    at(Structure::RenameTable) = {
        .entries = entries, .bits = bits, .reads = 3 * pipeline_.rename_width, .writes = pipeline_.rename_width};
    at(Structure::CommitTable) = {
        .entries = entries, .bits = bits, .reads = pipeline_.commit_width, .writes = pipeline_.commit_width};
  }

  /// An entry of the reorder buffer: address, new and old register, state; and the warp's mask.
  void window() {
    const double mask = simt_ ? lanes() : 0;
    at(Structure::ReorderBuffer) = {.entries = 1.0 * pipeline_.reorder_buffer,
                                    .bits = kAddressBits + 2 * register_bits() + 8 + mask,
                                    .reads = pipeline_.commit_width,
                                    .writes = pipeline_.rename_width};
    at(Structure::IssueQueueTags) = {.entries = 1.0 * pipeline_.issue_queue,
                                     .bits = 2 * register_bits(),
                                     .writes = pipeline_.rename_width,
                                     .searches = pipeline_.issue_width};
    at(Structure::IssueQueuePayload) = {.entries = 1.0 * pipeline_.issue_queue,
                                        .bits = kMicroOpBits + mask,
                                        .reads = pipeline_.issue_width,
                                        .writes = pipeline_.rename_width};
  }

  /// A column for each lane: each thread watches its own (section 3.10).
  void load_store_queue() {
    const double entries = pipeline_.load_store_queue;
    at(Structure::LoadStoreAddresses) = {
        .entries = entries, .bits = kAddressBits, .searches = pipeline_.memory_ports, .copies = lanes()};
    at(Structure::LoadStoreData) = {.entries = entries,
                                    .bits = kVectorBits,
                                    .reads = pipeline_.memory_ports,
                                    .writes = pipeline_.memory_ports,
                                    .copies = lanes()};
  }

  /// A file for each lane (section 3.2). In order they hold the architectural registers.
  void registers() {
    double integers = pipeline_.integer_registers, vectors = pipeline_.vector_registers;
    if (in_order_) {
      unsigned vector_class = 0;
      for (x86::RegisterId i = 0; i < x86::kRegisterCount; ++i)
        vector_class += ooo::class_of(i) == ooo::RegisterClass::Vector;
      integers = 1.0 * machine_.warps * (x86::kRegisterCount - vector_class);
      vectors = 1.0 * machine_.warps * vector_class;
    }
    at(Structure::IntegerRegisters) = {.entries = integers,
                                       .bits = kWord,
                                       .reads = 2 * pipeline_.issue_width,
                                       .writes = pipeline_.issue_width,
                                       .copies = lanes()};
    at(Structure::VectorRegisters) = {.entries = vectors,
                                      .bits = kVectorBits,
                                      .reads = 3 * pipeline_.vector_units + pipeline_.memory_ports,
                                      .writes = pipeline_.vector_units + pipeline_.memory_ports,
                                      .copies = lanes()};
  }

  /// A bank of the L1 and a TLB for each lane (section 3.10).
  void caches() {
    const ooo::DataMemorySpec& memory = machine_.memory;
    at(Structure::L1Data) = cache(1024.0 * memory.l1_kilobytes / lanes());
    at(Structure::L1Data).copies = lanes();
    at(Structure::Tlb) = {.entries = 1.0 * memory.tlb_entries, .bits = kTlbBits, .copies = lanes()};
    at(Structure::L2) = cache(1024.0 * memory.l2_kilobytes);
  }

  Array cache(double bytes) const {
    const double line = machine_.memory.line_bytes;
    return {.entries = bytes / line, .bits = 8 * line + kCoreTagBits};
  }

  /// A vector unit is 256 bits wide, or as wide as the 64 bits of each lane, if that is more (section 3.9).
  void units() {
    const unsigned lanes = machine_.threads;
    made_.lanes = lanes;
    made_.integer_units = (pipeline_.integer_units + pipeline_.branch_units + pipeline_.memory_ports) * lanes;
    made_.multiply_units = pipeline_.multiply_units * lanes;
    made_.float_units = pipeline_.vector_units * std::max(static_cast<unsigned>(kVectorBits / kWord), lanes);
  }

  /// Stages after fetch and decode: rename, dispatch, issue, registers, execution, memory, write-back, commit; in
  /// order issue, execution, memory, write-back.
  double control_mm2(const ControlPrices& price) const {
    const double stages = pipeline_.front_end_depth + (in_order_ ? 4 : 8);
    const double area = in_order_ ? price.in_order_less - price.in_order_log * std::log(stages)
                                  : price.out_of_order_log * std::log(stages) - price.out_of_order_less;
    const double threads = 1 + price.thread_doubling * std::log2(machine_.warps * machine_.threads);
    return std::max(0.0, area) * threads * price.scale;
  }

  static constexpr double kPredictorEntries = 512;  // of each of TAGE's tables

  const ooo::MachineSpec& machine_;
  const ooo::PipelineSpec& pipeline_;
  bool in_order_, simt_;
  CoreStructures made_;
};

}  // namespace

std::string_view name_of(Part part) { return kCorePartNames[static_cast<unsigned>(part)]; }
std::string_view name_of(Structure structure) { return kRows[static_cast<unsigned>(structure)].name; }
PartNames core_parts() { return {kCorePartNames, static_cast<unsigned>(Part::Memory)}; }
Part part_of(Structure structure) { return kRows[static_cast<unsigned>(structure)].part; }

CoreStructures structures_of(const ooo::MachineSpec& machine, std::string_view core, const PriceList& prices) {
  require_complete(prices);
  ooo::find_core(core);
  return CoreBuilder(machine, core).build(prices);
}

}  // namespace warpfork::energy
