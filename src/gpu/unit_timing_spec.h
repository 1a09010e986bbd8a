// Where a class of instruction executes, and for how long (gtx480.md, "Execution units").
#pragma once

#include <string>

#include "simt/timing_class.h"

namespace warpfork::gpu {

/// Latencies and intervals: what the wheel of completions has room for.
inline constexpr unsigned kLongestTiming = 1021;

struct UnitTimingSpec {
  std::string unit = "sp";
  unsigned latency = 1;
  unsigned interval = 1;

  template <class Visit>
  void visit(Visit&& v) {
    visit(v, 1);
  }

  template <class Visit>
  void visit(Visit& v, unsigned least) {
    v("unit", unit, "sp or sfu: the kind of unit that executes it");
    v("latency", latency, "core cycles from the unit's entry to the result bus", {least, kLongestTiming});
    v("interval", interval, "core cycles for which the unit's entry stays taken (initiation interval)",
      {least, kLongestTiming});
  }

  /// So many instructions of the class, one behind the other.
  UnitTimingSpec repeated(unsigned count) const { return {unit, latency + interval * (count - 1), interval * count}; }
};

/// Of a class of products of matrices, which may have none: interval 0.
struct MatrixTimingSpec : UnitTimingSpec {
  MatrixTimingSpec() : UnitTimingSpec{"sp", 0, 0} {}

  template <class Visit>
  void visit(Visit&& v) {
    UnitTimingSpec::visit(v, 0);
  }
};

/// One UnitTimingSpec per class; the load/store unit times `memory` itself.
struct ExecutionSpec {
#define TIMING_CLASS(name, text) UnitTimingSpec name;
#define MATRIX_CLASS(name, text, multiply_add, count, steps) MatrixTimingSpec name;
#include "simt/timing_classes.def"
#undef TIMING_CLASS
  unsigned warp_threads = 32;
  unsigned sp_units = 2;
  unsigned sfu_units = 1;
  unsigned result_buses = 2;
  unsigned sp_issue_slots = 2;
  unsigned sfu_issue_slots = 1;
  unsigned memory_issue_slots = 1;

  template <class Visit>
  void visit(Visit&& v) {
    v("warp_threads", warp_threads,
      "threads of the warp that intervals and latencies below are for; of other warps they follow from core.warp_size",
      {1, 64});
    v("sp_units", sp_units, "units for integer and single precision", {1, 64});
    v("sfu_units", sfu_units, "units for special functions, division and double precision", {1, 64});
    v("result_buses", result_buses, "results that may arrive in one cycle", {1, 1024});
    v("sp_issue_slots", sp_issue_slots, "instructions between issue and the SP collectors, and again behind them",
      {1, 1024});
    v("sfu_issue_slots", sfu_issue_slots, "the same for the SFU", {1, 1024});
    v("memory_issue_slots", memory_issue_slots, "the same for the load/store unit", {1, 1024});
#define TIMING_CLASS(name, text) v(text, name, "unit, latency and interval of this class of instruction");
#define MATRIX_CLASS(name, text, multiply_add, count, steps) \
  v(text, name, "likewise, of the smallest product of matrices of this type; interval 0: as its multiply-adds");
#include "simt/timing_classes.def"
#undef TIMING_CLASS
  }

  /// Whether of() is what the machine says of the class itself.
  bool gives(simt::TimingClass timing) const {
    switch (timing) {
#define TIMING_CLASS(name, text)
#define MATRIX_CLASS(name, text, multiply_add, count, steps) \
  case simt::TimingClass::name:                              \
    return name.interval != 0;
#include "simt/timing_classes.def"
#undef TIMING_CLASS
      default:
        return true;
    }
  }

  /// A product of matrices of which nothing is said takes what its multiply-adds would: no machine has units for such
  /// unless it says so.
  UnitTimingSpec of(simt::TimingClass timing) const {
    switch (timing) {
#define TIMING_CLASS(name, text) \
  case simt::TimingClass::name:  \
    return name;
#define MATRIX_CLASS(name, text, multiply_add, count, steps) \
  case simt::TimingClass::name:                              \
    return name.interval != 0 ? UnitTimingSpec(name) : multiply_add.repeated(count);
#include "simt/timing_classes.def"
#undef TIMING_CLASS
      default:
        return Simple;
    }
  }
};

}  // namespace warpfork::gpu
