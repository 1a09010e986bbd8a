// The register file of one warp as rows of lanes (layout of Program's register block): registers, then what is read
// like a register: literals, special registers, and a place for results that nobody wants.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ptx/module.h"
#include "simt/program.h"

namespace warpfork::simt {

class RegisterRows {
 public:
  /// Each register in a row of its own or, where they are allocated, one row for each place and width: a value of 64
  /// bits does not lie in two rows of 32 bits, as lanes that went another way may have such in the same place. None has
  /// more.
  RegisterRows(const ptx::Function& function, const lower::RegisterAllocation* allocation);

  bool is_predicate(ptx::RegisterId id) const { return registers_[id].is_predicate; }
  bool is_wide(ptx::RegisterId id) const { return registers_[id].is_wide; }
  /// Byte offset of the register's row; for a predicate its index.
  std::uint32_t place(ptx::RegisterId id) const { return registers_[id].place; }

  /// Rows are made on the first demand.
  std::uint32_t constant(std::uint64_t bits, bool wide);
  std::uint32_t special(const ptx::SpecialRegisterOperand& name, bool wide);
  std::uint32_t sink();

  // Predicates of the decoder's own.
  std::uint32_t true_predicate() const { return first_own_predicate_; }
  std::uint32_t false_predicate() const { return first_own_predicate_ + 1; }
  std::uint32_t carry_predicate() const { return first_own_predicate_ + 2; }
  std::uint32_t sink_predicate() const { return first_own_predicate_ + 3; }

  /// Writes the layout into the program.
  void finish(Program& program) const;

 private:
  struct Place {
    std::uint32_t place = 0;
    bool is_predicate = false, is_wide = false;
  };
  std::uint32_t add_row(bool wide);
  std::uint32_t place_of(const Place& wanted, const lower::RegisterPlace& allocated);

  std::vector<Place> registers_;
  /// Of allocated registers, by file, width and number; 0 where there is none yet, 1 more than the offset otherwise.
  std::array<std::array<std::vector<std::uint32_t>, 2>, 2> shared_;
  std::uint32_t bytes_ = 0, register_bytes_ = 0;
  std::uint32_t first_own_predicate_ = 0;
  std::map<std::pair<std::uint64_t, bool>, std::uint32_t> constants_;
  std::vector<SpecialRow> specials_;
  std::optional<std::uint32_t> sink_;
};

/// Whether a special register has 64 bits.
bool is_wide(ptx::SpecialRegister name);

}  // namespace warpfork::simt
