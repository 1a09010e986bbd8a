#include "energy/price_list.h"

#include <cmath>
#include <string>
#include <string_view>

#include "base/error.h"

namespace warpfork::energy {

namespace {

struct PositiveCheck {
  std::string prefix;

  void operator()(std::string_view name, double& price, std::string_view doc) const {
    if (!(price > 0 && std::isfinite(price)))
      throw Error("error: the price list gives no positive '{}{}' ({})", prefix, name, doc);
  }
  template <class Table>
  void operator()(std::string_view name, Table& table, std::string_view) const {
    table.visit(PositiveCheck{prefix + std::string(name) + "."});
  }
};

template <class List>
void check(List& prices) {
  prices.visit(PositiveCheck{""});
  if (prices.array.efficiency > 1)
    throw Error("error: the price list's 'array.efficiency' must be a part, 1 at most, not {}",
                prices.array.efficiency);
}

}  // namespace

void require_complete(PriceList prices) { check(prices); }
void require_complete(GpuPriceList prices) { check(prices); }

}  // namespace warpfork::energy
