#include "ooo/predict/branch_history.h"

namespace warpfork::ooo {

namespace {

// A circular shift register of `width` bits into which `length` outcomes are folded: one enters, the oldest leaves.
std::uint16_t fold(unsigned folded, unsigned width, unsigned length, bool enters, bool leaves) {
  folded = folded << 1 | static_cast<unsigned>(enters);
  folded ^= static_cast<unsigned>(leaves) << length % width;
  folded ^= folded >> width;
  return static_cast<std::uint16_t>(folded & ((1u << width) - 1));
}

}  // namespace

void BranchHistory::push(std::uint64_t pc, bool taken) {
  for (unsigned table = 0; table < kTables; ++table) {
    const unsigned length = kLengths[table], width = kTagBits[table];
    const bool leaves = outcome(length - 1);
    Folded& folded = folded_[table];
    folded.index = fold(folded.index, kIndexBits, length, taken, leaves);
    folded.tag = fold(folded.tag, width, length, taken, leaves);
    folded.shorter_tag = fold(folded.shorter_tag, width - 1, length, taken, leaves);
  }
  outcomes_[2] = outcomes_[2] << 1 | outcomes_[1] >> 63;
  outcomes_[1] = outcomes_[1] << 1 | outcomes_[0] >> 63;
  outcomes_[0] = outcomes_[0] << 1 | static_cast<std::uint64_t>(taken);
  path_ = static_cast<std::uint16_t>(path_ << 1 | ((pc ^ pc >> 2) & 1));
}

}  // namespace warpfork::ooo
