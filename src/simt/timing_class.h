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

/// Of a product of matrices, the smallest of its class: how many multiply-adds a lane does. Otherwise 1.
unsigned multiply_adds_of(TimingClass);
/// How many times its class's smallest product the largest one is. Otherwise 1.
unsigned most_steps_of(TimingClass);

}  // namespace warpfork::simt
