#include "config/assign.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace warpfork::config {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
constexpr std::uint64_t kMost = std::numeric_limits<T>::max();

template <typename T>
std::string wanted(Range range) {
  if constexpr (std::is_same_v<T, bool>)
    return "true or false";
  else if constexpr (std::is_same_v<T, double>)
    return "a finite number";
  else if constexpr (std::is_same_v<T, std::string>)
    return "a string";
  else
    return fmt::format("an integer from {} to {}", range.least, std::min<std::uint64_t>(range.most, kMost<T>));
}

template <typename T>
bool fits(const Json& value, Range range) {
  if constexpr (std::is_same_v<T, bool>) {
    return value.is_boolean();
  } else if constexpr (std::is_same_v<T, double>) {
    return value.is_number() && std::isfinite(value.get<double>());
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value.is_string();
  } else {
    const bool natural = value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
    if (!natural) return false;
    const auto number = value.get<std::uint64_t>();
    return number >= range.least && number <= range.most && number <= kMost<T>;
  }
}

/// JSON has neither infinities nor nan, TOML has.
std::string text_of(const Json& value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) return fmt::format("{}", value.get<double>());
  return value.dump();
}

template <typename T>
struct Assign {
  static void to(T& target, const Json& value, Range range, const std::string& place, const std::string& path) {
    if (!fits<T>(value, range)) throw Error("{}'{}' must be {}, not {}", place, path, wanted<T>(range), text_of(value));
    target = value.get<T>();
  }
};

template <typename T>
struct Assign<std::vector<T>> {
  static void to(std::vector<T>& target, const Json& value, Range range, const std::string& place,
                 const std::string& path) {
    if (!value.is_array())
      throw Error("{}'{}' must be a list ([…]), each element {}, not {}", place, path, wanted<T>(range), value.dump());
    std::vector<T> elements(value.size());
    for (std::size_t i = 0; i < value.size(); ++i)
      Assign<T>::to(elements[i], value[i], range, place, fmt::format("{}[{}]", path, i));
    target = std::move(elements);
  }
};

}  // namespace

void assign(const Field& field, const Json& value, const std::string& place, const std::string& path) {
  std::visit([&]<typename T>(T* target) { Assign<T>::to(*target, value, field.range, place, path); }, *field.target);
}

Json value_of(const Field::Target& target) {
  return std::visit([](const auto* field) { return Json(*field); }, target);
}

}  // namespace warpfork::config
