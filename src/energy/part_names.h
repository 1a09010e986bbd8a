// The rows of a report: what a kind of machine is divided into.
#pragma once

#include <span>
#include <string_view>

namespace warpfork::energy {

/// In the order of the kind's enumeration of parts.
struct PartNames {
  std::span<const std::string_view> names;
  unsigned memory = 0;  ///< the DRAM, which is outside the processor
};

}  // namespace warpfork::energy
