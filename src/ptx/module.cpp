#include "ptx/module.h"

#include <fmt/format.h>

#include "base/aligned.h"

namespace warpfork::ptx {

std::vector<std::uint64_t> Function::parameter_offsets() const {
  std::vector<std::uint64_t> offsets;
  std::uint64_t end = 0;
  for (const Variable& parameter : parameters) {
    offsets.push_back(aligned(end, parameter.alignment));
    end = offsets.back() + parameter.bytes;
  }
  return offsets;
}

std::uint64_t Function::parameter_bytes() const {
  return parameters.empty() ? 0 : parameter_offsets().back() + parameters.back().bytes;
}

unsigned Module::architecture() const {
  unsigned number = 0;
  for (const char c : target)
    if (c >= '0' && c <= '9') number = number * 10 + static_cast<unsigned>(c - '0');
  return number;
}

const Function* Module::find_function(std::string_view wanted) const {
  const auto alias = aliases.find(std::string(wanted));
  const std::string_view name = alias == aliases.end() ? wanted : alias->second;
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

const Variable* Module::find_variable(std::string_view wanted) const {
  for (const Variable& variable : variables)
    if (variable.name == wanted) return &variable;
  return nullptr;
}

std::string Module::source_name(const Location& location) const {
  const auto file = source_files.find(location.source_file);
  if (location.source_line == 0 || file == source_files.end()) return "";
  return file->second.substr(file->second.find_last_of('/') + 1);
}

std::string Module::place_text(const Location& location) const {
  const std::string source = source_name(location);
  if (source.empty()) return fmt::format("PTX line {}", location.line);
  return fmt::format("PTX line {}, {}:{}", location.line, source, location.source_line);
}

}  // namespace warpfork::ptx
