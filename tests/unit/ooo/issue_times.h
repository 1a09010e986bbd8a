// When µops issue, for tests of the cores.
#pragma once

#include <cstdint>
#include <map>

#include "ooo/core_listener.h"

namespace warpfork::ooo {

/// When the µops of each instruction, and merges, were issued and done.
class Times final : public CoreListener {
 public:
  struct Span {
    Cycle issued = 0, done = 0;
    WaitCause waited = WaitCause::Nothing;
  };

  void entered(const Entry& entry) override {
    places_[entry.uop] = entry.merge != nullptr                 ? 0
                         : entry.fetched.instruction == nullptr ? 1
                                                                : entry.fetched.instruction->pc;
  }
  void issued(const Issue& issue) override { spans_[places_.at(issue.uop)] = {issue.at, issue.done, issue.waited}; }

  Span at(std::uint64_t pc) const { return spans_.at(pc); }
  Span merge() const { return spans_.at(0); }
  Span meeting() const { return spans_.at(1); }

 private:
  std::map<std::uint64_t, std::uint64_t> places_;  // of a µop, by number
  std::map<std::uint64_t, Span> spans_;
};

/// Of the only unit for it, for 26 cycles.
inline x86::Uop divide(x86::RegisterId destination) {
  x86::Uop uop;
  uop.kind = x86::UopKind::IntegerDivide;
  uop.sources[uop.source_count++] = destination;
  uop.destinations[uop.destination_count++] = destination;
  return uop;
}

}  // namespace warpfork::ooo
