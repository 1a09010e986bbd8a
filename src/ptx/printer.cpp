#include "ptx/printer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace warpfork::ptx {

namespace {

std::uint64_t element(const Variable& variable, std::uint64_t offset) {
  std::uint64_t bits = 0;
  for (std::uint64_t i = 0; i < bytes_of(variable.type) && i < sizeof bits; ++i)
    bits |= std::to_integer<std::uint64_t>(variable.initial[offset + i]) << (8 * i);
  return bits;
}

std::string address_text(const Relocation& relocation) {
  std::string text = relocation.generic ? fmt::format("generic({})", relocation.symbol) : relocation.symbol;
  if (relocation.addend != 0) text += fmt::format("+{}", relocation.addend);
  return ~relocation.mask == 0 ? text : fmt::format("0x{:x}({})", relocation.mask, text);
}

std::string literal_text(ScalarType type, std::uint64_t bits) {
  if (type == ScalarType::F32) return fmt::format("0f{:08X}", bits);
  if (type == ScalarType::F64) return fmt::format("0d{:016X}", bits);
  return fmt::format("{}", bits);
}

std::string initialiser_text(const Variable& variable) {
  std::string text;
  auto relocation = variable.relocations.begin();
  const std::uint64_t width = bytes_of(variable.type);
  for (std::uint64_t offset = 0; offset + width <= variable.initial.size(); offset += width) {
    if (offset > 0) text += ", ";
    if (relocation != variable.relocations.end() && relocation->offset == offset)
      text += address_text(*relocation++);
    else
      text += literal_text(variable.type, element(variable, offset));
  }
  return text;
}

std::string variable_text(const Variable& variable) {
  std::string text = fmt::format(".{}{} .align {} .{} {}", to_string(variable.space),
                                 variable.is_managed ? " .attribute(.managed)" : "", variable.alignment,
                                 to_string(variable.type), variable.name);
  const std::uint64_t width = bytes_of(variable.type);
  const bool is_array = variable.bytes != width;
  if (is_array) text += variable.bytes == 0 ? "[]" : fmt::format("[{}]", variable.bytes / width);
  for (std::size_t i = 0; i < variable.sampler_fields.size(); ++i)
    text += fmt::format("{}{} = {}", i == 0 ? " = { " : ", ", variable.sampler_fields[i].first,
                        variable.sampler_fields[i].second);
  if (!variable.sampler_fields.empty()) text += " }";
  if (!variable.initial.empty())
    text += is_array ? fmt::format(" = {{ {} }}", initialiser_text(variable)) : " = " + initialiser_text(variable);
  return text;
}

std::string parameter_list(const std::vector<Variable>& parameters) {
  std::vector<std::string> texts;
  for (const Variable& parameter : parameters)
    texts.push_back(parameter.space == StateSpace::Register
                        ? fmt::format(".reg .{} {}", to_string(parameter.type), parameter.name)
                        : variable_text(parameter));
  return fmt::format("({})", fmt::join(texts, ", "));
}

/// One `.reg` line for the registers from `first` on that one declaration can make; moves `first` behind them.
std::string register_line(const std::vector<Register>& registers, std::size_t& first) {
  const std::string& name = registers[first].name;
  const ScalarType type = registers[first].type;
  const std::string type_text(to_string(type));
  std::size_t count = 1;
  const auto continues = [&](const std::string& next) {
    return first + count < registers.size() && registers[first + count].name == next &&
           registers[first + count].type == type;
  };
  if (name.ends_with(".x")) {
    const std::string stem = name.substr(0, name.size() - 2);
    static constexpr std::string_view kRest[] = {".y", ".z", ".w", ".4", ".5", ".6", ".7"};
    while (count < 8 && continues(stem + std::string(kRest[count - 1]))) ++count;
    first += count;
    return fmt::format(".reg .v{} .{} {};", count, type_text, stem);
  }
  const std::string stem = name.substr(0, name.size() - 1);
  const bool is_range = name.ends_with('0') && !stem.empty() && (stem.back() < '0' || stem.back() > '9');
  while (is_range && continues(fmt::format("{}{}", stem, count))) ++count;
  first += count;
  if (count == 1) return fmt::format(".reg .{} {};", type_text, name);
  return fmt::format(".reg .{} {}<{}>;", type_text, stem, count);
}

std::size_t register_parameters(const Function& function) {
  const auto in_register = [](const Variable& v) { return v.space == StateSpace::Register; };
  return static_cast<std::size_t>(std::count_if(function.returns.begin(), function.returns.end(), in_register) +
                                  std::count_if(function.parameters.begin(), function.parameters.end(), in_register));
}

std::map<Pc, std::set<std::string>> labels_of(const Function& function) {
  std::map<Pc, std::set<std::string>> labels;
  for (const Instruction& instruction : function.body)
    for (const Operand& operand : instruction.operands)
      if (const auto* label = operand.as<LabelOperand>()) labels[label->target].insert(label->name);
  for (const auto& [name, table] : function.branch_targets)
    for (const LabelOperand& label : table) labels[label.target].insert(label.name);
  return labels;
}

std::string tables_text(const Function& function) {
  std::string text;
  for (const auto& [name, table] : function.branch_targets) {
    std::vector<std::string> targets;
    for (const LabelOperand& label : table) targets.push_back(label.name);
    text += fmt::format("\t{}: .branchtargets {};\n", name, fmt::join(targets, ", "));
  }
  for (const auto& [name, table] : function.call_targets)
    text += fmt::format("\t{}: .calltargets {};\n", name, fmt::join(table, ", "));
  for (const auto& [name, prototype] : function.prototypes)
    text += fmt::format("\t{}: .callprototype {} _ {};\n", name, parameter_list(prototype.returns),
                        parameter_list(prototype.parameters));
  return text;
}

std::string code_text(const Function& function) {
  const auto labels = labels_of(function);
  std::string text;
  Location place;
  for (Pc pc = 0; pc <= function.body.size(); ++pc) {
    if (const auto here = labels.find(pc); here != labels.end())
      for (const std::string& label : here->second) text += label + ":\n";
    if (pc == function.body.size()) break;
    const Location& at = function.body[pc].location;
    if (at.source_file != place.source_file || at.source_line != place.source_line)
      text += fmt::format("\t.loc {} {} 0\n", at.source_file, at.source_line);
    place = at;
    text += fmt::format("\t{}\n", to_text(function.body[pc], function));
  }
  return text;
}

std::string head_text(const Function& function) {
  std::string text = function.is_entry ? ".visible .entry " : ".func ";
  if (function.is_declaration && !function.is_entry) text = ".extern .func ";
  if (!function.returns.empty()) text += parameter_list(function.returns) + " ";
  text += function.name + " " + parameter_list(function.parameters);
  if (function.max_threads != 0) text += fmt::format(" .maxntid {}", function.max_threads);
  const Dim3& threads = function.required_threads;
  if (threads.x != 0) text += fmt::format(" .reqntid {}, {}, {}", threads.x, threads.y, threads.z);
  if (const Dim3& blocks = function.cluster; blocks != Dim3{1, 1, 1})
    text += fmt::format(" .reqnctapercluster {}, {}, {}", blocks.x, blocks.y, blocks.z);
  if (function.min_blocks != 0) text += fmt::format(" .minnctapersm {}", function.min_blocks);
  if (function.max_registers != 0) text += fmt::format(" .maxnreg {}", function.max_registers);
  return text;
}

std::string linkage_text(const Variable& variable) {
  return std::string(variable.is_extern ? ".extern " : "") + (variable.is_visible ? ".visible " : "");
}

}  // namespace

