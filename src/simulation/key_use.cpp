#include "simulation/key_use.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "divergence/registry.h"
#include "gpu/lane_organisation.h"
#include "simulation/simulation.h"

namespace warpfork::simulation {

namespace {

bool is_used_by_all(std::string_view key) {
  const auto uses = [&](const auto& one) { return one.uses(key); };
  return std::ranges::all_of(divergence_mechanisms(), uses) && std::ranges::all_of(gpu::lane_organisations(), uses);
}

void add(std::vector<std::string>& names, std::string_view name) {
  if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
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

void require_key_use(const std::string& assignment, const std::vector<MechanismChoice>& choices) {
  const std::string_view key = key_of(assignment);
  std::vector<std::string> divergences, lanes;
  for (const MechanismChoice& choice : choices) {
    add(divergences, find_divergence_mechanism(choice.divergence).name);
    add(lanes, gpu::find_lane_organisation(choice.lanes).name);
  }
  require_user(assignment, divergences, users_of(key, divergence_mechanisms()));
  require_user(assignment, lanes, users_of(key, gpu::lane_organisations()));
}

void require_key_use(const WorkOptions& options, const std::vector<MechanismChoice>& choices) {
  std::vector<MechanismChoice> named;
  for (const std::string& assignment : options.overrides) {
    if (is_used_by_all(key_of(assignment))) continue;
    if (named.empty())
      for (const MechanismChoice& choice : choices) named.push_back(mechanisms_of(options, choice));
    require_key_use(assignment, named);
  }
}

}  // namespace warpfork::simulation
