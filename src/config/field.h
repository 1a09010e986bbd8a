// The fields of a description struct, found through its visit() function: whatever a file or --set may name.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/range.h"

namespace warpfork::config {

/// A struct that lists its fields: `template <class Visit> void visit(Visit&& v) { v("warps", warps, "unit, source");
/// }`. A field is of one of the types in Field::Target or again a Described struct (a table in the file). An integer
/// may have a Range as a fourth argument: other values are refused.
template <typename Spec>
concept Described = requires(Spec& spec) {
  spec.visit([](std::string_view, auto&, std::string_view, Range = {}) {});
};

/// One field of a live Spec: a value that can be read and written through `target`, or a table of `members`.
struct Field {
  using Target = std::variant<bool*, std::uint32_t*, std::uint64_t*, double*, std::string*, std::vector<std::uint32_t>*,
                              std::vector<std::uint64_t>*, std::vector<double>*, std::vector<std::string>*>;
  std::string name;
  std::string doc;  // unit, meaning, source
  Range range;      // of an integer
  std::optional<Target> target;
  std::vector<Field> members;
};

/// The fields of `spec` in the order in which it lists them. They point into `spec`.
template <Described Spec>
std::vector<Field> fields_of(Spec& spec) {
  std::vector<Field> fields;
  spec.visit([&](std::string_view name, auto& value, std::string_view doc, Range range = {}) {
    Field field{std::string(name), std::string(doc), range, {}, {}};
    if constexpr (Described<std::remove_reference_t<decltype(value)>>)
      field.members = fields_of(value);
    else
      field.target = &value;
    fields.push_back(std::move(field));
  });
  return fields;
}

}  // namespace warpfork::config
