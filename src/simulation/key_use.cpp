#include "simulation/key_use.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "divergence/compaction_predictor.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"
#include "gpu/warp_scheduler.h"

namespace warpfork::simulation {

namespace {

constexpr std::string_view kIndexShift = "divergence.predictor_index_shift", kScalarFile = "core.scalar_registers";

bool is_used_by_all(std::string_view key) {
  const auto uses = [&](const auto& one) { return one.uses(key); };
  return std::ranges::all_of(divergence_mechanisms(), uses) && std::ranges::all_of(gpu::lane_organisations(), uses) &&
         std::ranges::all_of(gpu::warp_scheduler_policies(), uses) && std::ranges::all_of(predictor_policies(), uses);
}

void require_known(const std::vector<KeyUsers>& machines) {
  for (const KeyUsers& machine : machines) {
    find_divergence_mechanism(machine.divergence);
    gpu::find_lane_organisation(machine.lanes);
    gpu::find_warp_scheduler_policy(machine.scheduler);
    find_predictor_policy(machine.predictor);
  }
}

void require_scalars(const std::string& assignment, std::vector<KeyUsers> machines) {
  std::erase_if(machines, [](const KeyUsers& machine) { return !machine.scalarizes; });
  if (machines.empty())
    throw Error(
        "--set {}: core.scalarize is off, so that nothing lies in the scalar file\n"
        "  give --scalarize divergent or convergent-only, too",
        assignment);
  if (std::ranges::all_of(machines, &KeyUsers::sets_registers))
    throw Error(
        "--set {}: core.registers_per_thread is set, so that no scalar registers are counted\n"
        "  leave core.scalar_registers out, or set core.registers_per_thread to 0: as many as the kernel needs",
        assignment);
}

}  // namespace

std::string_view key_of(std::string_view assignment) { return assignment.substr(0, assignment.find('=')); }

const std::string* setting_of(const std::vector<std::string>& overrides, std::string_view key) {
  const auto found =
      std::ranges::find_if(overrides, [&](const std::string& assignment) { return key_of(assignment) == key; });
  return found == overrides.end() ? nullptr : &*found;
}

void require_undecided(const std::vector<std::string>& overrides, std::string_view key, std::string_view option,
                       const std::string& decided) {
  if (decided.empty()) return;
  if (const std::string* const setting = setting_of(overrides, key))
    throw Error("--set {}: {} {} decides {}\n  leave one of them out", *setting, option, decided, key);
}

void require_user(const std::string& assignment, const std::vector<std::string>& chosen,
                  const std::vector<std::string>& users) {
  const auto uses = [&](const std::string& name) { return std::ranges::find(users, name) != users.end(); };
  if (std::ranges::any_of(chosen, uses)) return;
  throw Error("--set {}: {} {} not use {}\n  used by {}", assignment, fmt::join(chosen, " and "),
              chosen.size() == 1 ? "does" : "do", key_of(assignment), fmt::join(users, ", "));
}

void require_key_use(const std::string& assignment, std::vector<KeyUsers> machines) {
  const std::string_view key = key_of(assignment);
  const auto keep_users = [&](std::string KeyUsers::*part, const std::vector<std::string>& users) {
    std::vector<std::string> chosen;
    for (const KeyUsers& machine : machines)
      if (std::ranges::find(chosen, machine.*part) == chosen.end()) chosen.push_back(machine.*part);
    require_user(assignment, chosen, users);
    std::erase_if(machines,
                  [&](const KeyUsers& machine) { return std::ranges::find(users, machine.*part) == users.end(); });
  };
  require_known(machines);
  keep_users(&KeyUsers::divergence, users_of(key, divergence_mechanisms()));
  keep_users(&KeyUsers::lanes, users_of(key, gpu::lane_organisations()));
  keep_users(&KeyUsers::scheduler, users_of(key, gpu::warp_scheduler_policies()));
  keep_users(&KeyUsers::predictor, users_of(key, predictor_policies()));
  if (key == kIndexShift && std::ranges::none_of(machines, &KeyUsers::predictor_has_table))
    throw Error(
        "--set {}: a table of all branches, divergence.predictor_entries=0, does not use {}\n"
        "  used by one of a number of entries",
        assignment, key);
  if (key == kScalarFile) require_scalars(assignment, machines);
}

void require_key_use(const WorkOptions& options, const std::vector<MechanismChoice>& choices) {
  std::vector<KeyUsers> machines;
  for (const std::string& assignment : options.overrides) {
    if (is_used_by_all(key_of(assignment))) continue;
    if (machines.empty())
      for (const MechanismChoice& choice : choices) machines.push_back(key_users(options, choice));
    require_key_use(assignment, machines);
  }
}

}  // namespace warpfork::simulation
