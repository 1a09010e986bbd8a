#include "compiler/managed_slots.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangled_name.h"
#include "base/error.h"
#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

constexpr std::string_view kGlobalOf = " global ", kUndefined = " undef", kAlignmentOf = ", align ";
constexpr std::string_view kRegistersVariable = "@__cudaRegisterVar(", kRegistersManaged = "@__cudaRegisterManagedVar(";
constexpr std::string_view kRegistersEnd = "@__cudaRegisterFatBinaryEnd(";
/// The priority of clang's constructor, and the first that is not the system's.
constexpr std::string_view kPriority = "i32 65535", kFirstPriority = "i32 101";

/// Of the line of a managed variable.
std::string_view linkage_of_slot(std::string_view head) {
  if (mentions(head, " external ")) return "external global i64";
  if (mentions(head, " internal ")) return "internal global i64 0";
  return mentions(head, " linkonce_odr ") || mentions(head, " weak") ? "weak global i64 0" : "global i64 0";
}

/// Digits behind a comma that may not be there.
std::string_view alignment_of(std::string_view rest) {
  const auto at = rest.find(kAlignmentOf);
  if (at == std::string_view::npos) return "";
  return rest.substr(at, rest.find_first_not_of("0123456789", at + kAlignmentOf.size()) - at);
}

/// Up to the comma behind it.
std::string_view operand_at(std::string_view text) {
  int depth = 0;
  const auto end = std::ranges::find_if(text, [&](char c) {
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    return c == ',' && depth == 0;
  });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

/// LLVM's text of one source, line by line.
class SlotWriter {
 public:
  SlotWriter(const ManagedNames& names, const std::string& source, bool relocatable)
      : names_(names), source_(source), relocatable_(relocatable) {}

  std::string operator()(std::string_view line) const {
    if (line.starts_with('@') && mentions(line, kManagedSection)) return variable(line);
    if (line.starts_with("@llvm.global_ctors ")) return with_first_priority(line);
    if (line.starts_with("@__clang_gpu_used_external ")) return with_slots(line);
    if (line.starts_with("declare ")) return declaration(line);
    return line.starts_with("  ") ? instruction(line) : std::string(line);
  }

 private:
  std::string instruction(std::string_view line) const {
    if (mentions(line, kRegistersVariable)) return registration(line);
    // The handle is the one parameter.
    if (mentions(line, kRegistersEnd))
      return fmt::format("{}\n  %managed = call i8 @__cudaInitModule({}", line,
                         line.substr(line.find(kRegistersEnd) + kRegistersEnd.size()));
    return std::string(line);
  }

  [[noreturn]] void refuse(std::string_view name, const char* cause) const {
    throw Error("{}: the __managed__ variable '{}' {}", source_, demangled_name(std::string(name)), cause);
  }

  std::string variable(std::string_view line) const {
    const auto section = line.find(kManagedSection), global = line.substr(0, section).find(kGlobalOf);
    const std::string_view name = line.substr(1, line.find(' ') - 1), head = line.substr(0, global + 1);
    if (global == std::string_view::npos) refuse(name, "is const: leave const away, or make it __constant__");
    const std::string_view slot = linkage_of_slot(head);
    std::string_view type = line.substr(global + kGlobalOf.size(), section - global - kGlobalOf.size());
    const bool is_declared = slot.starts_with("external"), is_undefined = type.ends_with(kUndefined);
    if (is_declared && !relocatable_)
      refuse(name, "is defined nowhere in this file: if another file has it, compile both with -rdc=true");
    if (!is_declared && !is_undefined) refuse(name, "is one of a host function: define it outside of functions");
    if (is_undefined) type.remove_suffix(kUndefined.size());
    return fmt::format("@{0} = external thread_local global {1}{2}\n@{0}.managed = {3}, align 8", name, type,
                       alignment_of(line.substr(section)), slot);
  }

  /// What host code names of others', which clang keeps by their addresses from 15 on.
  std::string with_slots(std::string_view line) const {
    std::string changed;
    for (auto end = line.find_first_of(",]"); end != std::string_view::npos; end = line.find_first_of(",]")) {
      const bool is_managed = names_.contains(line.substr(0, end).substr(line.rfind('@', end) + 1));
      changed.append(line.substr(0, end)).append(is_managed ? ".managed" : "").append(1, line[end]);
      line.remove_prefix(end + 1);
    }
    return changed.append(line);
  }

  static std::string with_first_priority(std::string_view line) {
    std::string changed(line);
    const auto priority = line.rfind(kPriority, line.find("@__cuda_module_ctor"));
    if (mentions(line, "@__cuda_module_ctor")) changed.replace(priority, kPriority.size(), kFirstPriority);
    return changed;
  }

  /// Newer clangs declare a function for HIP's managed variables, which has the name that we need.
  static std::string declaration(std::string_view line) {
    if (mentions(line, kRegistersManaged)) return "";
    if (mentions(line, kRegistersVariable)) return fmt::format("{}\n{}", line, as_managed(line));
    if (!mentions(line, kRegistersEnd)) return std::string(line);
    return fmt::format("{}\ndeclare i8 @__cudaInitModule({}", line,
                       line.substr(line.find(kRegistersEnd) + kRegistersEnd.size()));
  }

  static std::string as_managed(std::string_view line) {
    std::string changed(line);
    return changed.replace(line.find(kRegistersVariable), kRegistersVariable.size(), kRegistersManaged);
  }

  /// The second operand is the variable's address: i8* bitcast (i32* @x to i8*), or with clang 15 and later ptr @x.
  std::string registration(std::string_view line) const {
    const auto handle = line.find(kRegistersVariable) + kRegistersVariable.size(), begin = line.find(", ", handle) + 2;
    const std::string_view address = operand_at(line.substr(begin)), rest = line.substr(begin + address.size());
    const auto name = address.find('@') + 1;
    const std::string_view variable = address.substr(name, address.find_first_of(", )", name) - name);
    if (!names_.contains(variable)) return std::string(line);
    const std::string slot = address.starts_with("ptr ")
                                 ? fmt::format("ptr @{}.managed", variable)
                                 : fmt::format("i8* bitcast (i64* @{}.managed to i8*)", variable);
    return as_managed(fmt::format("{}{}{}", line.substr(0, begin), slot, rest));
  }

  const ManagedNames& names_;
  const std::string& source_;
  bool relocatable_;
};

}  // namespace

