// When a load may go before older stores.
#pragma once

#include <array>
#include <cstdint>

#include "ooo/choice.h"

namespace warpfork::ooo {

/// What a load of the out-of-order core waits for. SIMT-X does not say (section 3.9 names the queue only). Whatever it
/// is, a load never takes an old value: each byte comes from its own thread's youngest older store to it.
enum class Disambiguation : std::uint8_t {
  Perfect,    ///< the store that it takes its data from
  Addresses,  ///< the same, and the addresses of all older stores of its threads
  Stores,     ///< all older stores of its threads
};

inline constexpr std::array kDisambiguations{
    Choice{"perfect", "a load waits for the store that it takes its data from", Disambiguation::Perfect},
    Choice{"addresses", "and until the addresses of its threads' older stores are known", Disambiguation::Addresses},
    Choice{"stores", "a load waits for all of its threads' older stores", Disambiguation::Stores},
};

}  // namespace warpfork::ooo
