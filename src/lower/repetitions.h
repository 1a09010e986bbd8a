// Values computed again, which can be taken back.
#pragma once

#include <vector>

#include "analysis/cfg.h"
#include "lower/body_edit.h"
#include "lower/motion_facts.h"

namespace warpfork::lower {

/// Of one function, made at once.
class Repetitions {
 public:
  explicit Repetitions(ptx::Function& function)
      : function_(function), edit_(function), registers_(function.registers.size()) {}

  /// The definition once more before the cluster's reads, which read it in a register of its own.
  void repeat(Pc definition, ptx::RegisterId id, const Cluster& cluster);
  void remove(Pc definition) { edit_.remove(definition); }

  /// The graph's blocks get their new bounds. False if there are none.
  bool apply(analysis::ControlFlowGraph& graph);
  /// The function is as it was, whether they have been applied or not.
  void undo();

 private:
  struct Renamed {
    Pc read;
    ptx::RegisterId id, copy;
  };

  ptx::Function& function_;
  BodyEdit edit_;
  std::size_t registers_;  // before
  std::vector<Renamed> renamed_;
  bool is_applied_ = false;
};

}  // namespace warpfork::lower
