// One warp that runs a few PTX instructions without branches: inputs and results are rows of 32 lanes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "simt/instruction_set.h"
#include "simt/launch.h"
#include "simt/loaded_module.h"
#include "simt/row_lanes.h"

namespace warpfork::simt {

using Lanes32 = std::array<std::uint32_t, kRowLanes>;
using Lanes64 = std::array<std::uint64_t, kRowLanes>;

/// The body may use %r0 … %r9 (.b32), %d0 … %d9 (.b64), %h0 … %h9 (.b16), %p0 … %p9.
class OneWarp {
 public:
  explicit OneWarp(std::string_view body, HostInstructionSet set = host_instruction_set(),
                   std::string_view module = "");

  void set(std::string_view name, std::uint32_t value);
  void set(std::string_view name, const Lanes32& values);
  void set64(std::string_view name, std::uint64_t value);
  void set_predicate(std::string_view name, RowLanes lanes);
  void run(RowLanes lanes = RowLanes::first(32));

  std::uint32_t lane(std::string_view name, unsigned lane = 0) const;
  std::uint64_t lane64(std::string_view name, unsigned lane = 0) const;
  RowLanes predicate(std::string_view name) const;
  Lanes32 lanes(std::string_view name) const;

  DeviceMemory& memory() { return memory_; }
  const Program& program() const { return *launch_.program; }
  WarpContext& warp() { return block_->warp(0); }
  LoadedModule& module() { return *loaded_; }
  const std::string& printed() const { return printed_; }

 private:
  std::size_t find(std::string_view name) const;
  std::byte* row(std::string_view name) const;

  DeviceMemory memory_{1 << 20};
  std::unique_ptr<LoadedModule> loaded_;
  Launch launch_;
  std::string printed_;
  std::unique_ptr<BlockContext> block_;
};

/// %r0 of lane 0 after `body`, with %r1, %r2, %r3 given.
std::uint32_t r0_of(std::string_view body, std::uint32_t r1, std::uint32_t r2 = 0, std::uint32_t r3 = 0);
/// %d0 likewise.
std::uint64_t d0_of(std::string_view body, std::uint64_t d1, std::uint64_t d2 = 0, std::uint64_t d3 = 0);
/// The message of the error that loading `body` throws, "no error" if it is loaded.
std::string refusal(std::string_view body, std::string_view module = "");

}  // namespace warpfork::simt
