#include "divergence/compaction_predictor.h"

#include "base/error.h"

namespace warpfork {

CompactionPredictor::CompactionPredictor(std::string_view policy, unsigned entries)
    : policy_(find_policy(policy)), unlimited_(entries == 0), table_(entries) {}

bool CompactionPredictor::adequate(Pc branch) const {
  if (policy_ != Policy::Latest) return policy_ == Policy::Always;
  if (table_.empty()) return true;
  const Entry& entry = table_[branch % table_.size()];
  return entry.branch != branch || entry.adequate;
}

void CompactionPredictor::update(Pc branch, bool adequate) {
  if (policy_ != Policy::Latest) return;
  if (unlimited_ && branch >= table_.size()) table_.resize(branch + 1);
  table_[branch % table_.size()] = {branch, adequate};
}

CompactionPredictor::Policy CompactionPredictor::find_policy(std::string_view name) {
  if (name == "latest") return Policy::Latest;
  if (name == "always") return Policy::Always;
  if (name == "never") return Policy::Never;
  throw Error("error: there is no compaction predictor '{}'\n  all predictors: latest, always, never", name);
}

}  // namespace warpfork
