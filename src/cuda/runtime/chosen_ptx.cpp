#include "cuda/runtime/chosen_ptx.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace warpfork::cuda {

namespace {

std::string tried_text(const std::vector<std::uint32_t>& architectures) {
  if (architectures.size() < 2) return "";
  std::string list;
  for (const std::uint32_t architecture : architectures)
    list += fmt::format("{}compute_{}", list.empty() ? "" : ", ", architecture);
  return "\n    tried: PTX of " + list;
}

std::string note_text(std::uint32_t highest, std::size_t refused, std::uint32_t taken) {
  if (taken == highest) return "";
  const std::string why = refused == 0   ? "which cannot be loaded"
                          : refused == 1 ? "of which a kernel is refused"
                                         : fmt::format("of which {} kernels are refused", refused);
  return fmt::format("PTX of compute_{} is simulated, not of compute_{}, {}", taken, highest, why);
}

}  // namespace

ChosenPtx choose_ptx(const std::vector<std::uint32_t>& architectures, const LoadPtx& load) {
  ChosenPtx chosen;
  std::string first_refusal;
  std::size_t refused_of_highest = 0;
  for (const std::uint32_t architecture : architectures) {
    std::unique_ptr<simt::LoadedModule> module;
    try {
      module = load(architecture);
    } catch (const Error& error) {
      if (first_refusal.empty()) first_refusal = error.what();
      continue;
    }
    if (architecture == architectures.front()) refused_of_highest = module->refused_kernels();
    const bool is_better = !chosen.module || module->refused_kernels() < chosen.module->refused_kernels();
    if (is_better) {
      std::swap(chosen.module, module);
      chosen.architecture = architecture;
    }
    if (module) module->free_variables();
    if (chosen.module->refused_kernels() == 0) break;
  }
  if (chosen.module) chosen.note = note_text(architectures.front(), refused_of_highest, chosen.architecture);
  if (chosen.module && chosen.module->refused_kernels() == 0) return chosen;
  chosen.tried = tried_text(architectures);
  if (!chosen.module) throw Error("{}{}", first_refusal, chosen.tried);
  return chosen;
}

}  // namespace warpfork::cuda
