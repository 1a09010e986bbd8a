// A block-wide domain for tests that lead it by hand: splits are named by the place in which they run.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "divergence/block_compaction.h"
#include "one_warp.h"

namespace warpfork {

class OneBlock {
 public:
  /// Warps of `width` lanes.
  OneBlock(BranchWait who, unsigned warps, unsigned width = 4, std::string_view predictor = "latest")
      : domain_(who, std::make_shared<CompactionPredictor>(who == BranchWait::EveryWarp ? "always" : predictor, 0)) {
    lanes_.assign(warps, ActiveMask::first(width));
    launch();
  }
  /// capri with an oracle, warps of 4 lanes.
  OneBlock(unsigned warps, Foresight foresight)
      : domain_(BranchWait::DivergingWarps, std::make_shared<CompactionPredictor>("oracle", 0),
                std::make_unique<CompactionOracle>(foresight)),
        lanes_(warps, ActiveMask::first(4)) {
    launch();
  }

  void launch(std::uint64_t block = 0) { domain_.launch(0, lanes_, block); }
  WarpSet advance(WarpId place, std::initializer_list<Path> paths, Pc reconvergence = kNoPc) {
    return note(domain_.advance(id(place), {paths.begin(), paths.size()}, reconvergence));
  }
  /// A jump or the end of a block: all lanes go on at its only successor.
  WarpSet jump(WarpId place, Pc target) { return note(domain_.jump(id(place), target)); }
  WarpSet exit(WarpId place) { return note(domain_.advance(id(place), {}, kNoPc)); }
  WarpSet wait(WarpId place) { return note(domain_.wait(id(place))); }
  WarpSet release(WarpId place) { return note(domain_.release(id(place))); }
  /// What the latest of these has done.
  const DomainEffects& effects() const { return effects_; }

  /// Bit w = something may run in the place of warp w.
  std::uint32_t running() const {
    std::uint32_t places = 0;
    for (WarpId place = 0; place < lanes_.size(); ++place) places |= !domain_.runnable(place).empty() << place;
    return places;
  }
  /// "pc: lanes", of a compacted split "pc: home:lanes home:lanes".
  std::string at(WarpId place) const {
    if (domain_.runnable(place).empty()) return "nothing";
    const WarpSplit& split = domain_.split(id(place));
    std::string text = fmt::format("{}:", split.pc);
    if (!split.compacted()) return text + " " + split.lanes.to_string(4);
    for (const HomeLanes& home : split.homes) text += fmt::format(" {}:{}", home.warp, home.lanes.to_string(4));
    return text;
  }
  SplitId id(WarpId place) const { return place * kMaxWarpSize; }
  BlockCompaction& domain() { return domain_; }

 private:
  WarpSet note(const DomainEffects& effects) {
    effects_ = effects;
    return effects.changed;
  }

  BlockCompaction domain_;
  DomainEffects effects_;
  std::vector<ActiveMask> lanes_;
};

}  // namespace warpfork
