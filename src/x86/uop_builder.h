// Builds the µops of one instruction.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "x86/decoder.h"

namespace warpfork::x86 {

/// Registers without repetition, in the order in which they were added.
class RegisterList {
 public:
  RegisterList() = default;
  RegisterList(std::initializer_list<RegisterId> registers) { add(registers); }
  void add(RegisterId id);
  template <typename Range>
  void add(const Range& range) {
    for (const RegisterId id : range) add(id);
  }
  bool contains(RegisterId id) const;
  bool empty() const { return ids_.empty(); }
  std::size_t size() const { return ids_.size(); }
  RegisterId operator[](std::size_t index) const { return ids_[index]; }
  auto begin() const { return ids_.begin(); }
  auto end() const { return ids_.end(); }

 private:
  std::vector<RegisterId> ids_;
};

/// Where an access goes: the registers that its address is computed from, and its size.
struct MemoryPlace {
  RegisterList address;
  unsigned bytes = 0;
  bool masked = false;
};

/// Appends µops to a Decoding, in program order.
class UopBuilder {
 public:
  explicit UopBuilder(Decoding& out) : out_(out) {}

  void load(const MemoryPlace& place, std::optional<RegisterId> destination);
  void store(const MemoryPlace& place, const RegisterList& data);
  /// More than four sources are first joined by another µop into the second temporary.
  void operation(UopKind kind, UopWidth width, RegisterList sources, const RegisterList& destinations);
  /// An integer operation of one cycle.
  void alu(const RegisterList& sources, const RegisterList& destinations) {
    operation(UopKind::IntegerAlu, UopWidth::Scalar, sources, destinations);
  }
  void branch(const RegisterList& sources) { operation(UopKind::Branch, UopWidth::Scalar, sources, {}); }

 private:
  /// A load or store: `sources` begin with those of the place's address.
  void access(UopKind kind, const MemoryPlace& place, const RegisterList& sources, const RegisterList& destinations);

  Decoding& out_;
};

}  // namespace warpfork::x86
