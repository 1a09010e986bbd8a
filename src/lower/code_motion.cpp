#include "lower/code_motion.h"

#include <algorithm>
#include <cmath>

#include "analysis/movable.h"
#include "lower/body_edit.h"
#include "lower/lives.h"
#include "lower/rename_register.h"

namespace warpfork::lower {

using analysis::BlockId;
using ptx::RegisterId;

namespace {

/// Reads of one register that one definition before the first of them can serve.
struct Cluster {
  Pc first = 0;
  std::vector<Pc> reads;
};

/// One round over a function: what it finds holds for the function as it was.
class Round {
 public:
  explicit Round(ptx::Function& function)
      : function_(function), lives_(function), edit_(function), frozen_(function.body.size(), false) {}

  unsigned most() const { return lives_.most(); }

  /// Moves what is alive where it is crowded and not read next. False if there is nothing to move.
  bool move() {
    for (const RegisterId id : candidates()) move(id);
    const bool moves = !edit_.empty();
    if (moves) edit_.apply();
    return moves;
  }

  /// For each crowded place repeats the value that costs the fewest instructions. False if there is none somewhere.
  bool repeat() {
    std::vector<bool> done(function_.registers.size(), false);
    for (Pc pc = 0; pc < function_.body.size(); ++pc)
      if (lives_.is_crowded(pc) && !repeat_at(pc, done)) return false;
    if (edit_.empty()) return false;
    edit_.apply();
    return true;
  }

 private:
  /// Registers alive just after the instruction that the next one does not read.
  template <typename Visit>
  void for_each_waiting(Pc pc, const analysis::RegisterSet& alive, Visit&& visit) const {
    const bool has_next = pc + 1 < lives_.graph().blocks()[lives_.graph().block_of(pc)].last;
    alive.for_each([&](RegisterId id) {
      if (!has_next || !lives_.reads().any_in(id, pc + 1, pc + 2)) visit(id);
    });
  }

  std::vector<RegisterId> candidates() const {
    analysis::RegisterSet found(function_.registers.size());
    for (BlockId block = 0; block < lives_.graph().blocks().size(); ++block) {
      const analysis::Block& extent = lives_.graph().blocks()[block];
      if (!lives_.crowded_in(extent.first, extent.last)) continue;
      lives_.liveness().for_each_backward(block, [&](Pc pc, const analysis::RegisterSet& alive) {
        if (lives_.is_crowded(pc)) for_each_waiting(pc, alive, [&](RegisterId id) { found.insert(id); });
      });
    }
    std::vector<RegisterId> list;
    found.for_each([&](RegisterId id) {
      if (lives_.has_one_value(id) && analysis::is_pure(function_.body[definition(id)])) list.push_back(id);
    });
    return list;
  }

  Pc definition(RegisterId id) const { return lives_.writes().of(id)[0]; }
  unsigned units(RegisterId id) const { return analysis::register_units(function_.registers[id].type); }

  /// A block's reads belong together unless it is crowded between them.
  std::vector<Cluster> clusters(RegisterId id) const {
    std::vector<Cluster> list;
    for (const Pc read : lives_.reads().of(id)) {
      const bool joins = !list.empty() && lives_.graph().block_of(list.back().first) == lives_.graph().block_of(read) &&
                         !lives_.crowded_in(list.back().reads.back(), read - 1);
      if (!joins) list.push_back({read, {}});
      list.back().reads.push_back(read);
    }
    return list;
  }

  /// Whether the definition where it stands serves the cluster well.
  bool serves(RegisterId id, const Cluster& cluster) const {
    const Pc from = definition(id);
    return lives_.graph().block_of(from) == lives_.graph().block_of(cluster.first) &&
           !lives_.crowded_in(from, cluster.first - 1);
  }

  void move(RegisterId id) {
    const Pc from = definition(id);
    const std::vector<Cluster> reads = clusters(id);
    if (reads.size() != 1 || serves(id, reads[0])) return;
    const Pc to = reads[0].first;
    if (to == from + 1 || lives_.depth(to) > lives_.depth(from) || !pays(from, to)) return;
    edit_.insert_before(to, function_.body[from]);
    edit_.remove(from);
  }

  /// Whether the operands have their values there, and fewer registers come to live longer than one lives shorter.
  bool pays(Pc from, Pc to) const {
    const analysis::RegisterUses::Use use = lives_.liveness().uses(from);
    const bool near = lives_.graph().block_of(from) == lives_.graph().block_of(to);
    unsigned longer = 0;
    for (std::size_t i = 0; i < use.reads.size(); ++i) {
      const RegisterId source = use.reads[i];
      const bool one_value = lives_.has_one_value(source);
      if (!one_value && (!near || lives_.writes().any_in(source, from, to))) return false;
      const bool again = std::find(use.reads.begin(), use.reads.begin() + static_cast<std::ptrdiff_t>(i), source) !=
                         use.reads.begin() + static_cast<std::ptrdiff_t>(i);
      if (!again && !lives_.is_alive_before(source, to) && !comes_along(source)) longer += units(source);
    }
    return longer < units(use.writes[0]);
  }

