// The classes of instruction to which a machine description gives a unit, a latency and an initiation interval.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpfork::simt {

enum class TimingClass : std::uint8_t {
#define TIMING_CLASS(name, text) name,
#include "simt/timing_classes.def"
#undef TIMING_CLASS
  kCount
};

/// The name under which machine files set it: "int_add".
std::string_view to_string(TimingClass);

}  // namespace warpfork::simt
