#include "oracle.h"

#include <algorithm>

#include "base/active_mask.h"

namespace warpfork::contract {

namespace {

constexpr std::size_t kPatience = 150;  // instructions before a thread makes for the exit

/// splitmix64, Steele et al. 2014.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

struct Choice {
  std::uint64_t seed;
  unsigned thread;

  std::size_t operator()(Pc pc, unsigned visit, std::size_t options) const {
    const std::uint64_t branch = mix(seed ^ pc);
    const unsigned who = branch % 4 == 0 ? thread / kMaxWarpSize : thread;
    return mix(branch ^ (std::uint64_t{who} << 32) ^ visit) % options;
  }
};

}  // namespace

std::vector<Pc> walk(const FlowProgram& program, unsigned thread, std::uint64_t seed) {
  const Choice choice{seed, thread};
  std::vector<unsigned> visits(program.size());
  std::vector<Pc> trace;
  for (Pc pc = 0;;) {
    trace.push_back(pc);
    const std::vector<Pc>& next = program.successors(pc);
    const std::size_t options = next.size() + program.can_exit(pc);
    std::size_t chosen = choice(pc, visits[pc]++, options);
    if (trace.size() > kPatience) {
      if (program.can_exit(pc)) return trace;
      const auto nearer = [&](Pc a, Pc b) { return program.distance(a) < program.distance(b); };
      chosen = static_cast<std::size_t>(std::min_element(next.begin(), next.end(), nearer) - next.begin());
    }
    if (chosen == next.size()) return trace;
    pc = next[chosen];
  }
}

}  // namespace warpfork::contract
