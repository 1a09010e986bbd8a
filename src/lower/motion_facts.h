// What code motion needs to know of a function.
#pragma once

#include <vector>

#include "lower/body_order.h"
#include "lower/lives.h"

namespace warpfork::lower {

/// Reads of one register that one definition before the first of them can serve.
struct Cluster {
  Pc first = 0;
  std::vector<Pc> reads;
};

/// Of the function with its instructions in an order as it is when this is made.
class MotionFacts {
 public:
  MotionFacts(const ptx::Function& function, const BodyOrder& body)
      : function_(function), body_(body), lives_(function, body) {}

  const Lives& lives() const { return lives_; }
  const ptx::Instruction& instruction(Pc pc) const { return body_[pc]; }
  /// Of a register with one value.
  Pc definition(ptx::RegisterId id) const { return lives_.writes().of(id)[0]; }
  unsigned units(ptx::RegisterId id) const { return analysis::register_units(function_.registers[id].type); }

  /// Registers alive just after the instruction that the next one does not read.
  template <typename Visit>
  void for_each_waiting(Pc pc, const analysis::RegisterSet& alive, Visit&& visit) const {
    const bool has_next = pc + 1 < lives_.graph().blocks()[lives_.graph().block_of(pc)].last;
    alive.for_each([&](ptx::RegisterId id) {
      if (!has_next || !lives_.reads().any_in(id, pc + 1, pc + 2)) visit(id);
    });
  }

  /// A block's reads belong together unless it is crowded between them.
  std::vector<Cluster> clusters(ptx::RegisterId id) const;
  /// Whether the definition where it stands serves the cluster well.
  bool serves(ptx::RegisterId id, const Cluster& cluster) const;

 private:
  const ptx::Function& function_;
  const BodyOrder& body_;
  Lives lives_;
};

}  // namespace warpfork::lower
