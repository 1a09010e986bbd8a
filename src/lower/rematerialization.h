// Rematerialization: values are computed again at their uses.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "lower/repetitions.h"

namespace warpfork::lower {

/// Step by step repeats, for each crowded place, the value that costs the fewest instructions.
class Rematerialization {
 public:
  /// So many steps in a row that gain nothing are the last ones: as many as can be taken back.
  static constexpr unsigned kPatience = 1;

  explicit Rematerialization(ptx::Function& function) : function_(function), graph_(function) {}

  /// How many 32-bit registers are alive at once at most, as it stands now.
  unsigned most_alive();
  /// What stands now is the best that was met.
  void keep() { step_.reset(); }
  void settle_on_present() {}
  void settle_on_best() {
    if (step_) step_->undo();
  }

  /// False if there is no value to repeat for some place.
  bool step();

 private:
  /// What holds for the function as it was when a step begins.
  struct Round {
    Round(const ptx::Function& function, analysis::ControlFlowGraph graph)
        : body(function, std::move(graph)), facts(function, body), frozen(function.body.size(), false) {}
    BodyOrder body;
    MotionFacts facts;
    std::vector<bool> frozen;  // by pc: part of a repetition of this step
  };

  const MotionFacts& facts() const { return round_->facts; }
  const Lives& lives() const { return facts().lives(); }
  bool repeat_at(Pc crowded, std::vector<bool>& done);
  double cost_of_repeating(ptx::RegisterId id) const;
  double weight(Pc pc) const;
  void repeat(ptx::RegisterId id);

  ptx::Function& function_;
  analysis::ControlFlowGraph graph_;  // between steps
  std::optional<Round> round_;
  std::optional<Repetitions> step_;  // the latest one, if it is not known to have gained something
};

}  // namespace warpfork::lower
