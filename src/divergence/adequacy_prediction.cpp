#include "divergence/adequacy_prediction.h"

namespace warpfork {

void AdequacyPrediction::launch(std::uint64_t block, std::size_t warps) {
  if (!oracle_) return;
  oracle_->start_block(block, warps);
  decisions_.resize(warps);
}

bool AdequacyPrediction::advises_to_wait(WarpId place, Pc branch, std::span<const HomeLanes> threads) {
  if (!oracle_) return table_->adequate(branch);
  decisions_[place] = oracle_->decide(branch, threads);
  return decisions_[place].wait;
}

void AdequacyPrediction::learn(const Compaction& done) {
  table_->update(done.branch, done.paid());
  if (oracle_) done.waited.for_each([&](WarpId place) { oracle_->met(decisions_[place], done.paid()); });
}

void AdequacyPrediction::note(ShadowBarriers& shadows, const ShadowBarrier& shadow, WarpId place) const {
  if (oracle_) shadows.note(shadow, decisions_[place]);
}

void AdequacyPrediction::learn(const Compaction& judged, ShadowBarriers& shadows) {
  table_->update(judged.branch, judged.paid());
  if (oracle_) shadows.judge(judged.branch, judged.paid(), *oracle_);
}

}  // namespace warpfork
