// Code sinking: definitions move down to their first use.
#pragma once

#include <optional>
#include <vector>

#include "lower/motion_facts.h"

namespace warpfork::lower {

/// Step by step moves what is alive where it is crowded and not read next. The function gets the order that is settled
/// on in the end.
class Sinking {
 public:
  /// So many steps in a row that gain nothing are the last ones.
  static constexpr unsigned kPatience = 3;

  explicit Sinking(ptx::Function& function) : function_(function), body_(function) {}

  /// How many 32-bit registers are alive at once at most, as it stands now.
  unsigned most_alive();
  /// What stands now is the best that was met.
  void keep() { best_ = body_.order(); }
  void settle_on_present() { body_.write(function_, body_.order()); }
  void settle_on_best() { body_.write(function_, best_); }

  /// False if there is nothing to move.
  bool step();

 private:
  const Lives& lives() const { return facts_->lives(); }
  std::vector<ptx::RegisterId> candidates() const;
  void consider(ptx::RegisterId id);
  bool pays(Pc from, Pc to) const;
  bool comes_along(ptx::RegisterId id) const;

  ptx::Function& function_;
  BodyOrder body_;
  BodyOrder::Order best_;
  std::optional<MotionFacts> facts_;
  std::vector<BodyOrder::Move> moves_;  // of a step
};

}  // namespace warpfork::lower
