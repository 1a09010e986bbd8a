#include "compiler/addresses_in_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

constexpr std::string_view kNameLetters = "-$._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// @name = … addrspace(1) … global type value, align 8
struct Pointer {
  std::string_view name, space, type, value;  // @name, addrspace(1), i32*, getelementptr (…)
};

/// The name at the beginning, its @ included.
std::string_view name_at(std::string_view text) {
  return text.substr(0, std::min(text.find_first_not_of(kNameLetters, 1), text.size()));
}

/// Of what begins with an expression, the expression: up to its last parenthesis.
std::string_view expression_at(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return text.substr(0, at + 1);
  }
  return {};
}

/// Of a variable, what stands behind its linkage and the like.
std::string_view type_and_value(std::string_view line) {
  for (const std::string_view word : {" global ", " constant "})
    if (const auto at = line.find(word); at != std::string_view::npos) return line.substr(at + word.size());
  return {};
}

/// What address space the line says first.
std::string_view address_space(std::string_view line) {
  const auto at = line.find("addrspace(");
  return at == std::string_view::npos ? "" : line.substr(at, line.find(')', at) + 1 - at);
}

/// The pointer that this line defines, if its value is an address inside a variable.
std::optional<Pointer> pointer(std::string_view line) {
  const std::string_view rest = line.starts_with('@') ? type_and_value(line) : "";
  const auto end = std::min(rest.find(" getelementptr "), rest.find(" bitcast ("));
  if (end == std::string_view::npos || rest.find(" addrspacecast ") < end) return std::nullopt;
  const std::string_view type = rest.substr(0, end), value = expression_at(rest.substr(end + 1));
  const bool is_aggregate = type.find("] [") != std::string_view::npos || type.find('{') != std::string_view::npos;
  if (is_aggregate || !type.ends_with('*') || value.find("getelementptr") == std::string_view::npos)
    return std::nullopt;
  return Pointer{name_at(line), address_space(line.substr(0, line.size() - rest.size())), type, value};
}

std::string first_element(const Pointer& pointer) {
  return fmt::format("bitcast ([1 x {0}] {1}* {2} to {0} {1}*)", pointer.type, pointer.space, pointer.name);
}

/// The line with the arrays' first elements in the place of the pointers, but at its beginning. What is in quotation
/// marks, as strings and assembly are, stays.
std::string with_first_elements(std::string_view line, const std::map<std::string_view, Pointer>& pointers) {
  std::string changed(line.substr(0, 1));
  for (line.remove_prefix(changed.size()); !line.empty();) {
    const auto at = std::min(line.find_first_of("@\""), line.size());
    changed += line.substr(0, at);
    line.remove_prefix(at);
    const bool is_quoted = line.starts_with('"');
    const std::string_view word =
        is_quoted ? line.substr(0, std::min(line.find('"', 1), line.size() - 1) + 1) : name_at(line);
    const auto found = is_quoted ? pointers.end() : pointers.find(word);
    changed += found == pointers.end() ? std::string(word) : first_element(found->second);
    line.remove_prefix(word.size());
  }
  return changed;
}

std::string as_array(std::string_view line, const Pointer& pointer) {
  const auto at = static_cast<std::size_t>(pointer.type.data() - line.data());
  const std::string_view rest = line.substr(at + pointer.type.size() + 1 + pointer.value.size());
  return fmt::format("{}[1 x {}] [{} {}]{}", line.substr(0, at), pointer.type, pointer.type, pointer.value, rest);
}

}  // namespace

std::string with_addresses_in_arrays(std::string_view llvm) {
  std::map<std::string_view, Pointer> pointers;
  for (std::string_view rest = llvm; !rest.empty(); rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1))
    if (const auto found = pointer(rest.substr(0, rest.find('\n')))) pointers.emplace(found->name, *found);
  if (pointers.empty()) return std::string(llvm);
  return each_line(llvm, [&](std::string_view line) {
    const auto found = pointer(line);
    return with_first_elements(found ? as_array(line, *found) : line, pointers);
  });
}

}  // namespace warpfork::compiler
