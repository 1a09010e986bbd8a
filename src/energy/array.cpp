#include "energy/array.h"

#include <cmath>

namespace warpfork::energy {

namespace {

constexpr double kMm2PerUm2 = 1e-6, kMmPerUm = 1e-3;
constexpr double kWordBits = 64;  // of ArrayPrices::access_pj

/// Each port beyond the first adds a word line and its bit lines: two of a port that writes or searches, one of a port
/// that only reads. CACTI counts two pitches a word line, since it runs with its ground.
double cell_um2(const Array& array, const Technology& prices) {
  const ArrayPrices& price = prices.array;
  const unsigned searches = array.searches > 1 ? array.searches - 1 : 0;
  const unsigned writes = array.writes - 1;
  const double height = price.cell_height + 2 * price.wire_pitch * (array.reads + writes + searches);
  const double width = (array.searches != 0 ? price.search_cell_width : price.cell_width) +
                       price.wire_pitch * (2 * (writes + searches) + array.reads);
  return height * width * prices.feature_um * prices.feature_um;
}

double copy_mm2(const Array& array, const Technology& prices) {
  return array.entries * array.bits * cell_um2(array, prices) / prices.array.efficiency * kMm2PerUm2;
}

double crossbar_side_mm(unsigned ports, double bits, const Technology& prices) {
  return ports * bits * prices.wires.crossbar_pitch * prices.feature_um * kMmPerUm;
}

}  // namespace

double area_mm2(const Array& array, const Technology& prices) { return array.copies * copy_mm2(array, prices); }

double leakage_mw(const Array& array, const Technology& prices) {
  const ArrayPrices& price = prices.array;
  const double cells = array.copies * array.entries * array.bits;
  const double cell_nw = price.cell_leakage_nw + price.port_leakage_nw * (array.reads + array.writes);
  return cells * cell_nw * 1e-6 + area_mm2(array, prices) * (1 - price.efficiency) * prices.wires.leakage_mw;
}

double access_pj(const Array& array, double bits, const Technology& prices) {
  const double reference = copy_mm2({.entries = 1, .bits = prices.array.reference_bits}, prices);
  return prices.array.access_pj * bits / kWordBits * std::sqrt(copy_mm2(array, prices) / reference);
}

double search_pj(const Array& array, const Technology& prices) {
  const double simple = cell_um2({.entries = 1, .bits = 1, .searches = 1}, prices);
  return array.entries * array.bits * prices.array.search_fj * 1e-3 * std::sqrt(cell_um2(array, prices) / simple);
}

double crossbar_mm2(unsigned ports, double bits, const Technology& prices) {
  const double side = crossbar_side_mm(ports, bits, prices);
  return side * side;
}

double crossbar_pj(unsigned ports, double port_bits, double bits, const Technology& prices) {
  return bits * 2 * crossbar_side_mm(ports, port_bits, prices) * prices.wires.wire_pj;
}

}  // namespace warpfork::energy
