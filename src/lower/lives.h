// Facts of one function for code motion: where registers are written and read, and where the most are alive.
#pragma once

#include <span>
#include <vector>

#include "analysis/liveness.h"
#include "lower/body_order.h"

namespace warpfork::lower {

/// Instructions by register: flat lists in ascending order.
class RegisterSites {
 public:
  /// `lists(pc)` gives the registers that an instruction touches.
  template <typename Lists>
  RegisterSites(std::size_t registers, std::size_t instructions, Lists&& lists) : first_(registers + 2, 0) {
    for (Pc pc = 0; pc < instructions; ++pc)
      for (const ptx::RegisterId id : lists(pc)) ++first_[id + 2];
    for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
    sites_.resize(first_.back());
    for (Pc pc = 0; pc < instructions; ++pc)
      for (const ptx::RegisterId id : lists(pc)) sites_[first_[id + 1]++] = pc;
  }
  /// With duplicates where an instruction names the register twice.
  std::span<const Pc> of(ptx::RegisterId id) const {
    return std::span(sites_).subspan(first_[id], first_[id + 1] - first_[id]);
  }
  /// Whether one lies in [from, to).
  bool any_in(ptx::RegisterId id, Pc from, Pc to) const;

 private:
  std::vector<std::uint32_t> first_;
  std::vector<Pc> sites_;
};

/// Of the function with its instructions in an order as it is when this is made.
class Lives {
 public:
  Lives(const ptx::Function& function, const BodyOrder& body);

  const analysis::ControlFlowGraph& graph() const { return graph_; }
  const analysis::Liveness& liveness() const { return liveness_; }
  const RegisterSites& reads() const { return reads_; }
  const RegisterSites& writes() const { return writes_; }
  unsigned depth(Pc pc) const { return depths_[graph_.block_of(pc)]; }

  /// 32-bit registers alive at once at most, and whether there are so many just after the instruction.
  unsigned most() const { return most_; }
  bool is_crowded(Pc pc) const { return alive_after_[pc] == most_; }
  /// Whether it is so after an instruction of [from, to).
  bool crowded_in(Pc from, Pc to) const { return from < to && crowded_before_[to] != crowded_before_[from]; }

  /// Written once, without a guard, before every read: wherever it is read it is as it was written.
  bool has_one_value(ptx::RegisterId id) const;
  /// Whether a register with one value is alive just before the instruction.
  bool is_alive_before(ptx::RegisterId id, Pc pc) const;

 private:
  const analysis::ControlFlowGraph& graph_;
  analysis::Liveness liveness_;
  RegisterSites reads_, writes_;
  std::vector<unsigned> depths_;
  std::vector<unsigned> alive_after_;          // by pc, with what it writes
  std::vector<std::uint32_t> crowded_before_;  // by pc, how many crowded instructions come before it
  unsigned most_ = 0;
};

}  // namespace warpfork::lower
