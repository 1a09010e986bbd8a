#include "compiler/managed_variables.h"

#include "compiler/each_line.h"

namespace warpfork::compiler {

namespace {

constexpr std::string_view kSpace = ".global ";

/// Of the variable that a line of PTX defines or declares.
std::string_view name_of_variable(std::string_view line) {
  line = line.substr(0, line.find_first_of("[=;"));
  line = line.substr(0, line.find_last_not_of(' ') + 1);
  return line.substr(line.rfind(' ') + 1);
}

}  // namespace

bool has_managed_variables(std::string_view errors) { return mentions(errors, "__managed__ variables need warpfork"); }

ManagedNames managed_names(std::string_view llvm) {
  ManagedNames names;
  for (auto at = llvm.find(kManagedSection); at != std::string_view::npos; at = llvm.find(kManagedSection, at + 1)) {
    const auto begin = llvm.rfind('\n', at) + 1;  // of the first line, too
    if (llvm[begin] == '@') names.emplace(llvm.substr(begin + 1, llvm.find(' ', begin) - begin - 1));
  }
  return names;
}

std::string with_managed_attributes(std::string_view ptx, const ManagedNames& names) {
  if (names.empty()) return std::string(ptx);
  return each_line(ptx, [&](std::string_view line) {
    std::string changed(line);
    const bool is_variable = line.starts_with('.') && mentions(line, kSpace);
    if (is_variable && names.contains(name_of_variable(line)))
      changed.insert(line.find(kSpace) + kSpace.size(), ".attribute(.managed) ");
    return changed;
  });
}

}  // namespace warpfork::compiler
