#include "config/sweep_axis.h"

#include <cmath>
#include <cstdlib>

namespace warpfork::config {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kMostValues = 1e6;
constexpr double kRounding = 1e-9;  // of a step: what is left of 0.3 after three steps of 0.1

struct Steps {
  double from, to, size;
  bool multiply, whole;

  double number() const {
    const double steps = multiply ? std::log(to / from) / std::log(size) : (to - from) / size;
    return std::floor(steps + kRounding) + 1;
  }
  Json value(double i) const {
    const double value = multiply ? from * std::pow(size, i) : from + size * i;
    if (whole) return std::llround(value);
    return std::strtod(fmt::format("{:.12g}", value).c_str(),
                       nullptr);  // as it was meant: 0.3, not 0.30000000000000004
  }
};

Steps steps_of(const TableReader& axis) {
  if (axis.has("step") && axis.has("factor"))
    throw Error("{}an axis has either 'step' or 'factor'", axis.place("factor"));
  Steps steps{axis.real("from"), axis.real("to"), 1, axis.has("factor"), true};
  if (steps.multiply)
    steps.size = axis.real("factor");
  else if (axis.has("step"))
    steps.size = axis.real("step");
  for (const char* key : {"from", "to", "step", "factor"})
    if (axis.has(key)) steps.whole = steps.whole && axis.values(key)[0].is_number_integer();
  if (!std::isfinite(steps.from) || !std::isfinite(steps.to) || !std::isfinite(steps.size))
    throw Error("{}the numbers of a range must be finite", axis.place("from"));
  return steps;
}

std::vector<Json> range_of(const TableReader& axis) {
  const Steps steps = steps_of(axis);
  if (steps.multiply && !(steps.from > 0 && steps.to > 0 && steps.size > 0 && steps.size != 1))
    throw Error("{}with 'factor', 'from' and 'to' must be above 0, and it above 0 and not 1", axis.place("factor"));
  if (!steps.multiply && steps.size == 0) throw Error("{}'step' must not be 0", axis.place("step"));
  const double number = steps.number();
  if (!(number >= 1)) throw Error("{}no step leads from 'from' to 'to': the range is empty", axis.place("from"));
  if (number > kMostValues) throw Error("{}a range of more than a million values", axis.place("from"));
  std::vector<Json> values;
  for (double i = 0; i < number; ++i) values.push_back(steps.value(i));
  return values;
}

}  // namespace

std::vector<Json> sweep_values(const TableReader& axis) {
  const bool is_range = axis.has("from") || axis.has("to") || axis.has("step") || axis.has("factor");
  if (is_range == axis.has("values"))
    throw Error("{}an axis needs either 'values' or a range ('from', 'to', and 'step' or 'factor')",
                axis.place("values"));
  if (is_range) return range_of(axis);
  const Json list = axis.values("values");
  if (list.empty()) throw Error("{}'values' is empty: there would be no point", axis.place("values"));
  return {list.begin(), list.end()};
}

}  // namespace warpfork::config
