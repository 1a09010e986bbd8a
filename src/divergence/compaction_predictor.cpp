#include "divergence/compaction_predictor.h"

#include <limits>

#include "base/error.h"
#include "divergence/divergence_spec.h"

namespace warpfork {

namespace {

constexpr unsigned kPcBits = std::numeric_limits<Pc>::digits;

}  // namespace

CompactionPredictor::CompactionPredictor(std::string_view policy, unsigned entries, unsigned index_shift)
    : policy_(find_policy(policy)), unlimited_(entries == 0), shift_(entries == 0 ? 0 : index_shift), table_(entries) {
  if (index_shift >= kPcBits)
    throw Error("error: the compaction predictor's index shift is {}; at most {} are allowed", index_shift,
                kPcBits - 1);
}

bool CompactionPredictor::adequate(Pc branch) const {
  if (policy_ != Policy::Latest) return policy_ == Policy::Always;
  if (table_.empty()) return true;
  const Entry& entry = table_[index(branch)];
  return entry.branch != branch || entry.adequate;
}

void CompactionPredictor::update(Pc branch, bool adequate) {
  if (policy_ != Policy::Latest) return;
  if (unlimited_ && branch >= table_.size()) table_.resize(branch + 1);
  table_[index(branch)] = {branch, adequate};
}

CompactionPredictor::Policy CompactionPredictor::find_policy(std::string_view name) {
  if (name == "latest") return Policy::Latest;
  if (name == "always") return Policy::Always;
  if (name == "never") return Policy::Never;
  if (name == kOraclePredictor) return Policy::Always;
  throw Error("error: there is no compaction predictor '{}'\n  all predictors: latest, always, never, {}", name,
              kOraclePredictor);
}

}  // namespace warpfork
