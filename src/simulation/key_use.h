// Whether a key of a machine that --set names makes a difference to what it is set for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simulation/simulation.h"

namespace warpfork::simulation {

/// "core.warps" of "core.warps=24".
std::string_view key_of(std::string_view assignment);

/// What --set says of the key first; null if it says nothing.
const std::string* setting_of(const std::vector<std::string>& overrides, std::string_view key);

/// Throws Error if --set says something of a key that an option decides, unless that is empty: one of the two would be
/// left unheeded, in whatever order they stand.
void require_undecided(const std::vector<std::string>& overrides, std::string_view key, std::string_view option,
                       const std::string& decided);

/// The names of those that use the key, in their order.
template <class All>
std::vector<std::string> users_of(std::string_view key, const All& all) {
  std::vector<std::string> users;
  for (const auto& one : all)
    if (one.uses(key)) users.emplace_back(one.name);
  return users;
}

/// Throws Error with the key's users if none of `chosen` is one of them.
void require_user(const std::string& assignment, const std::vector<std::string>& chosen,
                  const std::vector<std::string>& users);

/// Throws Error, with the mechanisms, lanes or policies that use it, for a --set of a key of which none of these
/// machines makes any use. A machine file may hold such keys: it describes one machine for all mechanisms.
void require_key_use(const std::string& assignment, std::vector<KeyUsers> machines);

/// Of all that the options set, for their machine with each of the choices.
void require_key_use(const WorkOptions& options, const std::vector<MechanismChoice>& choices);

}  // namespace warpfork::simulation
