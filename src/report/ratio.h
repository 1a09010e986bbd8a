// A part of a whole, as results give it.
#pragma once

namespace warpfork::report {

/// 0 of nothing.
inline double ratio(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

}  // namespace warpfork::report
