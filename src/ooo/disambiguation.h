// When a load may go before older stores.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warpfork::ooo {

/// What a load of the out-of-order core waits for. SIMT-X does not say (section 3.9 names the queue only). Whatever it
/// is, a load never takes an old value: each byte comes from its own thread's youngest older store to it.
enum class Disambiguation : std::uint8_t {
  Perfect,    ///< the store that it takes its data from
  Addresses,  ///< the same, and the addresses of all older stores of its threads
  Stores,     ///< all older stores of its threads
};

struct DisambiguationEntry {
  std::string_view name;     // as on the command line
  std::string_view summary;  // one line
  Disambiguation value;
};

/// All of them, in the order in which they are listed to the user.
std::span<const DisambiguationEntry> disambiguations();

/// Throws Error with the known names if there is none of that name.
Disambiguation find_disambiguation(std::string_view name);

}  // namespace warpfork::ooo
