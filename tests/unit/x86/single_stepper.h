// The oracle of recordings: a program run instruction by instruction by this machine's processor (ptrace).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpfork::x86 {

/// Where the program of one thread goes from when it comes to `begin` until that function returns or the program ends.
/// A repeated string instruction is there once. Nothing if this system forbids to trace processes.
std::optional<std::vector<std::uint64_t>> single_steps(const std::string& program, std::uint64_t begin);

}  // namespace warpfork::x86
