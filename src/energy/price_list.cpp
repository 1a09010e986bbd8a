#include "energy/price_list.h"

#include <string>
#include <string_view>

#include "base/error.h"

namespace warpfork::energy {

namespace {

struct PositiveCheck {
  std::string prefix;

  void operator()(std::string_view name, double& price, std::string_view doc) const {
    if (!(price > 0)) throw Error("error: the price list gives no positive '{}{}' ({})", prefix, name, doc);
  }
  template <class Table>
  void operator()(std::string_view name, Table& table, std::string_view) const {
    table.visit(PositiveCheck{prefix + std::string(name) + "."});
  }
};

}  // namespace

void require_complete(PriceList prices) { prices.visit(PositiveCheck{""}); }
void require_complete(GpuPriceList prices) { prices.visit(PositiveCheck{""}); }

}  // namespace warpfork::energy
