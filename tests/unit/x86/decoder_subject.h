// An instruction that is run natively to see what influences what, against what its µops say.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "unit/x86/decoder_native_machine.h"
#include "x86/decoder.h"
#include "x86/decoder_text.h"

namespace warpfork::x86 {

class DecoderSubject {
 public:
  /// The machine must outlive it and take no other instruction meanwhile.
  DecoderSubject(const std::vector<std::uint8_t>& bytes, NativeMachine& machine);

  /// Not what changes rsp or segments, branches, serialises, repeats, or uses registers that NativeState has not; not
  /// vzeroupper, which is a Nop because upper halves are taken to be clean.
  bool is_runnable() const;

  /// Runs the instruction from `trials` random states, and from each again with one register, or the memory, changed:
  /// for every register. A result that changed although the µops say that it does not depend on what was changed is a
  /// contradiction, and so is a change of what they do not write. Returns the first, or nothing.
  std::string contradiction(unsigned trials);

  /// Whether any trial ended without a fault.
  bool has_run() const { return has_run_; }

  /// A source that has influenced no result in all trials, or nothing.
  std::string vain_source() const;

 private:
  static constexpr unsigned kMemory = kRegisterCount;                 // all of it counts as one more register
  using Dependences = std::array<std::uint64_t, kRegisterCount + 1>;  // of each result, a bit for each source

  static Dependences dependences_of(const Decoding& decoding);
  static bool is_observed(unsigned id) { return (id < kX87 && id != kStackPointer) || id == kMemory; }
  static std::string text(unsigned id);
  bool is_written(unsigned result) const;
  bool same(unsigned id, const NativeState& one, const NativeState& other) const;
  std::uint64_t defined_flags() const;

  std::uint64_t word();
  void fill();
  void assign(unsigned id);
  void assign_general(unsigned id);
  void assign_vector_index(std::array<std::uint64_t, 4>& index);
  void prevent_overflow();

  std::string unwritten_change() const;
  std::string wrong_influence(unsigned source);

  NativeMachine& machine_;
  ZydisInstruction read_;
  Decoding decoding_;
  Dependences depends_, seen_{};
  std::uint64_t pointers_ = 0, indices_ = 0;  // general-purpose registers, and vectors of indices
  bool has_run_ = false;
  std::mt19937_64 random_{1};
  NativeState before_, after_, changed_;
};

}  // namespace warpfork::x86
