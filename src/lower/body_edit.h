// Changes of a function's body, collected by the places that instructions have now and made at once.
#pragma once

#include <utility>
#include <vector>

#include "ptx/module.h"

namespace warpfork::lower {

/// Labels follow the instructions that they stand before: what is inserted before one is reached by its label, too.
class BodyEdit {
 public:
  explicit BodyEdit(ptx::Function& function) : function_(function), removed_(function.body.size(), false) {}

  /// Several before the same place stand there in the order of the calls.
  void insert_before(Pc pc, ptx::Instruction instruction) { inserted_.emplace_back(pc, std::move(instruction)); }
  /// Likewise; what is inserted before the next instruction comes later, and so does a label there.
  void insert_after(Pc pc, ptx::Instruction instruction) { appended_.emplace_back(pc, std::move(instruction)); }
  void remove(Pc pc) { removed_[pc] = true; }

  bool empty() const { return inserted_.empty() && appended_.empty(); }
  /// Returns where each old instruction stands, with what is inserted before it, and the end of the body.
  std::vector<Pc> apply();
  /// After apply(): the body is as it was before, as long as no instruction has come, gone or changed its place since.
  void revert();

 private:
  using At = std::pair<Pc, ptx::Instruction>;

  ptx::Function& function_;
  std::vector<bool> removed_;
  std::vector<At> inserted_, appended_;
  // Of what has been applied: the instructions that were removed, and the targets of all labels as they were, in the
  // order of the text.
  std::vector<ptx::Instruction> lost_;
  std::vector<Pc> targets_;
};

}  // namespace warpfork::lower
