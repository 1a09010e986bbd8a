#include "ooo/predict/tage.h"

#include <algorithm>

namespace warpfork::ooo {

namespace {

constexpr int kMostCounter = 3, kLeastCounter = -4, kMostUseful = 3;
constexpr unsigned kTickLimit = 255;

constexpr bool weak(int counter) { return counter == 0 || counter == -1; }

}  // namespace

Tage::Tage() : entries_(kTables * kEntries), base_(kBaseEntries, 2) {}

Tage::Entry& Tage::entry(const Prediction& prediction, int table) {
  const auto number = static_cast<unsigned>(table);
  return entries_[number * kEntries + prediction.index[number]];
}

const Tage::Entry& Tage::entry(const Prediction& prediction, int table) const {
  return const_cast<Tage*>(this)->entry(prediction, table);
}

Tage::Prediction Tage::predict(std::uint64_t pc, const BranchHistory& history) const {
  Prediction prediction;
  prediction.base_index = static_cast<std::uint16_t>((pc ^ pc >> 12) % kBaseEntries);
  for (unsigned table = 0; table < BranchHistory::kTables; ++table) {
    const unsigned path = history.path() & ((1u << std::min(16u, BranchHistory::kLengths[table])) - 1);
    const std::uint64_t hash = pc ^ pc >> (BranchHistory::kIndexBits - table) ^ path ^ path >> 7;
    prediction.index[table] = static_cast<std::uint16_t>((hash ^ history.index_of(table)) % kEntries);
    const unsigned tag_mask = (1u << BranchHistory::kTagBits[table]) - 1;
    prediction.tag[table] = static_cast<std::uint16_t>((pc ^ pc >> 13 ^ history.tag_of(table)) & tag_mask);
  }
  for (int table = kTables - 1; table >= 0 && prediction.alternate == kBase; --table) {
    if (entry(prediction, table).tag != prediction.tag[static_cast<unsigned>(table)]) continue;
    (prediction.provider == kBase ? prediction.provider : prediction.alternate) = static_cast<std::int8_t>(table);
  }
  prediction.provider_taken = counter_taken(prediction, prediction.provider);
  prediction.alternate_taken = counter_taken(prediction, prediction.alternate);
  if (prediction.provider != kBase) {
    const Entry& provider = entry(prediction, prediction.provider);
    prediction.provider_is_new = provider.useful == 0 && weak(provider.counter);
  }
  const bool trust_alternate = prediction.provider_is_new && choice_ >= 0;
  prediction.taken = trust_alternate ? prediction.alternate_taken : prediction.provider_taken;
  return prediction;
}

void Tage::update(const Prediction& prediction, bool taken) {
  // A new provider that was right, though it was not believed, needs no longer history.
  const bool allocates = prediction.taken != taken && prediction.provider < kTables - 1 &&
                         !(prediction.provider_is_new && prediction.provider_taken == taken);
  update_provider(prediction, taken);
  if (allocates) allocate(prediction, taken);
}

void Tage::update_provider(const Prediction& prediction, bool taken) {
  const bool differ = prediction.provider_taken != prediction.alternate_taken;
  if (prediction.provider_is_new && differ)
    choice_ = std::clamp(choice_ + (prediction.alternate_taken == taken ? 1 : -1), -8, 7);
  if (prediction.provider != kBase) {
    Entry& provider = entry(prediction, prediction.provider);
    if (provider.useful == 0) train(prediction, prediction.alternate, taken);
    if (differ)
      provider.useful = static_cast<std::uint8_t>(
          std::clamp(provider.useful + (prediction.provider_taken == taken ? 1 : -1), 0, kMostUseful));
  }
  train(prediction, prediction.provider, taken);
}

void Tage::allocate(const Prediction& prediction, bool taken) {
  int table = prediction.provider + 1;
  while (table < kTables - 1 && random_bit()) ++table;  // so that one branch does not take the same table every time
  for (; table < kTables; ++table) {
    Entry& candidate = entry(prediction, table);
    if (candidate.useful != 0) continue;
    candidate = {static_cast<std::int8_t>(taken ? 0 : -1), 0, prediction.tag[static_cast<unsigned>(table)]};
    if (tick_ > 0) --tick_;
    return;
  }
  if (++tick_ < kTickLimit) return;
  tick_ = 0;
  for (Entry& entry : entries_) entry.useful >>= 1;
}

bool Tage::counter_taken(const Prediction& prediction, int table) const {
  return table == kBase ? base_[prediction.base_index] >= 2 : entry(prediction, table).counter >= 0;
}

void Tage::train(const Prediction& prediction, int table, bool taken) {
  const int step = taken ? 1 : -1;
  if (table == kBase) {
    std::uint8_t& counter = base_[prediction.base_index];
    counter = static_cast<std::uint8_t>(std::clamp(counter + step, 0, 3));
  } else {
    std::int8_t& counter = entry(prediction, table).counter;
    counter = static_cast<std::int8_t>(std::clamp(counter + step, kLeastCounter, kMostCounter));
  }
}

// Sixteen bits with the feedback x^16 + x^14 + x^13 + x^11 + 1: all 65535 states but zero.
bool Tage::random_bit() {
  const bool out = random_ & 1;
  random_ = static_cast<std::uint16_t>(random_ >> 1 ^ (out ? 0xb400 : 0));
  return out;
}

}  // namespace warpfork::ooo
