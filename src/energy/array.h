// Area, energy and leakage of a memory array from its shape: an analytic model after CACTI (docs/energy.md).
#pragma once

#include "energy/price_list.h"

namespace warpfork::energy {

inline constexpr double kMm2PerUm2 = 1e-6;

/// `copies` equal arrays, accessed one by one. `writes` ports also read; with `searches` an entry is found by content.
struct Array {
  double entries = 0, bits = 0;
  unsigned reads = 0, writes = 1, searches = 0;
  double copies = 1;
};

/// Of all copies.
double area_mm2(const Array& array, const Technology& prices);
double leakage_mw(const Array& array, const Technology& prices);

/// Of one copy: `bits` read or written, or every entry compared. Nothing for an array without entries.
double access_pj(const Array& array, double bits, const Technology& prices);
/// `bits` used where their columns end, as those of a scoreboard are compared and changed: they go the array's depth
/// alone, however wide it is.
double column_pj(const Array& array, double bits, const Technology& prices);
double search_pj(const Array& array, const Technology& prices);

/// A crossbar of `ports` inputs and as many outputs, each of `bits`.
double crossbar_mm2(unsigned ports, double bits, const Technology& prices);
/// `bits` through it, as wide as `port_bits`.
double crossbar_pj(unsigned ports, double port_bits, double bits, const Technology& prices);

}  // namespace warpfork::energy
