#include "energy/energy_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "energy/area_report.h"
#include "report/text_table.h"

namespace warpfork::energy {

namespace {

/// Adds up a report; energies come in pJ.
class CoreAccount {
 public:
  CoreAccount(const CoreStructures& core, const PriceList& prices) : core_(core), prices_(prices) {}

  void pay(Part part, double picojoules) { report_.nanojoules[static_cast<unsigned>(part)] += picojoules * 1e-3; }
  /// `count` accesses of so many bits.
  void access(Structure structure, double count, double bits) {
    pay(part_of(structure), count * access_pj(core_[structure], bits, prices_));
  }
  void access(Structure structure, double count) { access(structure, count, core_[structure].bits); }
  void search(Structure structure, double count) {
    pay(part_of(structure), count * search_pj(core_[structure], prices_));
  }

  const CoreStructures& core_;
  const PriceList& prices_;
  EnergyReport report_{core_parts()};
};

/// A branch reads all tables of its predictor and trains one.
void front_end(CoreAccount& account, const Activity& activity) {
  const double tables = account.core_[Structure::BranchPredictor].copies;
  account.pay(Part::FrontEnd, activity.instructions * account.prices_.logic.control_pj);
  account.access(Structure::InstructionCache, activity.instructions, account.prices_.mix.instruction_bits);
  account.access(Structure::BranchPredictor, activity.branches * (tables + 1));
  account.access(Structure::TargetBuffer, 2 * activity.branches);
  account.access(Structure::FetchBuffer, 2 * activity.instructions);
  account.access(Structure::PathSchedulingTable, 2 * activity.instructions);
  account.access(Structure::PathTable, activity.uops);
  account.access(Structure::DivergencePredictor, 2 * activity.branches);
}

void window(CoreAccount& account, const Activity& activity) {
  account.access(Structure::RenameTable, 4 * activity.uops);  // two sources; the destination's old and new register
  account.access(Structure::CommitTable, 2 * activity.committed);
  account.access(Structure::ReorderBuffer, 2 * activity.uops);
  account.access(Structure::IssueQueueTags, activity.uops);
  account.search(Structure::IssueQueueTags, activity.issued);
  account.access(Structure::IssueQueuePayload, activity.uops + activity.issued);
  account.access(Structure::LoadStoreAddresses, activity.memory_operations);
  account.search(Structure::LoadStoreAddresses, activity.memory_operations);
  account.access(Structure::LoadStoreData, 2 * activity.memory_words, kLaneBits);
}

/// An operation reads two registers and writes one. Of a load or store the address is one of the integer operations,
/// whose write is that of the load, or the read of the store's data; what is wider comes from the vector registers.
void execution(CoreAccount& account, const Activity& activity) {
  const LogicPrices& price = account.prices_.logic;
  account.access(Structure::IntegerRegisters, 3 * (activity.integer_operations + activity.multiply_operations),
                 kLaneBits);
  const double wide = std::max(0.0, activity.memory_words - activity.memory_operations);
  account.access(Structure::VectorRegisters, 3 * (activity.vector_operations + activity.float_operations) + wide,
                 kLaneBits);
  account.pay(Part::Execution,
              activity.integer_operations * price.integer_pj + activity.multiply_operations * price.multiply_pj +
                  activity.vector_operations * price.vector_pj + activity.float_operations * price.float_pj);
}

void memory(CoreAccount& account, const Activity& activity, double line_bits) {
  const unsigned lanes = account.core_.lanes;
  account.access(Structure::Tlb, activity.memory_operations);
  account.access(Structure::L1Data, activity.l1_words, kLaneBits);
  account.access(Structure::L1Data, activity.l1_fills, line_bits);
  if (lanes > 1)
    account.pay(Part::L1AndTlb, activity.memory_operations * crossbar_pj(lanes, kLaneBits, kLaneBits, account.prices_));
  account.access(Structure::L2, activity.l2_requests, line_bits);
  account.pay(Part::Memory, activity.memory_lines * line_bits / kLaneBits * account.prices_.memory_pj);
}

EnergyReport energy_of(const ooo::MachineSpec& machine, std::string_view core, const Activity& activity,
                       const PriceList& prices) {
  const CoreStructures structures = structures_of(machine, core, prices);
  CoreAccount account(structures, prices);
  front_end(account, activity);
  window(account, activity);
  execution(account, activity);
  memory(account, activity, 8.0 * machine.memory.line_bytes);
  account.report_.seconds = activity.cycles / (machine.memory.megahertz * 1e6);
  const double nanoseconds = account.report_.seconds * 1e9;  // × mW = pJ
  account.pay(Part::Execution, structures.idle_mw * nanoseconds);
  account.pay(Part::Leakage, leakage_mw_of(machine, core, prices) * nanoseconds);
  return account.report_;
}

}  // namespace

double EnergyReport::total() const {
  double sum = 0;
  for (const double part : nanojoules) sum += part;
  return sum;
}

std::vector<std::string> EnergyReport::row(std::string name, double nanojoules, std::string share,
                                           double peak_watts) const {
  return {std::move(name),
          report::grouped(static_cast<std::uint64_t>(std::llround(nanojoules))),
          std::move(share),
          fmt::format("{:.3f}", watts_for(nanojoules)),
          fmt::format("{:.3f}", peak_watts),
          fmt::format("{:.1e}", edp_for(nanojoules))};
}

std::string EnergyReport::text(const EnergyReport& peak) const {
  report::TextTable table({"part", "nJ", "share", "W", "at peak", "J·s"});
  for (unsigned i = 0; i < nanojoules.size(); ++i)
    table.add(row(std::string(parts.names[i]), nanojoules[i],
                  report::percent(total() == 0 ? 0 : nanojoules[i] / total()), peak.watts_of(i)));
  table.add(row("processor", processor(), "", peak.watts()));
  table.add(row("with memory", total(), "", peak.watts_for(peak.total())));
  return table.text();
}

report::Json EnergyReport::to_json() const {
  report::Json json = {{"unit", "nJ"}, {"parts", report::Json::object()}};
  for (unsigned i = 0; i < nanojoules.size(); ++i) json["parts"][std::string(parts.names[i])] = nanojoules[i];
  json["processor"] = processor();
  json["total"] = total();
  json["seconds"] = seconds;
  json["watts"] = watts();
  return json;
}

EnergyReport energy_of(const ooo::MachineSpec& machine, std::string_view core, const ooo::CoreCounts& counts,
                       const PriceList& prices) {
  return energy_of(machine, core, activity_of(counts), prices);
}

EnergyReport peak_of(const ooo::MachineSpec& machine, std::string_view core, const PriceList& prices) {
  return energy_of(machine, core, peak_activity(machine), prices);
}

}  // namespace warpfork::energy
