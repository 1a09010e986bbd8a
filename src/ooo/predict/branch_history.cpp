#include "ooo/predict/branch_history.h"

namespace warpfork::ooo {

namespace {

/// A circular shift register of `width` bits into which outcomes are folded; the oldest leaves at bit `exit`.
struct Register {
  unsigned width = 0, exit = 0;

  std::uint16_t shifted(unsigned folded, bool enters, bool leaves) const {
    folded = folded << 1 | static_cast<unsigned>(enters);
    folded ^= static_cast<unsigned>(leaves) << exit;
    folded ^= folded >> width;
    return static_cast<std::uint16_t>(folded & ((1u << width) - 1));
  }
};

struct Registers {
  Register index, tag, shorter_tag;
};

constexpr auto kRegisters = [] {
  std::array<Registers, BranchHistory::kTables> registers;
  for (unsigned table = 0; table < BranchHistory::kTables; ++table) {
    const auto folding = [&](unsigned width) { return Register{width, BranchHistory::kLengths[table] % width}; };
    const unsigned tag = BranchHistory::kTagBits[table];
    registers[table] = {folding(BranchHistory::kIndexBits), folding(tag), folding(tag - 1)};
  }
  return registers;
}();

}  // namespace

void BranchHistory::push(std::uint64_t pc, bool taken) {
#pragma GCC unroll 8  // so that widths and lengths are constants
  for (unsigned table = 0; table < kTables; ++table) {
    const bool leaves = outcome(kLengths[table] - 1);
    const Registers& registers = kRegisters[table];
    Folded& folded = folded_[table];
    folded.index = registers.index.shifted(folded.index, taken, leaves);
    folded.tag = registers.tag.shifted(folded.tag, taken, leaves);
    folded.shorter_tag = registers.shorter_tag.shifted(folded.shorter_tag, taken, leaves);
  }
  outcomes_[2] = outcomes_[2] << 1 | outcomes_[1] >> 63;
  outcomes_[1] = outcomes_[1] << 1 | outcomes_[0] >> 63;
  outcomes_[0] = outcomes_[0] << 1 | static_cast<std::uint64_t>(taken);
  path_ = static_cast<std::uint16_t>(path_ << 1 | ((pc ^ pc >> 2) & 1));
}

}  // namespace warpfork::ooo
