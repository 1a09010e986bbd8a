#include "ooo/rename/registry.h"

#include <array>
#include <utility>

#include "base/named.h"
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
  return find_named(kStrategies, name, "rename strategy", "strategies");
}

}  // namespace warpfork::ooo
