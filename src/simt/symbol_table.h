// Where the variables of a module and of one of its functions lie (PTX ISA, "State Spaces"): what `mov` gives for a
// name.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"
#include "simt/program.h"

namespace warpfork::simt {

struct PlacedSymbol {
  MemorySpace space = MemorySpace::None;
  /// Device address (global, const) or offset from the start of the space.
  std::uint64_t address = 0;
};

/// What is in device memory, by name; made once for a module.
using DeviceSymbols = std::map<std::string, PlacedSymbol, std::less<>>;

/// Lays out shared, local and parameter memory for one entry and finds every name that its body may use.
class SymbolTable {
 public:
  SymbolTable(const ptx::Module& module, const ptx::Function& function, const DeviceSymbols& device);

  std::optional<PlacedSymbol> find(std::string_view name) const;
  /// An address as generic instructions see it.
  static std::uint64_t generic_address(const PlacedSymbol& symbol);

  std::uint32_t reserved_shared_bytes() const { return reserved_shared_bytes_; }
  std::uint32_t static_shared_bytes() const { return shared_bytes_ - reserved_shared_bytes_; }
  std::uint32_t local_bytes() const { return local_bytes_; }
  /// Behind variables of shared and local memory, in ascending order of each.
  const std::vector<Padding>& padding() const { return padding_; }

 private:
  void place(const ptx::Variable& variable);
  void pad(MemorySpace space, std::uint64_t start, std::uint64_t end, std::uint32_t alignment);

  std::map<std::string, PlacedSymbol, std::less<>> symbols_;
  const DeviceSymbols* device_;
  std::uint32_t reserved_shared_bytes_ = 0;
  std::uint32_t shared_bytes_ = 0, local_bytes_ = 0;  // so far, with what is reserved
  std::vector<Padding> padding_;
};

}  // namespace warpfork::simt