std::string to_text(const Function& function) {
  if (function.is_declaration) return head_text(function) + ";\n";
  std::string text = head_text(function) + "\n{\n";
  for (std::size_t next = register_parameters(function); next < function.registers.size();)
    text += fmt::format("\t{}\n", register_line(function.registers, next));
  for (const Variable& variable : function.variables) text += fmt::format("\t{};\n", variable_text(variable));
  return text + tables_text(function) + code_text(function) + "}\n";
}

std::string to_text(const Module& module) {
  std::string text =
      fmt::format(".version {}.{}\n.target {}", module.version_major, module.version_minor, module.target);
  for (const std::string& option : module.target_options) text += ", " + option;
  text += fmt::format("\n.address_size {}\n", module.address_bits);
  for (const auto& [index, name] : module.source_files) text += fmt::format(".file {} \"{}\"\n", index, name);
  // Functions may be called, and their addresses stand in initialisers, before their bodies.
  for (const Function& function : module.functions)
    if (!function.is_entry && !function.is_declaration) text += head_text(function) + ";\n";
  for (const Variable& variable : module.variables)
    text += fmt::format("{}{};\n", linkage_text(variable), variable_text(variable));
  for (const Function& function : module.functions) text += to_text(function);
  for (const auto& [name, target] : module.aliases) text += fmt::format(".alias {}, {};\n", name, target);
  return text;
}

}  // namespace warpfork::ptx