  /// Read here alone, and movable itself in the next round.
  bool comes_along(RegisterId id) const {
    return lives_.has_one_value(id) && lives_.reads().of(id).size() == 1 &&
           analysis::is_constant(function_.body[definition(id)]);
  }

  bool repeat_at(Pc crowded, std::vector<bool>& done) {
    std::vector<RegisterId> waiting;
    lives_.liveness().for_each_backward(lives_.graph().block_of(crowded),
                                        [&](Pc pc, const analysis::RegisterSet& alive) {
                                          if (pc != crowded) return;
                                          for_each_waiting(pc, alive, [&](RegisterId id) { waiting.push_back(id); });
                                        });
    const auto is_done = [&](RegisterId id) { return done[id]; };
    if (std::ranges::any_of(waiting, is_done)) return true;
    RegisterId best = 0;
    double least = HUGE_VAL;
    for (const RegisterId id : waiting) {
      if (units(id) == 0 || !lives_.has_one_value(id)) continue;
      const double cost = cost_of_repeating(id);
      if (cost >= least) continue;
      best = id;
      least = cost;
    }
    if (least == HUGE_VAL) return false;
    done[best] = true;
    repeat(best);
    return true;
  }

  /// Instructions that a thread executes more, ten times as many for each loop around; per register that is freed.
  double cost_of_repeating(RegisterId id) const {
    const Pc from = definition(id);
    if (frozen_[from] || !analysis::is_pure(function_.body[from])) return HUGE_VAL;
    double cost = 0;
    bool stays = false, leaves = false;
    for (const Cluster& cluster : clusters(id)) {
      for (const Pc read : cluster.reads)
        if (frozen_[read]) return HUGE_VAL;
      if (serves(id, cluster)) {
        stays = true;
        continue;
      }
      leaves = true;
      for (const RegisterId source : lives_.liveness().uses(from).reads)
        if (!lives_.has_one_value(source) || !lives_.is_alive_before(source, cluster.first)) return HUGE_VAL;
      cost += weight(cluster.first);
    }
    if (!leaves) return HUGE_VAL;
    return (stays ? cost : cost - weight(from)) / units(id);
  }
  double weight(Pc pc) const { return std::pow(10, std::min(lives_.depth(pc), 8u)); }

  void repeat(RegisterId id) {
    const Pc from = definition(id);
    bool stays = false;
    for (const Cluster& cluster : clusters(id)) {
      for (const Pc read : cluster.reads) frozen_[read] = true;
      if (serves(id, cluster)) {
        stays = true;
        continue;
      }
      const auto copy = static_cast<RegisterId>(function_.registers.size());
      function_.registers.push_back(function_.registers[id]);
      ptx::Instruction again = function_.body[from];
      again.operands[0] = ptx::RegisterOperand{copy};
      for (const Pc read : cluster.reads) rename_register(function_.body[read], id, copy);
      edit_.insert_before(cluster.first, std::move(again));
    }
    frozen_[from] = true;
    for (const RegisterId source : lives_.liveness().uses(from).reads) freeze_definition(source);
    if (!stays) edit_.remove(from);
  }
  void freeze_definition(RegisterId id) { frozen_[definition(id)] = true; }

  ptx::Function& function_;
  Lives lives_;
  BodyEdit edit_;
  std::vector<bool> frozen_;  // by pc: part of a repetition of this round
};

/// Takes steps until there are enough registers, a step finds nothing to do, or so many in a row have gained nothing;
/// what is left is the best that was met. How many are alive at once then.
template <typename Step>
unsigned improve(ptx::Function& function, unsigned enough, unsigned patience, Step&& step) {
  constexpr unsigned kMostRounds = 64;
  ptx::Function best;
  unsigned least = ~0u, useless = 0;
  for (unsigned rounds = 0;; ++rounds) {
    Round round(function);
    useless = round.most() < least ? 0 : useless + 1;
    least = std::min(least, round.most());
    if (least <= enough) return least;
    if (useless == 0) best = function;
    if (useless == patience || rounds == kMostRounds || !step(round)) break;
  }
  function = std::move(best);
  return least;
}

}  // namespace

void shorten_lives(ptx::Function& function, unsigned enough) {
  if (function.body.empty()) return;
  if (improve(function, enough, 3, [](Round& round) { return round.move(); }) <= enough) return;
  improve(function, enough, 1, [](Round& round) { return round.repeat(); });
}

}  // namespace warpfork::lower
