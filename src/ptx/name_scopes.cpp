#include "ptx/name_scopes.h"

#include <charconv>

namespace warpfork::ptx {

namespace {

/// Far above any compiler's output; keeps a typing error from taking all memory.
constexpr std::uint64_t kMaxRegistersOfFunction = 1u << 19, kMaxRegistersOfModule = 1u << 22;

constexpr std::string_view kComponents[] = {"", ".x", ".y", ".z", ".w", ".4", ".5", ".6", ".7"};

constexpr std::size_t kMaxNamesOfRange = 3, kMaxNamesInMessages = 200;

NameScopes::Meaning register_meaning(std::size_t index, unsigned vector_width) {
  using Kind = NameScopes::Meaning::Kind;
  return {vector_width > 1 ? Kind::VectorRegister : Kind::Register, static_cast<std::uint8_t>(vector_width),
          static_cast<std::uint32_t>(index)};
}

}  // namespace

std::optional<std::uint32_t> NameScopes::index_in(const Range& range, std::string_view name) {
  if (!name.starts_with(range.prefix)) return std::nullopt;
  name.remove_prefix(range.prefix.size());
  if (name.empty() || (name[0] == '0' && name.size() > 1)) return std::nullopt;
  std::uint32_t index = 0;
  const auto parsed = std::from_chars(name.data(), name.data() + name.size(), index);
  if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size() || index >= range.count) return std::nullopt;
  return index;
}

std::optional<NameScopes::Meaning> NameScopes::Scope::find(std::string_view name) const {
  for (const Range& range : ranges) {
    if (const auto index = index_in(range, name)) {
      Meaning meaning = range.first;
      meaning.index += *index * meaning.width;
      return meaning;
    }
  }
  if (const auto found = names.find(name); found != names.end()) return found->second;
  return std::nullopt;
}

std::optional<NameScopes::Meaning> NameScopes::find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto meaning = scope->find(name)) return meaning;
  return std::nullopt;
}

bool NameScopes::taken(const std::string& name) const {
  if (taken_.contains(name)) return true;
  for (const Range& range : all_ranges_)
    if (index_in(range, name)) return true;
  return false;
}

/// Whether a name of the range is the flat name of something else.
bool NameScopes::overlaps(const Range& range) const {
  for (const std::string& name : taken_)
    if (index_in(range, name)) return true;
  for (const Range& other : all_ranges_) {
    if (!other.prefix.starts_with(range.prefix) && !range.prefix.starts_with(other.prefix)) continue;
    const Range& longer = other.prefix.size() > range.prefix.size() ? other : range;
    const Range& shorter = &longer == &range ? other : range;
    for (std::uint32_t i = 0; i < longer.count; ++i)
      if (index_in(shorter, fmt::format("{}{}", longer.prefix, i))) return true;
  }
  return false;
}

std::string NameScopes::unique(std::string_view name) {
  std::string candidate(name);
  while (taken(candidate)) candidate = fmt::format("{}${}", name, ++copies_[std::string(name)]);
  taken_.insert(candidate);
  return candidate;
}

void NameScopes::add(const Token& name, const Meaning& meaning) {
  if (scopes_.back().find(name.text))
    source_.fail(name.position, fmt::format("'{}' is declared twice in this scope", name.text),
                 "rename one, or put one into braces of its own");
  scopes_.back().names.emplace(name.text, meaning);
  scopes_.back().order.push_back(name.text);
}

void NameScopes::reserve(const Token& at, std::uint64_t more) {
  if (more > kMaxRegistersOfFunction || function_.registers.size() + more > kMaxRegistersOfFunction)
    source_.fail(at.position, "too many registers", fmt::format("a function may declare {}", kMaxRegistersOfFunction));
  module_registers_ += more;
  if (module_registers_ > kMaxRegistersOfModule)
    source_.fail(at.position, "too many registers", fmt::format("a module may declare {}", kMaxRegistersOfModule));
}

void NameScopes::add_register(const std::string& name, ScalarType type, unsigned vector_width, const Token& at) {
  if (vector_width == 1) {
    function_.registers.push_back({name, type, at.position.line});
    return;
  }
  for (unsigned i = 0; i < vector_width; ++i)
    function_.registers.push_back({name + std::string(kComponents[i + 1]), type, at.position.line});
}

void NameScopes::declare_register(const Token& name, ScalarType type, unsigned vector_width) {
  reserve(name, vector_width);
  add(name, register_meaning(function_.registers.size(), vector_width));
  add_register(unique(name.text), type, vector_width, name);
}

void NameScopes::declare_registers(const std::vector<RegisterDeclaration>& declarations) {
  for (const RegisterDeclaration& declared : declarations)
    if (declared.count)
      declare_range(declared.name, *declared.count, declared.type, declared.vector_width);
    else
      declare_register(declared.name, declared.type, declared.vector_width);
}

void NameScopes::declare_range(const Token& prefix, std::uint64_t count, ScalarType type, unsigned vector_width) {
  if (count > kMaxRegistersOfFunction) reserve(prefix, count);
  reserve(prefix, count * vector_width);
  const Range range{prefix.text, static_cast<std::uint32_t>(count),
                    register_meaning(function_.registers.size(), vector_width)};
  Scope& scope = scopes_.back();
  const bool renamed = overlaps(range);
  if (renamed) {
    for (std::uint32_t i = 0; i < range.count; ++i)
      if (scope.find(fmt::format("{}{}", prefix.text, i)))
        source_.fail(prefix.position, fmt::format("'{}{}' is declared twice in this scope", prefix.text, i),
                     "rename one, or put one into braces of its own");
  }
  for (std::uint32_t i = 0; i < range.count; ++i) {
    const std::string name = std::string(prefix.text) + std::to_string(i);  // of many, and formatting takes longer
    add_register(renamed ? unique(name) : name, type, vector_width, prefix);
  }
  scope.ranges.push_back(range);
  if (!renamed) all_ranges_.push_back(range);
}

std::string NameScopes::declare_variable(const Token& name, bool reserved, unsigned element_bytes) {
  add(name, {Meaning::Kind::Variable, 1, static_cast<std::uint32_t>(variables_.size())});
  if (reserved) taken_.insert(std::string(name.text));
  variables_.push_back({unique(name.text), element_bytes});
  return variables_.back().name;
}

std::string NameScopes::declare_lifted(const Token& name, const std::function<bool(const std::string&)>& is_taken,
                                       unsigned element_bytes) {
  add(name, {Meaning::Kind::Variable, 1, static_cast<std::uint32_t>(variables_.size())});
  std::string candidate = unique(fmt::format("{}${}", function_.name, name.text));
  while (is_taken(candidate)) candidate = unique(candidate);
  variables_.push_back({candidate, element_bytes});
  return candidate;
}

std::uint32_t NameScopes::add_register(std::string_view prefix, ScalarType type) {
  function_.registers.push_back({unique(prefix), type});
  return static_cast<std::uint32_t>(function_.registers.size() - 1);
}

std::vector<std::string> NameScopes::names_in_sight() const {
  std::vector<std::string> names;
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    for (const Range& range : scope->ranges)
      for (std::uint32_t i = 0; i < range.count && i < kMaxNamesOfRange; ++i)
        names.push_back(fmt::format("{}{}", range.prefix, i));
    for (std::string_view name : scope->order)
      if (names.size() < kMaxNamesInMessages) names.emplace_back(name);
  }
  return names;
}

}  // namespace warpfork::ptx
