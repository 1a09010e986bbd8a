// A domain of one warp, for tests that lead it by hand: splits are named by their lanes.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "divergence/registry.h"

namespace warpfork {

class OneWarp {
 public:
  explicit OneWarp(std::string_view mechanism, std::uint32_t lanes = 0b1111, DivergenceSpec spec = {})
      : domain_(find_divergence_mechanism(mechanism).make(spec)) {
    const ActiveMask mask(lanes);
    domain_->launch(0, {&mask, 1});
  }

  /// The runnable split with exactly these lanes.
  SplitId id(std::uint32_t lanes) const {
    for (SplitId id : domain_->runnable(0))
      if (domain_->split(id).lanes.bits() == lanes) return id;
    ADD_FAILURE() << "no runnable split with lanes " << ActiveMask(lanes).to_string(4) << ":\n" << domain_->describe(0);
    return 0;
  }
  WarpSet advance(std::uint32_t lanes, std::initializer_list<Path> paths, Pc reconvergence = kNoPc) {
    return note(domain_->advance(id(lanes), {paths.begin(), paths.size()}, reconvergence));
  }
  WarpSet wait(SplitId id) { return note(domain_->wait(id)); }
  WarpSet release(SplitId id) { return note(domain_->release(id)); }
  void step(std::uint32_t lanes) { domain_->step(id(lanes)); }

  /// Masks of the runnable splits, in their order.
  std::vector<std::uint32_t> masks() const {
    std::vector<std::uint32_t> masks;
    for (SplitId id : domain_->runnable(0)) masks.push_back(domain_->split(id).lanes.bits());
    return masks;
  }
  Pc pc(std::uint32_t lanes) const { return domain_->split(id(lanes)).pc; }
  Pc reconvergence(std::uint32_t lanes) const { return domain_->split(id(lanes)).reconvergence_pc; }
  /// What its tables have moved since this was asked last.
  std::vector<TableMove> take_moves() { return std::exchange(moves_, {}); }
  DivergenceDomain& domain() { return *domain_; }

 private:
  WarpSet note(const DomainEffects& effects) {
    moves_.insert(moves_.end(), effects.table_moves.begin(), effects.table_moves.end());
    return effects.changed;
  }

  std::unique_ptr<DivergenceDomain> domain_;
  std::vector<TableMove> moves_;
};

inline Path path(Pc pc, std::uint32_t lanes) { return {pc, ActiveMask(lanes)}; }

}  // namespace warpfork
