#include "energy/array.h"

#include <algorithm>
#include <cmath>

namespace warpfork::energy {

namespace {

constexpr double kMmPerUm = 1e-3;
constexpr double kPricedBits = 64;  // of ArrayPrices::access_pj

/// Ports beyond the first that have two bit lines.
unsigned more_that_write(const Array& array) {
  return array.writes - 1 + (array.searches > 1 ? array.searches - 1 : 0);
}

/// Each port beyond the first adds a word line and its bit lines: two of a port that writes or searches, one of a port
/// that only reads. CACTI counts two pitches a word line, since it runs with its ground.
double cell_height_um(const Array& array, const Technology& prices) {
  const unsigned more = array.reads + more_that_write(array);
  return (prices.array.cell_height + 2 * prices.array.wire_pitch * more) * prices.feature_um;
}

double cell_um2(const Array& array, const Technology& prices) {
  const ArrayPrices& price = prices.array;
  const double width = (array.searches != 0 ? price.search_cell_width : price.cell_width) +
                       price.wire_pitch * (2 * more_that_write(array) + array.reads);
  return cell_height_um(array, prices) * width * prices.feature_um;
}

double copy_mm2(const Array& array, const Technology& prices) {
  return array.entries * array.bits * cell_um2(array, prices) / prices.array.efficiency * kMm2PerUm2;
}

double side_mm(const Array& array, const Technology& prices) { return std::sqrt(copy_mm2(array, prices)); }

/// Of bits that go so far.
double way_pj(double bits, double mm, const Technology& prices) {
  const double reference = side_mm({.entries = 1, .bits = prices.array.reference_bits}, prices);
  return prices.array.access_pj * bits / kPricedBits * mm / reference;
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
  return way_pj(bits, side_mm(array, prices), prices);
}

double column_pj(const Array& array, double bits, const Technology& prices) {
  const double depth = array.entries * cell_height_um(array, prices) * kMmPerUm / std::sqrt(prices.array.efficiency);
  return way_pj(bits, std::min(depth, side_mm(array, prices)), prices);
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