std::string with_managed_slots(std::string_view llvm, const std::string& source, const ManagedNames& names,
                               bool relocatable) {
  return each_line(llvm, SlotWriter(names, source, relocatable));
}

std::string with_slots_read(std::string_view assembly, const std::string& source, const ManagedNames& names) {
  constexpr std::string_view kName = "\tdata16\n\tleaq\t",
                             kCall = "@TLSGD(%rip), %rdi\n\tdata16\n\tdata16\n\trex64\n\tcallq\t__tls_get_addr@PLT\n";
  std::string changed;
  for (auto at = assembly.find(kName); at != std::string_view::npos; at = assembly.find(kName)) {
    const auto begin = at + kName.size(), end = std::min(assembly.find('@', begin), assembly.size());
    const std::string_view name = assembly.substr(begin, end - begin);
    const bool is_managed = names.contains(name) && assembly.substr(end).starts_with(kCall);
    changed += assembly.substr(0, is_managed ? at : end);
    if (is_managed) changed += fmt::format("\tmovq\t{}.managed@GOTPCREL(%rip), %rax\n\tmovq\t(%rax), %rax\n", name);
    assembly.remove_prefix(is_managed ? end + kCall.size() : end);
  }
  changed += assembly;
  for (const std::string& name : names)
    if (mentions(changed, fmt::format("\t{}@", name)))
      throw Error(
          "{}: host code asks for the __managed__ variable '{}' in a way that is not known: leave away what changes "
          "it, as -mcmodel=… and -mtls-dialect=…",
          source, demangled_name(name));
  return changed;
}

}  // namespace warpfork::compiler
