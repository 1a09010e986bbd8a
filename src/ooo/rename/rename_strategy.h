// How the out-of-order SIMT core renames registers that only some lanes write (SIMT-X 3.1, 3.8 and 4.3).
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "ooo/rename/pirat.h"
#include "ooo/rename/renamed_uop.h"

namespace warpfork::ooo {

enum class RenameOutcome : std::uint8_t {
  Renamed,
  NoFreeRegister,  ///< try again when something has committed
  SeveralMerges,   ///< one rename block may merge an architectural register once (3.8.3): try in the next block
};

/// Renames the µops of one warp in program order. A strategy decides when to merge; the mappings, their commit and
/// their recovery are the table's.
class RenameStrategy {
 public:
  explicit RenameStrategy(Pirat table) : table_(std::move(table)) {}
  virtual ~RenameStrategy() = default;

  /// The µops renamed from here on are one rename block (those of one cycle).
  virtual void begin_block() = 0;
  /// The table is changed, and `renamed` says something, only if the outcome is Renamed. No register is twice in
  /// `destinations`.
  virtual RenameOutcome rename(std::span<const x86::RegisterId> sources, std::span<const x86::RegisterId> destinations,
                               PathId path, RenamedUop& renamed) = 0;
  /// Merges take effect without a µop: neither in the queues nor in a functional unit. Their registers are ready when
  /// both operands and the path are; they commit, are undone and refer to their path together with the µop they come
  /// with.
  virtual bool merges_are_free() const { return false; }

  Pirat& table() { return table_; }
  const Pirat& table() const { return table_; }

 protected:
  Pirat table_;
};

}  // namespace warpfork::ooo
