#include "ooo/cores.h"

#include <array>
#include <type_traits>

#include "base/key_use.h"
#include "base/named.h"
#include "ooo/in_order_core.h"
#include "ooo/out_of_order_core.h"

namespace warpfork::ooo {

namespace {

template <class Made>
std::unique_ptr<Core> make(const MachineSpec& machine, std::span<ThreadWindow> threads, const x86::Code& code,
                           Synchronisation& synchronisation) {
  check_machine(machine, std::is_same_v<Made, OutOfOrderCore>);
  return std::make_unique<Made>(machine, threads, code, synchronisation);
}

/// Each context holds a register for every architectural one. The machine's registers are for `enough` contexts; what
/// these leave for renaming is left to any number.
MachineSpec with_registers(MachineSpec machine, unsigned contexts, unsigned enough) {
  const auto widen = [&](unsigned& registers, unsigned& added, RegisterClass file) {
    if (contexts > enough) added = (contexts - enough) * architectural_registers(file);
    registers += added;
  };
  PipelineSpec& pipeline = machine.pipeline;
  widen(pipeline.integer_registers, pipeline.added_integer_registers, RegisterClass::Integer);
  widen(pipeline.vector_registers, pipeline.added_vector_registers, RegisterClass::Vector);
  return machine;
}

MachineSpec smt(const MachineSpec& machine) {
  MachineSpec adapted = with_registers(machine, machine.warps * machine.threads, 4);  // Table I is of four threads
  adapted.warps = machine.warps * machine.threads;
  adapted.threads = 1;
  adapted.divergence_prediction = false;
  return adapted;
}

/// A warp may hold two registers for each architectural one. Table I is of up to four warps (section 4.1).
MachineSpec simt_x(const MachineSpec& machine) {
  return with_registers(machine, machine.warps * (may_part(machine) ? 2 : 1), 8);
}

MachineSpec as_it_is(const MachineSpec& machine) { return machine; }

constexpr std::array<std::string_view, 12> kSimtXKeys{
    "disambiguation",
    "reorder_buffer_sharing",
    "pipeline.rename_width",
    "pipeline.issue_queue",
    "pipeline.reorder_buffer",
    "pipeline.commit_width",
    "pipeline.integer_registers",
    "pipeline.vector_registers",
    // A thread by itself neither parts nor meets, and has nothing to merge: the rename strategies are one.
    "rename",
    "divergence_prediction",
    "pipeline.path_entries",
    "latency.merge",
};
constexpr std::span kOutOfOrderKeys = std::span(kSimtXKeys).first(8);
constexpr std::array<std::string_view, 1> kDitvaKeys{"issue_order"};

constexpr std::array kCores{
    CoreRecipe{"smt", "out of order, every thread by itself: the baseline", "SIMT-X 4", true, kOutOfOrderKeys, smt,
               make<OutOfOrderCore>},
    CoreRecipe{"ditva", "in order, threads of a warp together where they are at the same place",
               "Kalathingal et al. 2017; SIMT-X 4", false, kDitvaKeys, as_it_is, make<InOrderCore>},
    CoreRecipe{"simt-x", "out of order, threads of a warp together: paths, predicted divergence, PIRAT", "SIMT-X 3",
               true, kSimtXKeys, simt_x, make<OutOfOrderCore>},
};

}  // namespace

bool CoreRecipe::uses(std::string_view key) const { return uses_key(*this, key, kCores); }

std::span<const CoreRecipe> core_recipes() { return kCores; }

std::vector<std::string> core_names() { return names_of(kCores); }

const CoreRecipe& find_core(std::string_view name) { return find_named(kCores, name, "core", "cores"); }

}  // namespace warpfork::ooo
