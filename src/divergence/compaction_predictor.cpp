#include "divergence/compaction_predictor.h"

#include <array>
#include <limits>

#include "base/error.h"
#include "base/key_use.h"
#include "base/named.h"
#include "divergence/divergence_spec.h"

namespace warpfork {

namespace {

using Policy = CompactionPredictor::Policy;

constexpr unsigned kPcBits = std::numeric_limits<Pc>::digits;

constexpr std::array<std::string_view, 2> kPredictorTableKeys{"divergence.predictor_entries",
                                                              "divergence.predictor_index_shift"};

constexpr std::array kPolicies{PredictorPolicy{"latest", Policy::Latest, kPredictorTableKeys},
                               PredictorPolicy{"always", Policy::Always}, PredictorPolicy{"never", Policy::Never},
                               PredictorPolicy{kOraclePredictor, Policy::Always}};

}  // namespace

CompactionPredictor::CompactionPredictor(std::string_view policy, unsigned entries, unsigned index_shift)
    : policy_(find_predictor_policy(policy).policy),
      unlimited_(entries == 0),
      shift_(entries == 0 ? 0 : index_shift),
      table_(entries) {
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

bool PredictorPolicy::uses(std::string_view key) const { return uses_key(*this, key, kPolicies); }

std::span<const PredictorPolicy> predictor_policies() { return kPolicies; }

const PredictorPolicy& find_predictor_policy(std::string_view name) {
  return find_named(kPolicies, name, "compaction predictor", "predictors");
}

}  // namespace warpfork
