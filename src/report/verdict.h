// Why a program was slow, in words: its largest losses, each with line and remedy (docs/why-slow.md).
#pragma once

#include <span>
#include <string>

#include "report/launch_record.h"

namespace warpfork::report {

/// The three largest; empty where nobody asked for lines.
///
/// Printed sample:
///   why slow
///     1. t.cu:9 (naive): 32.0 transactions a store where 1.0 would do: uncoalesced.
///        30.1 % of the cores' cycles. Let neighbouring threads reach neighbouring
///        addresses, by way of shared memory if need be.
std::string verdict(std::span<const LaunchRecord> launches);

}  // namespace warpfork::report
