#include "ooo/rename/registry.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "ooo/rename/deferred_merging.h"
#include "ooo/rename/immediate_merging.h"

namespace warpfork::ooo {

namespace {

template <typename Strategy, auto... arguments>
std::unique_ptr<RenameStrategy> make(Pirat table) {
  return std::make_unique<Strategy>(std::move(table), arguments...);
}

constexpr std::array kStrategies{
    RenameStrategyEntry{"pirat", "two physical registers per architectural one, merged where a µop needs it", "3.8",
                        make<DeferredMerging, MergingVariant::Pirat>},
    RenameStrategyEntry{"rat", "one physical register: a merge after every masked write", "3.1, 4.3",
                        make<ImmediateMerging>},
    RenameStrategyEntry{"free-merge", "pirat, but merges are no µops and never stall renaming", "4.3",
                        make<DeferredMerging, MergingVariant::Free>},
    RenameStrategyEntry{"pirat-rewrite", "pirat, but a path replaces its own last write without a merge", "3.8.1",
                        make<DeferredMerging, MergingVariant::Rewrite>},
};

}  // namespace

std::span<const RenameStrategyEntry> rename_strategies() { return kStrategies; }

const RenameStrategyEntry& find_rename_strategy(std::string_view name) {
  for (const RenameStrategyEntry& strategy : kStrategies)
    if (strategy.name == name) return strategy;
  std::vector<std::string> names;
  for (const RenameStrategyEntry& strategy : kStrategies) names.emplace_back(strategy.name);
  throw Error("error: {}", no_such_name("rename strategy", name, "strategies", names));
}

}  // namespace warpfork::ooo
